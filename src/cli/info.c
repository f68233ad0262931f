/* isogloss info: version, BLAS, kernels, threads and terminal, for bug reports. With
 * DATA its files, languages, ids, pairs, texts and labels; nothing is measured. */
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/demo_path.h"
#include "cli/load.h"
#include "cli/machine.h"
#include "cli/output.h"
#include "cli/progress_meter.h"
#include "core/blas.h"
#include "core/kernels.h"
#include "data/reader.h"
#include "explorer/explorer.h"
#include "explorer/panels/leakage_panel.h"

static ig_status put_info(const ig_options *options, ig_error *error)
{
    ig_threads threads = ig_threads_granted(options->threads, options->share);
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM"), *demo = NULL;
    ig_arena arena = {0};
    json_t *granted = json_object(), *out;

    for (int i = 1; i < IG_THREAD_SOURCES; i++)
        granted = ig_json_set(granted, threads.source[i].name,
                              threads.source[i].limit
                                  ? json_integer(threads.source[i].limit)
                                  : json_null());
    ig_demo_path(&arena, "demo.npy", &demo, NULL);
    out = json_pack("{s:s, s:{s:s, s:s}, s:s, s:I, s:I, s:s, s:o, s:{s:o, s:b, s:b, "
                    "s:o, s:o}, s:o, s:o}",
                    "version", IG_VERSION, "blas", "core", ig_blas_core(), "config",
                    ig_blas_config(), "kernels", ig_kernels_isa(), "processors",
                    (json_int_t)threads.source[0].limit, "threads",
                    (json_int_t)threads.count, "threads_from", threads.from, "granted",
                    granted, "terminal", "term", ig_json_string(term), "is_terminal",
                    isatty(STDOUT_FILENO), "no_color", no_color && *no_color, "locale",
                    ig_json_string(setlocale(LC_CTYPE, NULL)), "codeset",
                    ig_json_string(nl_langinfo(CODESET)), "config",
                    ig_json_string(options->config), "demo",
                    arena.failed ? NULL : ig_json_string(demo));
    if (ig_comm_library())
        out = ig_json_set(out, "ranks",
                          json_pack("{s:I, s:s, s:I}", "count",
                                    (json_int_t)ig_comm_processes(options->team),
                                    "library", ig_comm_library(), "here",
                                    (json_int_t)ig_comm_host_processes(options->team)));
    ig_arena_free(&arena);
    return ig_json_report(out, options->json, false, error);
}

/* --- a dataset -------------------------------------------------------------------- */

/* The files of the dataset, or of its versions. */
static json_t *files_json(const ig_versions *v)
{
    json_t *out = json_array();

    for (size_t k = 0; k < v->count; k++)
        for (size_t i = 0; i < (v->count == 1 ? v->set[k]->inside->parts : 1); i++) {
            const ig_dataset_part *part = &v->set[k]->inside->part[i];
            const ig_array *m = &part->vectors;

            out = ig_json_append(
                out,
                json_pack("{s:o, s:o, s:I, s:I, s:s, s:b}", "version",
                          ig_json_string(v->set[k]->version), "file",
                          ig_json_string(part->file), "rows", (json_int_t)m->rows,
                          "dims", (json_int_t)m->dims, "type", ig_types[m->dtype].name,
                          "mapped", v->set[k]->mapping->listed != NULL));
        }
    return out;
}

static json_t *description_json(const ig_loaded *loaded, const ig_origin *origin,
                                const char *no_pairs, const ig_options *options)
{
    const ig_dataset *set = loaded->set;
    const ig_pairs *pairs = &loaded->pairs;
    bool pivot = pairs->count && !options->pairs && !options->pairing;
    json_t *labels = json_object(), *notes = json_array();
    json_t *out = ig_document_dataset_json(set), *more;

    for (size_t i = 0; i < set->labels; i++)
        labels = ig_json_set(labels, set->label[i].name,
                             json_pack("{s:I, s:b}", "values",
                                       (json_int_t)set->label[i].categories, "numbers",
                                       set->label[i].number != NULL));
    if (*no_pairs)
        notes = ig_json_append(notes, ig_json_string(no_pairs));
    for (size_t i = 0; i < set->notes.remarks; i++)
        notes = ig_json_append(notes, ig_json_string(set->notes.remark[i]));
    if (set->stored_dims > set->dims)
        out = ig_json_set(out, "stored_dims", json_integer(set->stored_dims));
    more = json_pack(
        "{s:I, s:o, s:I, s:I, s:o, s:I, s:I, s:I, s:I, s:o, s:b, s:I, s:I, s:I, "
        "s:{s:s?, s:s?, s:s?, s:s?}, s:o}",
        "bytes", (json_int_t)ig_dataset_bytes(set), "files",
        files_json(&loaded->versions), "ids", (json_int_t)set->ids, "pairs",
        (json_int_t)pairs->count, "pivot",
        ig_json_string(pivot ? set->language[ig_pairs_pivot(set)] : NULL), "meanings",
        (json_int_t)pairs->groups, "texts", (json_int_t)(set->has_text ? set->rows : 0),
        "empty_texts", (json_int_t)set->notes.empty_texts, "broken_texts",
        (json_int_t)set->notes.broken_texts, "labels", labels, "ready_map",
        set->xy[0] != NULL, "zero_vectors", (json_int_t)loaded->zero_rows,
        "repeated_ids", (json_int_t)set->notes.repeated_ids, "single_row_languages",
        (json_int_t)set->notes.single_languages, "origin", "encoder", origin->encoder,
        "model", origin->model, "prefix", origin->prefix, "date", origin->date, "notes",
        notes);
    json_object_update(out, more);
    json_decref(more);
    return out;
}

static ig_status put_dataset(const ig_options *options, ig_error *error)
{
    ig_loaded loaded = {0};
    ig_origin origin = {0};
    ig_error no_pairs = {0};
    ig_status status = ig_load_open_versions(NULL, &loaded, options, error);

    for (size_t v = 0; v < loaded.versions.count && status == IG_OK; v++)
        status = ig_dataset_check(loaded.versions.set[v], v ? NULL : &loaded.zero_rows,
                                  ig_interrupt_flag(), error);
    if (status == IG_OK)
        status = ig_load_pairs(&loaded, options, NULL, &no_pairs, error);
    if (status == IG_OK)
        status = ig_origin_of_data(&origin, options, error);
    if (status == IG_OK)
        status = ig_json_report(
            description_json(&loaded, &origin, no_pairs.message, options),
            options->json, false, error);
    ig_origin_free(&origin);
    ig_load_free(&loaded);
    return status;
}

/* --- tables, for the manual ------------------------------------------------------- */

static void put_options(void)
{
    static const char *const section[IG_SECTIONS] = {"data", "training", "command",
                                                     "command", "every"};
    const ig_option *option;

    for (size_t i = 0; (option = ig_option_at(i)); i++) {
        printf("option\t%s\t%.*s\t%s\t%s\t", section[option->section],
               option->letter != 0, &option->letter, option->field.name,
               option->field.value ? option->field.value : "");
        for (int c = 0; c < IG_COMMANDS; c++)
            if (option->commands & (1u << c))
                printf("%s ", *ig_commands[c].word ? ig_commands[c].word : "explorer");
        printf("\t%s\n", option->field.help);
    }
}

static void put_explorer(void)
{
    const ig_leakage_view *view;
    const char *group = "";

    for (const ig_action_entry *a = ig_actions; a->name; a++) {
        group = a->group ? a->group : group;
        if (*a->keys)
            printf("key\t%s\t%s\t%s\t%s\n", group, a->keys, a->name, a->help);
        if (a->argument || !*a->keys)
            printf("word\t%s\t%s\t%s\n", a->name, a->argument ? a->argument : "",
                   a->help);
    }
    for (size_t i = 0; i < ig_panels_count; i++)
        printf("panel\t%s\t%s\t%s\n", ig_panels[i]->name, ig_panels[i]->about,
               ig_panels[i]->reads);
    for (view = ig_leakage_views; view->name; view++)
        printf("view\t%s\t%s\t%s\t%s\n", view->name, view->title,
               view->measure ? view->measure : "", ig_space_name(view->space));
}

/* A line per row of each table, with tabs between fields, for assets/tools/manual. */
static ig_status put_tables(void)
{
    const ig_measure *m;
    const ig_term_kind *term;

    for (int c = 0; c < IG_COMMANDS; c++)
        printf("command\t%s\t%s\t%s\n", ig_commands[c].word, ig_commands[c].usage,
               ig_commands[c].summary);
    put_options();
    put_explorer();
    for (size_t i = 0; (m = ig_measure_at(i)); i++)
        printf("measure\t%s\t%s\t%s\t%d\t%d\t%d\t%s\t%s\n",
               ig_measure_groups[m->group]->word, m->name, m->label, ig_better(m, 0),
               ig_better(m, 1), ig_better(m, 2), m->source ? m->source : "", m->about);
    for (size_t i = 0; (term = ig_term_at(i)); i++)
        printf("term\t%s\t%s\n", term->shape, term->about);
    return IG_OK;
}

ig_status ig_info_command(const ig_options *options, ig_error *error)
{
    if (options->tables)
        return put_tables();
    return options->words ? put_dataset(options, error) : put_info(options, error);
}
