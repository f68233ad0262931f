/* isogloss info: what runs here, for reports and for knowing why something is slow; of
 * DATA, info_set.h. */
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/core.h"
#include "cli/demo_path.h"
#include "cli/info_set.h"
#include "cli/output.h"
#include "cli/threads.h"
#include "linear/blas.h"
#include "linear/kernels.h"
#include "tui/actions.h"
#include "tui/explorer.h"

#ifndef IG_VERSION
#define IG_VERSION "unknown"
#endif

/* Vector instructions of the processor that matter here, best last. */
static void processor_features(char *out, size_t size)
{
    size_t used = 0;

    *out = '\0';
#if defined(__x86_64__)
    __builtin_cpu_init();
#define FEATURE(name)                                                                  \
    if (__builtin_cpu_supports(name) && used < size)                                   \
    used += (size_t)snprintf(out + used, size - used, "%s%s", used ? " " : "", name)
    FEATURE("sse4.2");
    FEATURE("avx");
    FEATURE("avx2");
    FEATURE("fma");
    FEATURE("avx512f");
    FEATURE("avx512bw");
    FEATURE("avx512dq");
    FEATURE("avx512vl");
#undef FEATURE
#elif defined(__aarch64__)
    snprintf(out, size, "neon");
    (void)used;
#else
    (void)used;
#endif
}

typedef struct facts {
    const char *blas_core, *blas_replaced, *blas_config;
    const char *kernels;
    char processor[128];
    ig_threads threads;
    const char *term, *no_color, *locale, *codeset;
    bool terminal;
    const char *config;
    char *demo;          /* or NULL */
    const ig_team *team; /* or NULL */
} facts;

static facts gather(const ig_options *options)
{
    facts f = {
        .blas_core = ig_blas_core(),
        .blas_replaced = ig_core_replaced(),
        .blas_config = ig_blas_config(),
        .kernels = ig_kernels_best()->name,
        .threads = ig_threads_granted(options->threads, options->share),
        .term = getenv("TERM"),
        .no_color = getenv("NO_COLOR"),
        .locale = setlocale(LC_CTYPE, NULL),
        .codeset = nl_langinfo(CODESET),
        .terminal = isatty(STDOUT_FILENO),
        .config = options->config,
        .team = options->team,
    };

    processor_features(f.processor, sizeof f.processor);
    ig_demo_path(&f.demo, NULL);
    return f;
}

/* What each source of the count says, null where it says nothing; and the memory. */
static ig_json *granted_json(const ig_threads *threads)
{
    ig_json *out = ig_json_object();
    double bytes = ig_machine_memory(&threads->machine);

    for (int i = IG_FROM_AFFINITY; i < IG_THREAD_SOURCES; i++)
        ig_json_put(out, ig_thread_source_name((ig_thread_source)i),
                    threads->said[i] ? ig_json_count(threads->said[i])
                                     : ig_json_text(NULL));
    ig_json_put(out, "memory", ig_json_count((size_t)bytes));
    return out;
}

/* How many ranks there are, what they talk through, and the machine of each. */
static ig_json *ranks_json(const ig_team *team)
{
    ig_json *out = ig_json_object();
    ig_json *hosts = ig_json_array();

    for (size_t r = 0; team && r < ig_team_ranks(team); r++)
        ig_json_push(hosts, ig_json_text(ig_team_host(team, r)));
    ig_json_put(out, "count", ig_json_count(ig_team_ranks(team)));
    ig_json_put(out, "library", ig_json_text(ig_team_library()));
    ig_json_put(out, "hosts", hosts);
    return out;
}

static int put_json(const facts *f)
{
    ig_json *out = ig_json_object();
    ig_json *blas = ig_json_object();
    ig_json *terminal = ig_json_object();

    ig_json_put(blas, "core", ig_json_text(f->blas_core));
    ig_json_put(blas, "replaced", ig_json_text(f->blas_replaced));
    ig_json_put(blas, "config", ig_json_text(f->blas_config));
    ig_json_put(terminal, "term", ig_json_text(f->term));
    ig_json_put(terminal, "is_terminal", ig_json_bool(f->terminal));
    ig_json_put(terminal, "no_color", ig_json_bool(f->no_color && *f->no_color));
    ig_json_put(terminal, "locale", ig_json_text(f->locale));
    ig_json_put(terminal, "codeset", ig_json_text(f->codeset));
    ig_json_put(out, "version", ig_json_text(IG_VERSION));
    ig_json_put(out, "blas", blas);
    ig_json_put(out, "kernels", ig_json_text(f->kernels));
    ig_json_put(out, "processor", ig_json_text(f->processor));
    ig_json_put(out, "processors", ig_json_count(f->threads.machine.processors));
    ig_json_put(out, "threads", ig_json_count(f->threads.count));
    ig_json_put(out, "threads_from",
                ig_json_text(ig_thread_source_name(f->threads.from)));
    ig_json_put(out, "granted", granted_json(&f->threads));
    if (ig_team_library())
        ig_json_put(out, "ranks", ranks_json(f->team));
    ig_json_put(out, "terminal", terminal);
    ig_json_put(out, "config", ig_json_text(f->config));
    ig_json_put(out, "demo", ig_json_text(f->demo));
    return ig_json_print(out);
}

static void put(const char *label, const char *value)
{
    printf("%-10s", label);
    ig_put_text(stdout, value, SIZE_MAX, false);
    fputc('\n', stdout);
}

/* "2, by Open MPI 4.1.4; 1 on this machine, node1" */
static void put_ranks(const ig_team *team)
{
    char text[256];
    size_t used;

    if (!ig_team_library())
        return;
    used = (size_t)snprintf(text, sizeof text, "%zu, by %s", ig_team_ranks(team),
                            ig_team_library());
    if (team)
        snprintf(text + used, sizeof text - used, "; %zu on this machine, %s",
                 ig_team_host_ranks(team), ig_team_host(team, 0));
    put("ranks", text);
}

static void put_facts(const facts *f)
{
    char text[512], why[256];

    put("isogloss", IG_VERSION);
    if (f->blas_replaced)
        snprintf(text, sizeof text, "%s (OpenBLAS had chosen %s)", f->blas_core,
                 f->blas_replaced);
    else
        snprintf(text, sizeof text, "%s", f->blas_core);
    put("blas", text);
    put("", f->blas_config);
    put("kernels", f->kernels);
    put("processor", f->processor);
    ig_threads_format(&f->threads, why, sizeof why);
    snprintf(text, sizeof text, "%zu of %zu processors%s%s", f->threads.count,
             f->threads.machine.processors, *why ? ": " : "", why);
    put("threads", text);
    put_ranks(f->team);
    snprintf(text, sizeof text, "%.1f GB%s",
             ig_machine_memory(&f->threads.machine) / 1e9,
             f->threads.machine.limit > 0 ? " by the cgroup" : "");
    put("memory", text);
    snprintf(text, sizeof text, "%s%s%s", f->term ? f->term : "TERM is not set",
             f->terminal ? "" : ", output is no terminal",
             f->no_color && *f->no_color ? ", NO_COLOR" : "");
    put("terminal", text);
    snprintf(text, sizeof text, "%s, %s", f->locale ? f->locale : "C", f->codeset);
    put("locale", text);
    put("config", f->config ? f->config : "none");
    put("demo", f->demo ? f->demo : "not found");
}

static int put_info(const ig_options *options)
{
    facts f = gather(options);
    int code = IG_EXIT_OK;

    if (options->json)
        code = put_json(&f);
    else
        put_facts(&f);
    ig_free(f.demo);
    return code;
}

/* --- keys and panels of the explorer, from its own tables, for the man page ------- */

/* In roff a leading dot or quote is a command, and '-' a hyphen. */
static void put_roff(const char *text)
{
    for (; *text; text++) {
        if (*text == '-' || *text == '\\')
            putchar('\\');
        if (*text == '`')
            continue;
        putchar(*text);
    }
}

static void put_action(const ig_action_entry *entry, const char *keys)
{
    if (entry->group)
        printf(".SS %s\n", entry->group);
    printf(".TP\n.B ");
    put_roff(keys);
    printf("\n");
    put_roff(entry->help);
    printf(" (\\fI");
    put_roff(entry->name);
    printf("\\fR)\n");
}

static void put_keys(void)
{
    char keys[128];

    for (const ig_action_entry *entry = ig_actions; entry->name; entry++) {
        ig_keymap_keys(NULL, entry, keys, sizeof keys);
        put_action(entry, keys);
    }
    printf(".SS Panels\n");
    for (size_t i = 0; i < ig_panels_count; i++) {
        printf(".TP\n.B %s\n", ig_panels[i]->name);
        put_roff(ig_panels[i]->about);
        printf(".\n");
        put_roff(ig_panels[i]->reads);
        putchar('\n');
    }
}

int ig_info_command(const ig_options *options)
{
    if (options->key_table && options->words) {
        ig_complain("--key-table tells of the explorer, not of '%s'", options->word[0]);
        return IG_EXIT_USAGE;
    }
    if (options->words)
        return ig_info_set(options);
    if (!options->key_table)
        return put_info(options);
    put_keys();
    return IG_EXIT_OK;
}
