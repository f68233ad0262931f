/* Runs in a document: what they are, and command lines that reproduce them. */
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "report/tables.h"

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

void ig_command_options(ig_builder *line, const char *method,
                        const ig_train_options *options, const char *pairing,
                        const char *init)
{
    const ig_train_option *option;
    char value[IG_SETTING_SIZE];

    ig_command_word(line, " --method ", method);
    for (size_t i = 0; (option = ig_train_option_at(i)); i++) {
        bool flag = option->field.kind == IG_KIND_FLAG;

        ig_setting_format(&option->field, options, value);
        if (!*value || (flag && strcmp(value, "yes") != 0))
            continue;
        ig_builder_add(line, " --%s", option->field.name);
        ig_command_word(line, " ", flag ? NULL : value);
    }
    if (pairing && strcmp(pairing, "file") != 0)
        ig_command_word(line, " --pairing ", pairing);
    ig_command_word(line, " --init ", init);
}

/* Append the command that trains a run anew, with every option, if it is known. */
static void add_command(ig_builder *line, const ig_document *d,
                        const ig_document_run *run)
{
    const ig_run_info *s = run->info;
    bool same = (run->run || s->checksum == d->set->checksum) && run->words;
    const char *method = run->run ? run->run->method : s->method;
    char out[32], objective[1024];

    if (!s->checksum || !s->records)
        return;
    /* A custom objective is stored in the directory of the run. */
    snprintf(objective, sizeof objective, "%s/objective", run->run ? "" : s->path);
    if (!run->run && !ig_preset_find(s->method))
        method = objective;
    snprintf(out, sizeof out, "run-%zu", run->number);
    ig_builder_add(line, "isogloss train%s", same ? "" : " DATA");
    for (size_t i = 0; i < run->words && same; i++)
        ig_command_word(line, " ", run->data[i]);
    ig_command_options(line, method, &s->options, s->pairing, s->init);
    ig_command_word(line, " --out ", run->run ? out : s->path);
}

void ig_document_run_add(ig_sections *out, const ig_document *d,
                         const ig_document_run *run)
{
    const ig_run_info *s = run->info;
    char note[IG_RUN_NOTES][IG_RUN_NOTE_SIZE];
    size_t notes = run->run ? ig_run_notes(run->run, note) : 0;
    ig_section *section = ig_sections_add(out, NULL);
    ig_table *list = &section->table;
    ig_builder code = {0};

    section->title = ig_table_text_of(list, "Run %s", run->title);
    section->folded = section->terms = true;
    if (run->extractor)
        ig_terms_add(list, "extractor", "%s", ig_form_of(run->extractor->kind)->name);
    if (s->checksum)
        ig_terms_add(list, "trained on", "%s, checksum %016llx%s", s->data,
                     (unsigned long long)s->checksum,
                     s->checksum == d->set->checksum ? ", the same data" : "");
    if (s->records > 1)
        ig_terms_add(list, "epochs", "%zu of at most %zu, best %zu: %s", s->records - 1,
                     s->options.epochs, s->best, s->ending);
    for (size_t i = 0; i < notes; i++)
        ig_terms_add(list, "note", "%s", note[i]);
    add_command(&code, d, run);
    if (code.length)
        section->code = ig_table_text_of(list, "%s", code.text);
    if (run->objective && *run->objective)
        ig_sections_add(out, NULL)->code = run->objective;
    out->arena.failed |= code.failed;
    ig_builder_free(&code);
}

/* --- comparisons ------------------------------------------------------------------ */

const char *const ig_training_name[] = {"init",     "lr",    "batch",   "epochs",
                                        "patience", "valid", "holdout", "split-seed",
                                        "pairing",  "ended"};

ig_training ig_training_of(const ig_run_info *info)
{
    bool closed = info->ending && strcmp(info->ending, "closed form") == 0;
    ig_training out = {0};

    snprintf(out.name, sizeof out.name, "%.60s", info->name);
    for (size_t k = 0; k < IG_TRAINING_VALUES; k++) {
        const ig_train_option *option = ig_train_option_named(ig_training_name[k]);
        const char *text = k ? info->pairing : info->init;

        if (option &&
            !(closed && strstr("lr epochs batch patience", option->field.name)))
            ig_setting_format(&option->field, &info->options, out.value[k]);
        else if (!option && k + 1 < IG_TRAINING_VALUES)
            snprintf(out.value[k], IG_SETTING_SIZE, "%s", text ? text : "none");
        else if (!option && info->ending)
            snprintf(out.value[k], IG_SETTING_SIZE, "%.*s",
                     (int)strcspn(info->ending, ";"), info->ending);
    }
    return out;
}

void ig_training_compare(char out[IG_UNLIKE_SIZE], const ig_training *t, size_t count)
{
    for (size_t k = 0; k < IG_TRAINING_VALUES; k++) {
        char list[IG_UNLIKE_SIZE / 4] = ",", item[200];
        const char *known = ""; /* where there is one */
        bool differ = false, improving = false;

        for (size_t i = 0; i < count; i++) {
            differ |= *known && *t[i].value[k] && strcmp(known, t[i].value[k]) != 0;
            known = *t[i].value[k] ? t[i].value[k] : known;
            improving |= strcmp(t[i].value[k], "still improving") == 0;
            snprintf(item, sizeof item, " %s %s,", t[i].name, t[i].value[k]);
            if (*t[i].value[k] && !strstr(list, item))
                ig_text_append(list, sizeof list, "%s", item);
        }
        list[strlen(list) - 1] = '\0';
        if (differ || improving)
            ig_text_append(out, IG_UNLIKE_SIZE, "; %s%s:%s",
                           differ && !strstr(out, "differ in") ? "runs differ in " : "",
                           ig_training_name[k], list + 1);
    }
}

/* --- adding ----------------------------------------------------------------------- */

/* All that trained a run but the seed: runs with one text are of one method. */
static const char *recipe_of(ig_document *d, const ig_document_run *run)
{
    const ig_run_info *s = run->info;
    json_t *trained = ig_train_options_json(&s->options);
    char *options = json_dumps(trained, JSON_REAL_PRECISION(9));
    const char *out = ig_table_text_of(
        &d->terms, "%s\n%s\n%s\n%s\n%s\n%zu\n%llx", s->method, run->objective,
        options ? options : "", s->init ? s->init : "", s->pairing ? s->pairing : "",
        s->dims, (unsigned long long)s->checksum);

    json_decref(trained);
    d->terms.arena.failed |= !options;
    free(options);
    return out;
}

ig_status ig_document_add(ig_document *d, const ig_document_run *added, ig_error *error)
{
    const ig_run_info *s = added->info;
    ig_document_run *run = &d->run[d->runs++];
    bool other = s->checksum && s->checksum != d->set->checksum;
    char *current = added->run ? ig_run_objective(added->run) : NULL;

    *run = *added;
    run->extractor = s->extractor;
    run->title = ig_table_text_of(&d->terms, "%zu %s", run->number, s->name);
    run->name =
        ig_table_text_of(&d->terms, "%s%s", s->path ? s->path : s->method, s->suffix);
    run->origin =
        run->run ? ig_table_text_of(&d->terms, "method %s, trained now: epoch %zu/%zu",
                                    s->name, s->best, s->records - 1)
                 : ig_table_text_of(&d->terms, "%.200s: method %s, epoch %zu%s%s",
                                    s->path, s->name, s->best,
                                    other ? ", trained on " : "", other ? s->data : "");
    run->objective = current ? ig_table_text_of(&d->terms, "%s", current)
                             : s->objective;
    if (s->checksum && run->objective)
        run->recipe = recipe_of(d, run);
    run->fitted = run->extractor && run->extractor->kind < IG_RANDOM;
    ig_free(current);
    return d->terms.arena.failed || (run->run && !current)
               ? ig_fail_memory(error, "the report")
               : IG_OK;
}
