/* Runs in a document: properties, and command lines that reproduce them. */
#include "report/document.h"

#include <stdlib.h>
#include <string.h>

#include "train/run.h"

/* Every option of a training under the name it has on the command line, and its
 * seed. */
static void put_options(ig_table *f, const ig_train_options *options)
{
    const ig_train_option *option;
    char value[IG_SETTING_SIZE];

    for (size_t i = 0; (option = ig_train_option_at(i)); i++)
        if (ig_setting_is_set(&option->field, options))
            ig_terms_add(f, option->field.name, "%s",
                         ig_setting_format(&option->field, options, value));
}

static void put_terms(ig_table *f, const ig_dataset *set, const ig_reported *of,
                      const ig_document_run *out)
{
    const ig_run_info *s = of->info;
    char note[IG_RUN_NOTES][IG_RUN_NOTE_SIZE];
    size_t notes = of->run ? ig_run_notes(of->run, note) : 0;

    ig_terms_add(f, "method", "%s", s->method);
    if (out->extractor)
        ig_terms_add(f, "extractor", "%s", ig_form_of(out->extractor->kind)->name);
    ig_terms_add(f, "run", "%s", of->run ? "trained in this session" : s->path);
    if (s->records > 1)
        ig_terms_add(f, "best epoch", "%zu of %zu%s%s%s", s->best, s->records - 1,
                     *s->ending ? " (" : "", s->ending, *s->ending ? ")" : "");
    if (of->applied || (!of->run && s->checksum))
        ig_terms_add(f, "trained on", "%s, checksum %016llx%s", s->data,
                     (unsigned long long)s->checksum,
                     s->checksum == set->checksum ? ", the same data" : "");
    if (of->run && of->run->changes.length)
        ig_terms_add(f, "note", "the objective was edited while it was trained");
    for (size_t i = 0; i < notes; i++)
        ig_terms_add(f, "note", "%s", note[i]);
    if (out->unknown && out->extractor)
        ig_terms_add(f, "note", "%zu of %zu languages were not in the run; %s",
                     out->unknown, set->languages,
                     ig_form_of(out->extractor->kind)->unknown);
    if (s->records == 0)
        return; /* weights without a run.json: nothing is known of their training */
    if (s->pairing)
        ig_terms_add(f, "pairing", "%s", s->pairing);
    put_options(f, &s->options);
}

/* "runs/a: seed, epoch 7, trained on b" */
static const char *origin_of(ig_document *d, const ig_reported *of)
{
    const ig_run_info *s = of->info;
    bool other = s->checksum && s->checksum != d->set->checksum;

    if (of->run)
        return ig_table_text_of(&d->terms, "%.200s%s, trained now: epoch %zu of %zu",
                                s->method, s->suffix, s->best, s->records - 1);
    return ig_table_text_of(&d->terms, "%.200s: %s%s, epoch %zu%s%s", s->path,
                            s->method, s->suffix, s->best, other ? ", trained on " : "",
                            other ? s->data : "");
}

void ig_command_word(ig_builder *line, const char *option, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=,@%+-";
    const char *quote = word && (!*word || word[strspn(word, plain)]) ? "'" : "";

    if (!word)
        return;
    ig_builder_add(line, "%s%s", option, quote);
    for (const char *c = word; *c; c++)
        ig_builder_add(line, *c == '\'' ? "'\\%c'" : "%c", *c);
    ig_builder_add(line, "%s", quote);
}

/* What trains it anew, every option said, where that is known and this set is what it
 * was trained on. */
static void put_command(ig_document *d, const ig_reported *of)
{
    const ig_run_info *s = of->info;
    ig_builder *line = &d->command;
    bool same = (of->run || s->checksum == d->set->checksum) && of->words;
    bool given = s->pairing && strcmp(s->pairing, "file") == 0;
    const char *method = of->run ? of->run->method : s->method;
    const ig_train_option *option;
    char out[32], objective[1024], value[IG_SETTING_SIZE];

    if (!s->checksum || !s->records)
        return;
    /* A custom objective is stored in the directory of the run. */
    snprintf(objective, sizeof objective, "%s/objective", of->run ? "" : s->path);
    if (!of->run && !ig_preset_find(s->method))
        method = objective;
    snprintf(out, sizeof out, "run-%zu", of->number);
    ig_builder_add(line, "%sisogloss train%s", line->length ? "\n" : "",
                   same ? "" : " DATA");
    for (size_t i = 0; i < of->words && same; i++)
        ig_command_word(line, " ", of->data[i]);
    ig_command_word(line, " --method ", method);
    for (size_t i = 0; (option = ig_train_option_at(i)); i++) {
        bool flag = option->field.kind == IG_KIND_FLAG;

        ig_setting_format(&option->field, &s->options, value);
        if (flag && strcmp(value, "yes") != 0)
            continue;
        ig_builder_add(line, " --%s", option->field.name);
        ig_command_word(line, " ", flag ? NULL : value);
    }
    ig_command_word(line, " --pairing ", given ? NULL : s->pairing);
    ig_command_word(line, " --init ", s->init);
    ig_command_word(line, " --out ", of->run ? out : s->path);
}

/* The languages of the set that the run was not trained on, or NULL: it was on all, or
 * that is not known. */
static const uint8_t *unseen_of(ig_document *d, const ig_run_info *s)
{
    const ig_dataset *set = d->set;
    uint8_t *out = ig_arena_array(&d->arena, set->languages ? set->languages : 1, 1);
    size_t unseen = 0;

    for (size_t k = 0; out && k < set->languages; k++) {
        out[k] = 1;
        for (size_t i = 0; i < s->trained.count; i++)
            if (strcmp(s->trained.text[i], set->language[k]) == 0)
                out[k] = 0;
        unseen += out[k];
    }
    return s->trained.count && unseen ? out : NULL;
}

/* All that trained a run but the seed: runs with one text are of one method. */
static const char *recipe_of(ig_document *d, const ig_run_info *s,
                             const char *objective)
{
    json_t *trained = ig_train_options_json(&s->options);
    char *options = json_dumps(trained, JSON_REAL_PRECISION(9));
    const char *out;

    json_decref(trained);
    out = ig_table_text_of(&d->terms, "%s\n%s\n%s\n%s\n%s\n%zu\n%llx", s->method,
                           objective, options ? options : "", s->init ? s->init : "",
                           s->pairing ? s->pairing : "", s->dims,
                           (unsigned long long)s->checksum);
    d->arena.failed |= !options;
    free(options);
    return out;
}

ig_status ig_document_add(ig_document *d, const ig_reported *of, ig_error *error)
{
    const ig_run_info *s = of->info;
    ig_document_run *out = &d->run[d->runs++];
    char *objective = of->run ? ig_run_objective(of->run) : NULL;

    out->unknown = of->applied ? of->unknown : s->unknown;
    out->title =
        ig_table_text_of(&d->terms, "%zu %.60s%s", of->number, s->method, s->suffix);
    out->name =
        ig_table_text_of(&d->terms, "%s%s", s->path ? s->path : s->method, s->suffix);
    out->info = s;
    out->origin = origin_of(d, of);
    out->extractor = of->applied ? of->applied : s->extractor;
    out->objective = objective ? ig_arena_text(&d->arena, objective, strlen(objective))
                               : s->objective;
    ig_free(objective);
    if (s->checksum && out->objective)
        out->recipe = recipe_of(d, s, out->objective);
    out->fitted = out->extractor && (out->extractor->kind == IG_IDENTITY ||
                                     ig_form_of(out->extractor->kind)->fit);
    out->unseen = unseen_of(d, s);
    put_terms(&out->terms, d->set, of, out);
    put_command(d, of);
    if (d->arena.failed || (of->run && !out->objective) || out->terms.arena.failed ||
        d->terms.arena.failed || d->command.failed)
        return ig_fail_memory(error, "the report");
    return IG_OK;
}
