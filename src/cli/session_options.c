/* What a session keeps of the command line. */
#include "cli/session_options.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "data/columns.h"
#include "encode/encoder.h"

/* Beside those that say how data are read. */
static const char *const further[] = {
    "pairing",         "scores",      "seed",          "encoder",
    "encoder-model",   "prefix",      "encoder-batch", "encoder-requests",
    "encoder-timeout", "encoder-dims"};

static bool is_kept(const ig_option *option)
{
    if (!(option->commands & 1u << IG_EXPLORE))
        return false;
    if (option->section == IG_SECTION_DATA)
        return true;
    for (size_t i = 0; i < sizeof further / sizeof *further; i++)
        if (strcmp(option->field.name, further[i]) == 0)
            return true;
    return false;
}

/* Whether a value is the path of a file: --meta FILE. */
static bool is_path(const ig_option *option)
{
    return option->field.value && strncmp(option->field.value, "FILE", 4) == 0;
}

static const ig_option *option_of(const char *word)
{
    const ig_option *option;

    if (strncmp(word, "--", 2) != 0)
        return NULL;
    option = ig_option_named(word + 2, strlen(word + 2));
    return option && is_kept(option) && option->field.kind != IG_KIND_FLAG ? option
                                                                           : NULL;
}

bool ig_session_path_option(const char *word, bool *known)
{
    const ig_option *option = option_of(word);

    *known = option != NULL;
    return option && is_path(option);
}

/* --- opening ---------------------------------------------------------------------- */

static bool opens_sessions(const ig_options *options)
{
    return options->command == IG_EXPLORE || options->command == IG_RENDER;
}

const char *ig_session_asked(const ig_options *options)
{
    if (!opens_sessions(options))
        return NULL;
    if (options->words == 1 && ig_path_ends(options->word[0], ".json"))
        return options->word[0];
    return options->words == 0 && options->session &&
                   access(options->session, F_OK) == 0
               ? options->session
               : NULL;
}

ig_status ig_session_check_words(const ig_options *options, ig_error *error)
{
    if (!opens_sessions(options) || options->words < 2)
        return IG_OK;
    for (size_t i = 0; i < options->words; i++)
        if (ig_path_ends(options->word[i], ".json") &&
            ig_session_file_is(options->word[i]))
            return ig_fail(error, IG_USAGE,
                           "%s is a session, which stands alone: it names its data",
                           options->word[i]);
    return IG_OK;
}

static ig_status take(ig_options *options, const ig_option *option, const char *label,
                      const char *value, const char *path, ig_error *error)
{
    const char *own = ig_arena_text(&options->arena, value, strlen(value));
    ig_error why;

    if (!own)
        return ig_fail_memory(error, "the session");
    if (ig_option_take(options, option, label, own, &why) != IG_OK)
        return ig_fail(error, why.status == IG_NOMEM ? IG_NOMEM : IG_FORMAT, "%s: %s",
                       path, why.message);
    return IG_OK;
}

/* A session may be anybody's: a command that it names is kept and not run. The one
 * that the config file names is the user's own. */
static ig_status take_encoder(ig_options *options, const char *value, ig_error *error)
{
    const char *own;

    if (options->encoder.encoder && strcmp(options->encoder.encoder, value) == 0)
        return IG_OK;
    own = ig_arena_text(&options->arena, value, strlen(value));
    if (!own)
        return ig_fail_memory(error, "the session");
    options->session_encoder = own;
    options->encoder.encoder = ig_encoder_is_harmless(own) ? own : NULL;
    return IG_OK;
}

static bool is_encoder(const ig_option *option)
{
    return strcmp(option->field.name, "encoder") == 0;
}

ig_status ig_session_take_options(ig_options *options, const char *path,
                                  ig_error *error)
{
    const ig_option *run = ig_option_named("run", 3);
    ig_session_file file;
    ig_status status = ig_session_file_read(&file, path, ig_session_path_option, error);

    if (status != IG_OK)
        return status;
    for (size_t i = 0; i < file.options && status == IG_OK; i += 2) {
        const ig_option *option = option_of(file.option[i]);

        status = is_encoder(option) ? take_encoder(options, file.option[i + 1], error)
                                    : take(options, option, file.option[i],
                                           file.option[i + 1], path, error);
    }
    for (size_t i = 0; i < file.runs && status == IG_OK; i++)
        status = take(options, run, "--run", file.run[i], path, error);
    options->session_runs = file.runs;
    options->session_word =
        ig_arena_alloc(&options->arena, file.words * sizeof *options->session_word);
    if (status == IG_OK && !options->session_word)
        status = ig_fail_memory(error, "the session");
    for (size_t i = 0; i < file.words && status == IG_OK; i++) {
        options->session_word[i] =
            ig_arena_text(&options->arena, file.data[i], strlen(file.data[i]));
        if (!options->session_word[i])
            status = ig_fail_memory(error, "the session");
    }
    options->session_words = file.words;
    options->opened = path;
    ig_session_file_free(&file);
    return status;
}

ig_status ig_session_take_words(ig_options *options, ig_error *error)
{
    const char **word = ig_alloc(options->session_words, sizeof *word);

    if (!word)
        return ig_fail_memory(error, "the session");
    memcpy(word, options->session_word, options->session_words * sizeof *word);
    ig_free((void *)options->word);
    options->word = word;
    options->words = options->session_words;
    return IG_OK;
}

/* --- keeping ---------------------------------------------------------------------- */

static void put(ig_session_words *w, const ig_option *option, const char *value)
{
    size_t n = w->opened.options;

    if (n == IG_SESSION_OPTIONS)
        return;
    snprintf(w->name[n], sizeof w->name[n], "--%s", option->field.name);
    w->option[n] = (ig_opened_option){w->name[n], value, is_path(option)};
    w->opened.options++;
}

/* Of those whose values are read in ways of their own. */
static void put_taken(ig_session_words *w, const ig_option *option,
                      const ig_options *options)
{
    const char *name = option->field.name;

    if (strcmp(name, "scores") == 0 && options->scores)
        put(w, option, options->scores);
    if (strcmp(name, "delimiter") == 0 && options->set.delimiter &&
        w->opened.options < IG_SESSION_OPTIONS) {
        char *value = w->value[w->opened.options];

        snprintf(value, sizeof w->value[0], "%c", options->set.delimiter);
        put(w, option, value);
    }
    for (size_t i = 0; i < IG_COLUMN_ROLES && strcmp(name, "column") == 0; i++)
        if (options->set.column[i] && w->opened.options < IG_SESSION_OPTIONS) {
            char *value = w->value[w->opened.options];

            snprintf(value, sizeof w->value[0], "%s=%s",
                     ig_column_role_name((ig_column_role)i), options->set.column[i]);
            put(w, option, value);
        }
}

void ig_session_words_init(ig_session_words *w, const ig_options *options)
{
    const ig_option *option;

    *w = (ig_session_words){.opened = {.data = options->word,
                                       .words = options->words,
                                       .option = w->option}};
    for (size_t i = 0; (option = ig_option_at(i)) != NULL; i++) {
        if (!is_kept(option))
            continue;
        if (is_encoder(option) && !options->encoder.encoder &&
            options->session_encoder) {
            put(w, option, options->session_encoder);
        } else if (option->take) {
            put_taken(w, option, options);
        } else if (ig_setting_said(&option->field, options) &&
                   w->opened.options < IG_SESSION_OPTIONS) {
            char *room = w->value[w->opened.options];

            put(w, option, ig_setting_format(&option->field, options, room));
        }
    }
}
