/* isogloss info: version, BLAS, kernels, threads and terminal, for bug reports. With
 * DATA, see info_set.c. */
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/core.h"
#include "cli/demo_path.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/threads.h"
#include "core/blas.h"
#include "core/kernels.h"
#include "explorer/explorer.h"
#include "explorer/panels/leakage_panel.h"
#include "measure/evaluation.h"

#ifndef IG_VERSION
#define IG_VERSION "unknown"
#endif

/* The count of each source, null where it has none. */
static json_t *granted_json(const ig_threads *threads)
{
    json_t *out = json_object();

    for (int i = IG_FROM_AFFINITY; i < IG_THREAD_SOURCES; i++)
        out = ig_json_set(out, ig_thread_source_name((ig_thread_source)i),
                          threads->limit[i] ? json_integer(threads->limit[i])
                                            : json_null());
    return out;
}

static int put_info(const ig_options *options)
{
    ig_threads threads = ig_threads_granted(options->threads, options->share);
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
    const char *demo = NULL;
    ig_arena arena = {0};
    json_t *out;

    ig_demo_path(&arena, "demo.npy", &demo, NULL);
    out = json_pack(
        "{s:s, s:{s:s, s:s?, s:s}, s:s, s:I, s:I, s:s, s:o, s:{s:o, s:b, s:b, "
        "s:o, s:o}, s:o, s:o}",
        "version", IG_VERSION, "blas", "core", ig_blas_core(), "replaced",
        ig_core_replaced(), "config", ig_blas_config(), "kernels", ig_kernels_isa(),
        "processors", (json_int_t)threads.machine.processors, "threads",
        (json_int_t)threads.count, "threads_from", ig_thread_source_name(threads.from),
        "granted", granted_json(&threads), "terminal", "term", ig_json_string(term),
        "is_terminal", isatty(STDOUT_FILENO), "no_color", no_color && *no_color,
        "locale", ig_json_string(setlocale(LC_CTYPE, NULL)), "codeset",
        ig_json_string(nl_langinfo(CODESET)), "config",
        ig_json_string(options->config.path), "demo", ig_json_string(demo));
    if (ig_comm_library())
        out = ig_json_set(out, "ranks",
                          json_pack("{s:I, s:s, s:I}", "count",
                                    (json_int_t)ig_comm_processes(options->team),
                                    "library", ig_comm_library(), "here",
                                    (json_int_t)ig_comm_host_processes(options->team)));
    ig_arena_free(&arena);
    return (options->json ? ig_json_print : ig_json_describe)(out);
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
    }
    for (const ig_action_entry *a = ig_actions; a->name; a++)
        if (a->argument || !*a->keys)
            printf("word\t%s\t%s\t%s\n", a->name, a->argument ? a->argument : "",
                   a->help);
    for (size_t i = 0; i < ig_panels_count; i++)
        printf("panel\t%s\t%s\t%s\n", ig_panels[i]->name, ig_panels[i]->about,
               ig_panels[i]->reads);
    for (size_t i = 0; (view = ig_leakage_view_at(i)); i++)
        printf("view\t%s\t%s\t%s\t%s\n", view->name, view->title,
               view->measure ? view->measure : "", ig_space_name(view->space));
}

static void put_measures(void)
{
    const ig_measure *m;

    for (size_t i = 0; (m = ig_measure_at(i)); i++)
        printf("measure\t%s\t%s\t%s\t%d\t%d\t%d\t%s\t%s\n",
               ig_measure_groups[m->group]->word, m->name, m->label, ig_better(m, 0),
               ig_better(m, 1), ig_better(m, 2), m->source ? m->source : "", m->about);
}

/* A line per row of each table, fields separated by tabs: the input of
 * assets/tools/manual. */
static int put_tables(void)
{
    const ig_term_kind *term;
    const char *example;

    for (int c = 0; c < IG_COMMANDS; c++)
        printf("command\t%s\t%s\t%s\n", ig_commands[c].word, ig_commands[c].usage,
               ig_commands[c].summary);
    put_options();
    for (int of_language = 0; of_language < 2; of_language++)
        for (size_t i = 0; (example = ig_dataset_example(of_language, i)); i++)
            printf("data\t%s\n", example);
    put_explorer();
    put_measures();
    for (size_t i = 0; (term = ig_term_at(i)); i++)
        printf("term\t%s\t%s\n", term->shape, term->about);
    return IG_EXIT_OK;
}

int ig_info_command(const ig_options *options)
{
    if (options->tables)
        return put_tables();
    return options->words ? ig_info_dataset(options) : put_info(options);
}
