/* isogloss search: nearest rows of one query, with the ranks of its
 * translations, as text or JSON; or of many vectors, as CSV or JSON. */
#include <math.h>
#include <string.h>

#include "cli/load.h"
#include "cli/output.h"
#include "cli/progress_meter.h"
#include "core/memory.h"
#include "core/scan.h"
#include "core/text.h"
#include "data/npy.h"
#include "encode/encoder.h"
#include "measure/searcher.h"
#include "measure/textsearch.h"
#include "report/text_table.h"
#include "view/axes.h"

/* Legend: n queries, d dims, k neighbours of each. */
typedef struct search {
    const ig_options *options;
    ig_loaded *loaded;
    const ig_dataset *set;
    size_t count;
    uint32_t row;   /* of a single query, or IG_NO_ROW: … */
    float *vector;  /* … (n, d) of the original space */
    size_t matches; /* rows whose text matches --text, the row counted; 0: none */
    ig_space space;
    ig_rows rows;   /* of this space, … */
    ig_image image; /* … as an image of the original vectors, if it is one */
    uint16_t *lang; /* (n) of a vector that of the nearest row */
    size_t k;
    ig_scored *best; /* (n, k) */
    size_t *found;   /* (n) */
    uint8_t *to;     /* (languages) searched */

    /* of a single query: */
    uint32_t *rank;  /* (languages) best rank of a translation; 0: none; TIED */
    bool others;     /* rows in the language of the query are no neighbours */
    bool flat;       /* all neighbours are equally near */
    ig_arena memory; /* of all arrays but `vector` */
} search;

/* All rows of the language are equally near. */
#define TIED UINT32_MAX

/* --- queries ---------------------------------------------------------------------- */

/* Find the row of --text: that is equal, or the first that contains it. With --encoder
 * only an exact match counts; other texts are encoded, and there is no row. */
static ig_status find_text(search *s, bool can_encode, ig_error *error)
{
    const ig_dataset *set = s->set;
    const char *text = s->options->search.text;
    size_t row = 0, matches = 0;
    bool exact = false;
    ig_textsearch *texts = NULL;
    ig_textquery query = {0};
    ig_status status;

    if (!set->has_text)
        return can_encode ? IG_OK
                          : ig_fail(error, IG_VALUE, "%s has no texts to match '%s'",
                                    set->name, text);
    status = ig_textsearch_new(&texts, set->text, set->rows, NULL, error);
    if (status == IG_OK)
        status = ig_textquery_init(&query, text, error);
    for (size_t i = 0; i < set->rows && status == IG_OK; i++) {
        bool equal = strcmp(set->text[i], text) == 0;

        if ((exact && !equal) || !ig_textsearch_matches(texts, &query, i))
            continue;
        matches = equal == exact ? matches + 1 : 1;
        row = matches == 1 ? i : row;
        exact = equal;
    }
    ig_free(query.folded);
    ig_textsearch_delete(texts);
    if (status != IG_OK ||
        (can_encode && (!matches || (s->options->encoder.encoder && !exact))))
        return status;
    if (!matches)
        return ig_fail(error, IG_VALUE, "no text of %s contains '%s'", set->name, text);
    if ((matches > 1 || !exact) && !s->options->quiet)
        ig_complain("note: query: row %zu (matches of '%s': %zu)", row, text, matches);
    s->matches = matches;
    s->row = (uint32_t)row;
    return IG_OK;
}

static ig_status receive_vector(void *context, size_t count, const float *vector,
                                size_t dims, ig_error *error)
{
    search *s = context;
    size_t wanted = s->set->dims;

    if (dims < wanted || (dims > wanted && !s->options->set.dims))
        return ig_fail(error, IG_SHAPE,
                       "the encoder gives %zu dimensions, but %s has %zu", dims,
                       s->set->name, wanted);
    s->vector = ig_alloc(wanted, sizeof *vector);
    (void)count; /* 1 */
    if (!s->vector)
        return ig_fail_memory(error, "the query");
    memcpy(s->vector, vector, wanted * sizeof *vector);
    return IG_OK;
}

/* The row of --text, or its vector by an encoder. */
static ig_status read_text(search *s, ig_error *error)
{
    const ig_encoder_text text = {.text = s->options->search.text};
    ig_origin origin = {0};
    ig_encoder_options said;
    ig_encoder *encoder = NULL;
    ig_error why;
    ig_status named = ig_encoder_of_dataset(&said, &origin, s->options, &why);
    ig_status status = find_text(s, named != IG_OK || said.encoder, error);

    /* An error of the encoder counts only if it is needed. */
    if (status == IG_OK && s->row == IG_NO_ROW && named != IG_OK)
        status = ig_fail(error, named, "%s", why.message);
    if (status == IG_OK && s->row == IG_NO_ROW) {
        ig_interrupt_catch(false);
        status = ig_encoder_open(&encoder, &said, ig_interrupt_flag(), error);
        if (status == IG_OK && !s->options->quiet && encoder->server)
            ig_complain("encoding the query: %s", encoder->server);
        if (status == IG_OK)
            status = ig_encoder_encode(encoder, &text, 1, receive_vector, s, error);
        ig_encoder_close(encoder);
    }
    ig_origin_free(&origin);
    return status;
}

/* Read the rows of an array. */
static ig_status read_vectors(search *s, const char *path, ig_error *error)
{
    size_t dims = s->set->dims, cols;
    ig_status status = ig_npy_read(path, &s->count, &cols, &s->vector, error);

    if (status == IG_FORMAT)
        ig_text_append(error->message, sizeof error->message,
                       "; --text searches for a text");
    if (status != IG_OK)
        return status;
    if (cols == 1 && dims > 1) { /* a single vector */
        cols = s->count;
        s->count = 1;
    }
    if (cols != dims)
        return ig_fail(error, IG_SHAPE, "%s has %zu columns, but %s has %zu dimensions",
                       path, cols, s->set->name, dims);
    for (size_t i = 0; i < s->count * dims; i++)
        if (!isfinite(s->vector[i]))
            return ig_fail(error, IG_VALUE, "%s: row %zu, column %zu is not finite",
                           path, i / dims, i % dims);
    return IG_OK;
}

/* --- the search ------------------------------------------------------------------- */

/* Set the languages of vectors: those of the rows nearest in the original space. */
static ig_status find_languages(search *s, const ig_rows *given, ig_error *error)
{
    ig_searcher *searcher = NULL;
    ig_status status = ig_searcher_new(&searcher, &s->loaded->originals, NULL, NULL,
                                       s->loaded->pool, NULL, error);

    if (status == IG_OK)
        status = ig_searcher_find(searcher, given, NULL, NULL, 1, NULL, s->best,
                                  s->found, error);
    for (size_t i = 0; status == IG_OK && i < s->count; i++)
        s->lang[i] = s->set->lang[s->best[i].row];
    ig_searcher_delete(searcher);
    return status;
}

static bool is_translation(const search *s, uint32_t row)
{
    return s->row != IG_NO_ROW && ig_dataset_translates(s->set, s->row, row);
}

/* The ranks of a query's translations, and whether its neighbours are as near. */
static void find_ranks(search *s, const ig_searcher *searcher)
{
    const ig_dataset *set = s->set;
    size_t last = s->found[0];

    for (uint32_t i = 0; i < set->rows; i++)
        if (is_translation(s, i)) {
            uint32_t *best = &s->rank[set->lang[i]];
            uint32_t rank = ig_searcher_rank(searcher, i, s->row);

            if (!*best || (rank ? rank : TIED) < *best)
                *best = rank ? rank : TIED;
        }
    s->flat = last > 1 &&
              s->best[0].score - s->best[last - 1].score <= (float)IG_COSINE_EQUAL;
}

/* Search the space; a linear image of the original vectors in these. */
static ig_status find_neighbours(search *s, ig_error *error)
{
    const ig_loaded *loaded = s->loaded;
    bool of_row = s->row != IG_NO_ROW, many = s->options->search.queries;
    ig_rows given = ig_rows_of_matrix(ig_matrix_of(s->vector, s->count, s->set->dims));
    ig_space_rows context = {loaded->run.extractor, s->space, &given, s->lang};
    ig_rows_pick pick = {&s->rows, &s->row, 1};
    ig_rows queries = of_row                          ? ig_rows_of_pick(&pick)
                      : s->space == IG_SPACE_ORIGINAL ? given
                                                      : ig_rows_of_space(&context);
    ig_searcher *searcher = NULL;
    ig_status status =
        ig_load_languages(s->set, "--to", s->options->search.to, s->to, error);

    s->others = of_row && !s->options->search.to && s->set->languages > 1;
    if (of_row)
        s->lang[0] = s->set->lang[s->row];
    s->to[s->lang[0]] &= !s->others;
    if (status == IG_OK && !of_row && (!many || s->space != IG_SPACE_ORIGINAL))
        status = find_languages(s, &given, error);
    if (status == IG_OK)
        status = ig_searcher_new(&searcher, &s->rows, s->image.of ? &s->image : NULL,
                                 s->set->lang, loaded->pool, NULL, error);
    if (status == IG_OK)
        status = ig_searcher_find(searcher, &queries, of_row ? &s->row : NULL, s->to,
                                  s->k, NULL, s->best, s->found, error);
    if (status == IG_OK && !many)
        find_ranks(s, searcher);
    ig_searcher_delete(searcher);
    return status;
}

/* Open DATA and the run, read the queries and search. */
static ig_status find(search *s, ig_error *error)
{
    ig_loaded *loaded = s->loaded;
    const ig_search_options *o = &s->options->search;
    ig_status status;

    if ((o->row != SIZE_MAX) + !!o->text + !!o->queries != 1)
        return ig_fail(error, IG_USAGE,
                       "search takes one of --row N, --text STRING, --queries FILE");
    status = ig_load_with_run(loaded, s->options, error);
    if (status != IG_OK)
        return status;
    s->set = loaded->set;
    s->k = o->k < s->set->rows ? o->k : s->set->rows;
    s->space = o->space != IG_UNSET    ? (ig_space)o->space
               : loaded->run.extractor ? IG_SPACE_MEANING
                                       : IG_SPACE_ORIGINAL;
    status = ig_load_space(loaded, s->space, &s->rows, &s->image, error);
    if (o->row != SIZE_MAX)
        s->row = (uint32_t)o->row;
    else if (status == IG_OK)
        status = o->text ? read_text(s, error) : read_vectors(s, o->queries, error);
    s->lang = ig_arena_array(&s->memory, s->count, sizeof *s->lang);
    s->best = ig_arena_array(&s->memory, s->count * s->k, sizeof *s->best);
    s->found = ig_arena_array(&s->memory, s->count, sizeof *s->found);
    s->rank = ig_arena_array(&s->memory, s->set->languages, sizeof *s->rank);
    s->to = ig_arena_array(&s->memory, s->set->languages, 1);
    if (status == IG_OK && s->memory.failed)
        status = ig_fail_memory(error, "the queries");
    return status == IG_OK ? find_neighbours(s, error) : status;
}

/* --- output ----------------------------------------------------------------------- */

static json_t *row_json(const ig_dataset *set, uint32_t row)
{
    return json_pack("{s:I, s:o, s:o}", "row", (json_int_t)row, "lang",
                     ig_json_string(set->language[set->lang[row]]), "text",
                     ig_json_string(set->has_text ? set->text[row] : NULL));
}

/* Print the neighbours as a table, texts truncated at the edge of a terminal. */
static void put_neighbours(const search *s)
{
    size_t columns = ig_terminal_columns(stdout, SIZE_MAX);
    char cosine[IG_NUMBER_SIZE];

    puts("\nrank  cosine       row    lang      text");
    for (size_t j = 0; j < s->found[0]; j++) {
        uint32_t row = s->best[j].row;
        const char *lang = s->set->language[s->set->lang[row]],
                   *text = s->set->text[row];

        printf("%4zu  %6s  %8lu  %s ", j + 1,
               ig_fixed_format(cosine, (double)s->best[j].score, 3, 1),
               (unsigned long)row, is_translation(s, row) ? "=" : " ");
        ig_text_put(stdout, lang, strlen(lang), 8, true);
        fputs("  ", stdout);
        ig_text_put(stdout, text, strlen(text), columns > 44 ? columns - 36 : 8, false);
        putchar('\n');
    }
}

/* Print the result of one query: as JSON, or its neighbours below the rest. */
static ig_status put_one(const search *s, ig_error *error)
{
    const bool json = s->options->json;
    json_t *list = json_array(), *ranks = json_object(), *out;
    char source[IG_SOURCE];
    ig_status status;

    for (size_t j = 0; j < s->found[0] && json; j++) {
        json_t *one = row_json(s->set, s->best[j].row);

        one = ig_json_set(one, "rank", json_integer(j + 1));
        one = ig_json_set(one, "cosine", ig_json_number(s->best[j].score));
        one = ig_json_set(one, "translation",
                          json_boolean(is_translation(s, s->best[j].row)));
        list = ig_json_append(list, one);
    }
    for (size_t k = 0; k < s->set->languages; k++)
        if (s->rank[k])
            ranks = ig_json_set(ranks, s->set->language[k],
                                s->rank[k] != TIED ? json_integer(s->rank[k])
                                : json             ? json_null()
                                                   : json_string("tied"));
    if (!json && json_object_size(ranks))
        ranks = ig_json_set(ranks, "within languages", json_true());
    out = json_pack("{s:o, s:o, s:s, s:o, s:b, s:o, s:I}", "query",
                    s->row != IG_NO_ROW
                        ? row_json(s->set, s->row)
                        : json_pack("{s:n, s:o, s:o}", "row", "nearest_lang",
                                    ig_json_string(s->set->language[s->lang[0]]),
                                    "text", ig_json_string(s->options->search.text)),
                    "neighbours", list, "space", ig_space_name(s->space), "source",
                    ig_json_string(ig_load_source(s->loaded, s->set->rows, source)),
                    "tied", s->flat, "translation_rank", ranks, "dropped",
                    (json_int_t)s->set->notes.dropped);
    if (s->others)
        out = ig_json_set(out, "left_out",
                          json_sprintf("rows in %s, as the query; --to names languages",
                                       s->set->language[s->lang[0]]));
    if (s->matches)
        out = ig_json_set(out, "matches", json_integer(s->matches));
    status = ig_json_report(out, json, false, error);
    if (status == IG_OK && !json)
        put_neighbours(s);
    return status;
}

/* The neighbours of many queries: there may be millions. */
static ig_status put_many(const search *s, ig_error *error)
{
    ig_table_format format = s->options->json ? IG_AS_JSON : IG_AS_CSV;
    char source[IG_SOURCE];
    ig_table t = {.digits = 9};
    bool failed;

    ig_load_source(s->loaded, s->set->rows, source);
    ig_text_append(source, sizeof source, "; %s space", ig_space_name(s->space));
    if (s->options->json) {
        ig_json_begin(source);
        printf(", \"space\": \"%s\", \"dropped\": %zu, \"neighbours\": [",
               ig_space_name(s->space), s->set->notes.dropped);
    }
    ig_table_heads(&t, "query rank cosine row lang text");
    ig_table_heads(&t, s->options->json ? "" : "source");
    ig_table_end_row(&t);
    ig_table_flush(&t, stdout, format, ',');
    for (size_t i = 0; i < s->count && !t.arena.failed && !ferror(stdout); i++)
        for (size_t j = 0; j < s->found[i]; j++) {
            const ig_scored *near = &s->best[i * s->k + j];

            ig_table_count(&t, i);
            ig_table_count(&t, j + 1);
            ig_table_number(&t, (double)near->score);
            ig_table_count(&t, near->row);
            ig_table_text(&t, s->set->language[s->set->lang[near->row]]);
            ig_table_text(&t, s->set->has_text ? s->set->text[near->row] : NULL);
            if (!s->options->json) /* its head has it */
                ig_table_text(&t, source);
            ig_table_flush(&t, stdout, format, ',');
        }
    fputs(s->options->json ? "\n]}\n" : "", stdout);
    failed = t.arena.failed;
    ig_table_free(&t);
    return failed ? ig_fail_memory(error, "the neighbours") : IG_OK;
}

ig_status ig_search_command(const ig_options *options, ig_error *error)
{
    ig_loaded loaded = {0};
    search s = {.options = options, .loaded = &loaded, .count = 1, .row = IG_NO_ROW};
    ig_status status = find(&s, error);

    if (status == IG_OK)
        status = options->search.queries ? put_many(&s, error) : put_one(&s, error);
    ig_free(s.vector);
    ig_arena_free(&s.memory);
    ig_load_free(&loaded);
    return status;
}
