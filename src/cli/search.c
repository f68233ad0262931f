/* isogloss search: the nearest rows of one row, as a table or as JSON. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/pool.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/encoding_options.h"
#include "cli/interrupt.h"
#include "cli/load.h"
#include "cli/nearest.h"
#include "cli/output.h"
#include "data/set.h"
#include "data/vectors.h"
#include "draw/axes.h"
#include "encode/address.h"
#include "encode/encoder.h"
#include "linear/products.h"
#include "linear/rows.h"
#include "search/searcher.h"
#include "search/textsearch.h"

/* A question, complete. */
typedef struct question {
    uint32_t row; /* of this rank; IG_NO_ROW: another one's, or a text of no row, which
                       was encoded, or a vector */
    bool is_row;  /* of any rank: */
    uint64_t number;  /* in the whole set, */
    const char *text; /* and its text, or "" */
    uint16_t lang;    /* of the row; of a text the one of the row nearest to it */
    float *vector;    /* (d) of such a query, or NULL */
    size_t matches; /* rows whose text matches as well, this one counted; 0: no text was
                       looked for */
    ig_space space;
    uint8_t *to; /* (languages) */
} question;

/* What can be said to be wrong before any data is opened. */
static int check_usage(const ig_options *options)
{
    int queries = (options->row != SIZE_MAX) + !!options->text + !!options->vector;

    if (queries == 0)
        ig_complain(
            "search needs a query: --row N, --text STRING or --vector FILE.npy");
    else if (queries > 1)
        ig_complain("search takes one query: --row, --text or --vector, not both");
    else if (options->space > IG_SPACE_ORIGINAL && !options->run)
        ig_complain("the %s space needs --run RUN",
                    ig_space_name((ig_space)options->space));
    else
        return IG_EXIT_OK;
    return IG_EXIT_USAGE;
}

/* --- the nearest rows ------------------------------------------------------------ */

/* One search under way, with room for what it asks. */
typedef struct finding {
    ig_nearest *out;
    const ig_set *set;
    const ig_rows *rows;
    uint32_t query;     /* or IG_NO_ROW */
    uint16_t lang;      /* of it */
    const float *given; /* (d) its vector in the space, when it is no row; or NULL */
    const uint8_t *to;
    ig_searcher *searcher;
    ig_arena arena;  /* of what follows */
    float *vector;   /* (d) */
    float *scratch;  /* the source's */
    ig_scored *best; /* (k) */
    double *mean;    /* (languages) */
    uint32_t *list;  /* (N) rows that are asked about */
    ig_rank *rank;   /* (N) of the translations */
    float *cosine;   /* (k) */
    float *margin;   /* (k) */
} finding;

static ig_status make_room(finding *f, size_t k, ig_error *error)
{
    size_t languages = f->set->languages, n = f->set->rows;
    ig_nearest *out = f->out;

    *out = (ig_nearest){
        .near = ig_alloc(k, sizeof *out->near),
        .rank = ig_alloc(languages, sizeof *out->rank),
        .tied = ig_alloc(languages, sizeof *out->tied),
    };
    f->vector = ig_arena_alloc(&f->arena, f->rows->dims * sizeof *f->vector);
    f->scratch = ig_arena_alloc(&f->arena, f->rows->scratch * sizeof *f->scratch);
    f->best = ig_arena_alloc(&f->arena, k * sizeof *f->best);
    f->mean = ig_arena_alloc(&f->arena, languages * sizeof *f->mean);
    f->list = ig_arena_alloc(&f->arena, n * sizeof *f->list);
    f->rank = ig_arena_alloc(&f->arena, n * sizeof *f->rank);
    f->cosine = ig_arena_alloc(&f->arena, k * sizeof *f->cosine);
    f->margin = ig_arena_alloc(&f->arena, k * sizeof *f->margin);
    return out->near && out->rank && out->tied && f->vector && f->scratch && f->best &&
                   f->mean && f->list && f->rank && f->cosine && f->margin
               ? IG_OK
               : ig_fail_memory(error, "the neighbours");
}

static void free_room(finding *f)
{
    ig_searcher_delete(f->searcher);
    ig_arena_free(&f->arena);
}

static ig_status find_nearest(finding *f, size_t k, ig_error *error)
{
    ig_searcher_filter filter = {
        .row = f->query, .to = f->to, .languages = f->set->languages};
    ig_status status;

    if (f->given)
        memcpy(f->vector, f->given, f->rows->dims * sizeof *f->vector);
    else
        ig_rows_gather(f->rows, &f->query, 1, f->vector, f->rows->dims, f->scratch);
    status = ig_searcher_query(f->searcher, f->vector, NULL, error);
    if (status == IG_OK)
        f->out->count = ig_searcher_best(f->searcher, filter, k, f->best);
    for (size_t i = 0; i < f->out->count; i++)
        f->out->near[i] = (ig_near_row){
            .row = f->best[i].row,
            .cosine = f->best[i].score,
            .lang = f->set->lang[f->best[i].row],
            .text = f->set->has_text ? f->set->text[f->best[i].row] : NULL,
            .translation = !f->given &&
                           ig_set_translates(f->set, f->query, f->best[i].row)};
    return status;
}

/* Whether all the rows that were looked for are equally near. */
static bool is_flat(const finding *f)
{
    const float *cosine = ig_searcher_cosines(f->searcher);
    float least = INFINITY, most = -INFINITY;
    size_t n = 0;

    for (size_t i = 0; i < f->set->rows; i++) {
        if (i == f->query || !f->to[f->set->lang[i]])
            continue;
        least = cosine[i] < least ? cosine[i] : least;
        most = cosine[i] > most ? cosine[i] : most;
        n++;
    }
    return n > 1 && most - least <= (float)IG_COSINE_EQUAL;
}

static ig_status rank_translations(finding *f, ig_error *error)
{
    const ig_set *set = f->set;
    ig_status status;
    size_t n = 0;

    for (uint32_t i = 0; i < set->rows && !f->given; i++)
        if (ig_set_translates(set, f->query, i))
            f->list[n++] = i;
    status = ig_searcher_ranks(f->searcher, f->list, n, f->query, f->rank, error);
    for (size_t i = 0; i < n && status == IG_OK; i++) {
        ig_nearest_rank(f->out, set->lang[f->list[i]], f->rank[i].rank,
                        ig_rank_tells(f->rank[i]));
    }
    return status;
}

static ig_status find_margins(finding *f, ig_error *error)
{
    const ig_set *set = f->set;
    size_t n = f->out->count;
    ig_margin_query query = {.mean = f->mean};
    uint32_t *near = ig_alloc(n, sizeof *near);
    ig_status status = near ? ig_searcher_margin_means(f->searcher, f->query,
                                                       set->languages, f->mean, error)
                            : ig_fail_memory(error, "the margins");

    for (uint32_t i = 0; i < set->rows; i++)
        if (set->lang[i] == f->lang)
            f->list[query.sames++] = i;
    query.same = f->list;
    for (size_t i = 0; i < n && status == IG_OK; i++) {
        near[i] = (uint32_t)f->out->near[i].row;
        f->cosine[i] = f->out->near[i].cosine;
    }
    if (status == IG_OK)
        status = ig_searcher_margins(f->searcher, &query, near, f->cosine, n, NULL,
                                     f->margin, error);
    for (size_t i = 0; i < n && status == IG_OK; i++)
        f->out->near[i].margin = f->margin[i];
    ig_free(near);
    return status;
}

static void free_nearest(ig_nearest *n)
{
    ig_free(n->near);
    ig_free(n->rank);
    ig_free(n->tied);
    ig_arena_free(&n->texts);
    *n = (ig_nearest){0};
}

/* A searcher over a space; where that is a linear image of the originals, these are
 * what is read, and the lengths of its rows are kept beside the run. */
static ig_status make_searcher(ig_searcher **searcher, ig_loaded *loaded,
                               const ig_options *options, ig_space space,
                               const ig_rows *rows, ig_error *error)
{
    const uint16_t *lang = loaded->set->lang;
    ig_image image;
    float *scale;
    ig_status status;

    if (!loaded->has_model || !ig_load_image(loaded, space, &image))
        return ig_searcher_new(searcher, rows, lang, loaded->pool, error);
    status = ig_searcher_new_image(searcher, rows, &image, lang, loaded->pool, error);
    if (status != IG_OK)
        return status;
    status = ig_load_scale(loaded, options, space, rows, &scale, error);
    if (status == IG_OK && scale)
        ig_searcher_know(*searcher, scale);
    ig_free(scale);
    return status;
}

/* Find the k nearest rows of the question's row or text.
 *   rows   in  (N, d) the space to search: every row is looked at
 *   given  in  (d) the text's vector in that space, or NULL
 * Margins as in search/searcher.h. IG_OK or IG_NOMEM. A pass over the rows, and one
 * over those of the query's language. */
static ig_status find_all(ig_nearest *out, ig_loaded *loaded, const ig_rows *rows,
                          const question *q, const float *given,
                          const ig_options *options, ig_error *error)
{
    const ig_set *set = loaded->set;
    size_t k = options->k < set->rows ? options->k : set->rows;
    finding f = {.out = out,
                 .set = set,
                 .rows = rows,
                 .query = q->row,
                 .lang = q->lang,
                 .given = given,
                 .to = q->to};
    ig_status status;

    status = make_room(&f, k, error);
    if (status == IG_OK)
        status = make_searcher(&f.searcher, loaded, options, q->space, rows, error);
    if (status == IG_OK)
        status = find_nearest(&f, k, error);
    if (status == IG_OK)
        status = rank_translations(&f, error);
    if (status == IG_OK)
        status = find_margins(&f, error);
    if (status == IG_OK)
        out->flat = is_flat(&f);
    free_room(&f);
    if (status != IG_OK)
        free_nearest(out);
    return status;
}

/* --- the question ---------------------------------------------------------------- */

/* The row whose text matches best; none, unless it has the text exactly, when the user
 * named an encoder, who makes a vector of any. */
static ig_status find_text(const ig_set *set, const ig_options *options,
                           bool can_encode, question *q, ig_error *error)
{
    ig_textsearch *search = NULL;
    ig_textquery query = {0};
    size_t others = 0;
    ig_status status;

    q->row = IG_NO_ROW;
    if (!set->has_text && can_encode)
        return IG_OK;
    if (!set->has_text)
        return ig_fail(error, IG_VALUE, "%s has no texts to find '%s' in", set->name,
                       options->text);
    status = ig_textsearch_new(&search, set->text, set->rows, NULL, error);
    if (status == IG_OK)
        status = ig_textquery_init(&query, options->text, IG_ACCENTS_COUNT, error);
    if (status == IG_OK)
        q->row = ig_textsearch_best(search, &query, &others);
    q->matches = others + 1;
    if (status == IG_OK && can_encode &&
        (q->row == IG_NO_TEXT ||
         (options->encoder.encoder && strcmp(set->text[q->row], options->text) != 0))) {
        q->row = IG_NO_ROW;
        q->matches = 0;
    } else if (status == IG_OK && q->row == IG_NO_TEXT)
        status = ig_fail(error, IG_VALUE, "no text of %s contains '%s'", set->name,
                         options->text);
    else if (status == IG_OK && others && !options->quiet)
        ig_complain("note: %zu other row%s match%s '%s' as well; row %lu is the first",
                    others, others == 1 ? "" : "s", others == 1 ? "es" : "",
                    options->text, (unsigned long)q->row);
    ig_textquery_free(&query);
    ig_textsearch_delete(search);
    return status;
}

static ig_status unknown_language(const ig_set *set, const char *code, size_t length,
                                  ig_error *error)
{
    char list[256] = "";
    size_t used = 0;

    for (size_t k = 0; k < set->languages && used < sizeof list; k++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", k ? ", " : "",
                                 set->language[k]);
    return ig_fail(error, IG_VALUE, "--to: %s has no language '%.*s'; it has %s",
                   set->name, (int)length, code, list);
}

/* The languages of --to; else every one but the row's, or the only one there is. */
static ig_status choose_languages(const ig_set *set, const char *to, const question *q,
                                  uint8_t *chosen, ig_error *error)
{
    for (size_t k = 0; k < set->languages; k++)
        chosen[k] = !to && (!q->is_row || k != q->lang || set->languages == 1);
    while (to) {
        size_t length = strcspn(to, ",");
        size_t k = 0;

        while (k < set->languages && (strlen(set->language[k]) != length ||
                                      memcmp(set->language[k], to, length) != 0))
            k++;
        if (k == set->languages)
            return unknown_language(set, to, length, error);
        chosen[k] = 1;
        to = to[length] ? to + length + 1 : NULL;
    }
    return IG_OK;
}

/* --- a text of no row ------------------------------------------------------------ */

/* Where the vector of an encoded text goes. */
typedef struct arrival {
    question *q;
    const ig_options *options;
    const ig_set *set;
} arrival;

static ig_status take_vector(void *context, size_t first, size_t count,
                             const float *vector, size_t dims, ig_error *error)
{
    arrival *a = context;
    size_t wanted = a->set->dims;

    (void)first;
    (void)count;
    if (dims < wanted || (dims > wanted && !a->options->set.dims))
        return ig_fail(error, IG_SHAPE,
                       "the encoder gives %zu dimensions, but %s has %zu", dims,
                       a->set->name, wanted);
    a->q->vector = ig_alloc(wanted, sizeof *vector);
    if (!a->q->vector)
        return ig_fail_memory(error, "the query");
    memcpy(a->q->vector, vector, wanted * sizeof *vector);
    return IG_OK;
}

/* The language of the row that is nearest to the text in the original space. */
static ig_status guess_language(const ig_loaded *loaded, question *q, ig_error *error)
{
    ig_searcher_filter filter = {.row = IG_NO_ROW};
    ig_searcher *searcher = NULL;
    ig_scored best;
    ig_status status = ig_searcher_new(&searcher, &loaded->originals, loaded->set->lang,
                                       loaded->pool, error);

    if (status == IG_OK)
        status = ig_searcher_query(searcher, q->vector, NULL, error);
    if (status == IG_OK && ig_searcher_best(searcher, filter, 1, &best) == 1)
        q->lang = loaded->set->lang[best.row];
    ig_searcher_delete(searcher);
    return status;
}

static ig_status encode_text(const ig_loaded *loaded, const ig_options *options,
                             const ig_encoder_options *said, question *q,
                             ig_error *error)
{
    const ig_encoder_text text = {.text = options->text};
    arrival a = {q, options, loaded->set};
    char server[IG_ADDRESS_SIZE];
    ig_encoder *encoder = NULL;
    ig_status status;

    ig_interrupt_catch(IG_INTERRUPT_SECOND);
    if (!options->quiet && ig_address_server(server, said->encoder))
        ig_complain("asked %s", server);
    status = ig_encoder_open(&encoder, said, ig_interrupt_flag(), error);
    if (status == IG_OK)
        status = ig_encoder_encode(encoder, &text, 1, take_vector, &a, error);
    ig_encoder_close(encoder);
    return status == IG_OK ? guess_language(loaded, q, error) : status;
}

/* The vector of the text in a space, (d) of the caller's, or NULL when memory is short.
 */
static float *in_space(const ig_loaded *loaded, const question *q, const ig_rows *rows)
{
    ig_rows one = ig_rows_of_matrix(
        (ig_matrix){q->vector, 1, loaded->set->dims, loaded->set->dims});
    ig_space_rows context = {&loaded->model.extractor, q->space, &one, &q->lang};
    ig_rows through = q->space == IG_SPACE_ORIGINAL ? one : ig_rows_of_space(&context);
    float *out = ig_alloc(rows->dims, sizeof *out);
    float *scratch = ig_alloc(through.scratch, sizeof *scratch);

    if (out && scratch) {
        ig_rows_read(&through, 0, 1, out, rows->dims, scratch);
    } else {
        ig_free(out);
        out = NULL;
    }
    ig_free(scratch);
    return out;
}

static ig_status ask_text(question *q, const ig_loaded *loaded,
                          const ig_options *options, ig_error *error)
{
    ig_origin origin = {0};
    ig_encoder_options said;
    ig_error why;
    ig_status named = ig_encoder_of_set(&said, &origin, options, &why);
    ig_status status =
        find_text(loaded->set, options, named != IG_OK || said.encoder, q, error);

    /* What is wrong with the encoder matters where it is needed. */
    if (status == IG_OK && q->row == IG_NO_ROW)
        status = named == IG_OK ? encode_text(loaded, options, &said, q, error)
                                : ig_fail(error, named, "%s", why.message);
    ig_origin_free(&origin);
    return status;
}

/* The vector of --vector: as many numbers as the set has dimensions. */
static ig_status read_vector(const ig_loaded *loaded, const char *path, question *q,
                             ig_error *error)
{
    const ig_set *set = loaded->set;
    size_t rows, cols;
    ig_status status = ig_vectors_read_npy(path, &rows, &cols, &q->vector, error);

    q->row = IG_NO_ROW;
    if (status != IG_OK)
        return status;
    if (rows != 1 && cols != 1)
        return ig_fail(error, IG_SHAPE, "%s has %zu rows; a query is one vector", path,
                       rows);
    if (rows * cols != set->dims)
        return ig_fail(error, IG_SHAPE, "%s has %zu numbers, but %s has %zu dimensions",
                       path, rows * cols, set->name, set->dims);
    for (size_t i = 0; i < set->dims; i++)
        if (!isfinite(q->vector[i]))
            return ig_fail(error, IG_VALUE, "%s: number %zu is not finite", path, i);
    return guess_language(loaded, q, error);
}

static void ask_row(const ig_set *set, uint32_t row, question *q)
{
    q->is_row = true;
    q->row = row;
    q->number = row;
    q->lang = set->lang[row];
    q->text = set->has_text ? set->text[row] : "";
}

static ig_status ask(question *q, const ig_loaded *loaded, const ig_options *options,
                     ig_error *error)
{
    const ig_set *set = loaded->set;
    ig_status status = IG_OK;

    q->space = options->space != IG_UNSAID ? (ig_space)options->space
               : loaded->has_model         ? IG_SPACE_MEANING
                                           : IG_SPACE_ORIGINAL;
    if (options->vector)
        status = read_vector(loaded, options->vector, q, error);
    else if (options->text)
        status = ask_text(q, loaded, options, error);
    else if ((status = ig_load_row(loaded, options, error)) == IG_OK)
        ask_row(set, (uint32_t)options->row, q);
    if (status == IG_OK && q->row != IG_NO_ROW)
        ask_row(set, q->row, q);
    q->to = ig_alloc(set->languages, 1);
    if (status == IG_OK && !q->to)
        status = ig_fail_memory(error, "the languages");
    return status == IG_OK ? choose_languages(set, options->to, q, q->to, error)
                           : status;
}

/* --- JSON ------------------------------------------------------------------------ */

static ig_json *row_json(uint64_t row, const char *lang, const char *text,
                         ig_json *into)
{
    ig_json_put(into, "row", ig_json_count(row));
    ig_json_put(into, "lang", ig_json_text(lang));
    ig_json_put(into, "text", ig_json_text(text));
    return into;
}

/* What was asked for: a row, or a text that was encoded. */
static ig_json *query_json(const ig_set *set, const question *q, const char *text)
{
    ig_json *out = ig_json_object();

    if (q->is_row)
        return row_json(q->number, set->language[q->lang],
                        set->has_text ? q->text : NULL, out);
    ig_json_put(out, "row", ig_json_text(NULL));
    ig_json_put(out, "nearest_lang", ig_json_text(set->language[q->lang]));
    ig_json_put(out, "text", ig_json_text(text));
    return out;
}

static int put_json(const ig_set *set, const question *q, const char *text,
                    const ig_nearest *found)
{
    ig_json *out = ig_json_object();
    ig_json *list = ig_json_array();
    ig_json *ranks = ig_json_object();

    for (size_t i = 0; i < found->count; i++) {
        const ig_near_row *near = &found->near[i];
        ig_json *item = ig_json_object();

        ig_json_put(item, "rank", ig_json_count(i + 1));
        row_json(near->row, set->language[near->lang], near->text, item);
        ig_json_put(item, "cosine", ig_json_float(near->cosine));
        ig_json_put(item, "margin", ig_json_float(near->margin));
        ig_json_put(item, "translation", ig_json_bool(near->translation));
        ig_json_push(list, item);
    }
    for (size_t k = 0; k < set->languages; k++)
        if (found->rank[k] || found->tied[k])
            ig_json_put(ranks, set->language[k],
                        found->rank[k] ? ig_json_count(found->rank[k])
                                       : ig_json_text(NULL));
    ig_json_put(out, "query", query_json(set, q, text));
    if (q->matches)
        ig_json_put(out, "matches", ig_json_count(q->matches));
    ig_json_put(out, "space", ig_json_text(ig_space_name(q->space)));
    ig_json_put(out, "tied", ig_json_bool(found->flat));
    ig_json_put(out, "neighbours", list);
    ig_json_put(out, "translation_rank", ranks);
    return ig_json_print(out);
}

/* --- a table --------------------------------------------------------------------- */

/* Text from column `used` on, cut at the edge of the terminal when there is one. */
static void put_rest(const char *text, size_t used)
{
    size_t columns = ig_terminal_columns(stdout);

    ig_put_text(stdout, text,
                columns == 0         ? SIZE_MAX
                : columns > used + 8 ? columns - used
                                     : 8,
                false);
    putchar('\n');
}

static size_t widest_language(const ig_set *set)
{
    size_t widest = 4;

    for (size_t k = 0; k < set->languages; k++) {
        size_t width = ig_text_width(set->language[k], strlen(set->language[k]));

        widest = width > widest ? width : widest;
    }
    return widest < 12 ? widest : 12;
}

static void put_heading(const ig_loaded *loaded, const question *q,
                        const ig_options *options)
{
    const ig_set *set = loaded->set;
    const char *code = set->language[q->lang];
    bool is_row = q->is_row;
    int used =
        is_row ? printf("row %" PRIu64 "  ", q->number)
               : printf("%s, nearest to ", options->vector ? "a vector" : "encoded");

    ig_put_text(stdout, code, 12, false);
    fputs("  ", stdout);
    put_rest(options->vector ? options->vector
             : !is_row       ? options->text
                             : q->text,
             (size_t)used + ig_text_width(code, strlen(code)) + 2);
    printf("%s space", ig_space_name(q->space));
    if (q->space != IG_SPACE_ORIGINAL) {
        printf(" of ");
        ig_put_text(stdout, options->run, SIZE_MAX, false);
        if (loaded->model.epoch)
            printf(", epoch %zu", loaded->model.epoch);
    }
    fputs("\n\n", stdout);
}

static void put_table(const ig_set *set, const ig_nearest *found)
{
    size_t widest = widest_language(set);
    char cosine[IG_NUMBER_SIZE], margin[IG_NUMBER_SIZE], row[24];

    printf("rank  cosine  margin       row    %-*s  text\n", (int)widest, "lang");
    for (size_t i = 0; i < found->count; i++) {
        const ig_near_row *near = &found->near[i];

        snprintf(row, sizeof row, "%" PRIu64, near->row);
        printf("%4zu  %6s  %6s  %8s  %s ", i + 1,
               ig_fixed_format(cosine, (double)near->cosine, 3, 1),
               isfinite(near->margin)
                   ? ig_fixed_format(margin, (double)near->margin, 3, 1)
                   : "-",
               row, near->translation ? "=" : " ");
        ig_put_text(stdout, set->language[near->lang], widest, true);
        fputs("  ", stdout);
        put_rest(near->text ? near->text : "", 34 + widest + 2);
    }
}

/* "de 3", and "de -" where its rows are all equally near. */
static void put_rank(const ig_set *set, const ig_nearest *found, size_t lang)
{
    ig_put_text(stdout, set->language[lang], SIZE_MAX, false);
    if (found->rank[lang])
        printf(" %zu", found->rank[lang]);
    else
        fputs(" -", stdout);
}

/* Where the translations stand; '=' marks them in the table. */
static void put_ranks(const ig_set *set, const ig_nearest *found)
{
    bool any = false, tied = false;

    for (size_t k = 0; k < set->languages; k++) {
        if (!found->rank[k] && !found->tied[k])
            continue;
        fputs(any ? ", " : "\n= translation; rank among the rows of its language: ",
              stdout);
        put_rank(set, found, k);
        any = true;
        tied |= !found->rank[k];
    }
    if (any)
        putchar('\n');
    if (found->flat)
        puts("all these rows are equally near: this space does not tell them apart, "
             "and their order says nothing");
    else if (tied)
        puts("- all rows of the language are equally near: a rank would say nothing");
}

/* --- the command ----------------------------------------------------------------- */

static ig_status answer(ig_loaded *loaded, const question *q, const ig_options *options,
                        ig_nearest *found, ig_error *error)
{
    float *given = NULL;
    ig_status status;
    ig_rows rows;

    if (!ig_load_space(loaded, q->space, &rows))
        return ig_fail(error, IG_VALUE, "the run %s (%s) has no %s space", options->run,
                       ig_extractor_name(loaded->model.extractor.kind),
                       ig_space_name(q->space));
    if (q->vector) {
        given = in_space(loaded, q, &rows);
        if (!given)
            return ig_fail_memory(error, "the query");
    }
    status = find_all(found, loaded, &rows, q, given, options, error);
    ig_free(given);
    return status;
}

int ig_search_command(const ig_options *options)
{
    ig_loaded loaded = {0};
    ig_nearest found = {0};
    question q = {0};
    ig_error error = {0};
    ig_status status;
    int code = check_usage(options);

    if (code != IG_EXIT_OK)
        return code;
    status = ig_load_with_run(&loaded, options, &error);
    if (status == IG_OK)
        status = ask(&q, &loaded, options, &error);
    if (status == IG_OK)
        status = answer(&loaded, &q, options, &found, &error);
    if (status != IG_OK) {
        code = ig_fail_exit(&error);
    } else if (options->json) {
        code = put_json(loaded.set, &q,
                        options->vector ? options->vector : options->text, &found);
    } else {
        put_heading(&loaded, &q, options);
        put_table(loaded.set, &found);
        put_ranks(loaded.set, &found);
    }
    free_nearest(&found);
    ig_free(q.to);
    ig_free(q.vector);
    ig_load_free(&loaded);
    return code;
}
