/* isogloss objectives: lists the presets, or prints one objective. */
#include <string.h>

#include "cli/options.h"
#include "cli/output.h"
#include "train/objective.h"

static void copy_first_comment(const char *text, char *out, size_t size)
{
    size_t n;

    *out = '\0';
    if (*text != '#')
        return;
    text += 1 + strspn(text + 1, " ");
    n = strcspn(text, "\n");
    snprintf(out, size, "%.*s", (int)n, text);
}

static json_t *objective_json(const ig_objective *objective)
{
    json_t *terms = json_array();
    char comment[256];

    copy_first_comment(objective->text, comment, sizeof comment);
    for (size_t t = 0; t < objective->terms; t++) {
        json_t *term = json_pack("{s:o, s:f}", "name",
                                 ig_json_string(objective->term[t].name), "weight",
                                 objective->term[t].weight);

        if (objective->term[t].from)
            term = ig_json_set(term, "from", json_integer(objective->term[t].from));
        terms = ig_json_append(terms, term);
    }
    return json_pack("{s:o, s:s, s:o, s:o, s:o}", "name",
                     ig_json_string(objective->name), "extractor",
                     ig_form_of(objective->extractor)->name, "settings",
                     ig_train_options_json(&objective->settings), "terms", terms,
                     "comment", ig_json_string(comment));
}

static void put_line(const ig_objective *objective)
{
    static const char *const shown[] = {"lr", "patience"};
    char comment[256], terms[32] = "no terms", value[IG_SETTING_SIZE];

    copy_first_comment(objective->text, comment, sizeof comment);
    if (objective->terms)
        snprintf(terms, sizeof terms, "%zu term%s", objective->terms,
                 objective->terms == 1 ? "" : "s");
    printf("%-18s  %-13s  %-8s", objective->name,
           ig_form_of(objective->extractor)->name, terms);
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        const ig_setting *field = &ig_train_option_named(shown[i])->field;
        char text[64] = "";

        if (ig_setting_is_set(field, &objective->settings))
            snprintf(text, sizeof text, "%s %s", shown[i],
                     ig_setting_format(field, &objective->settings, value));
        printf("  %-11s", text);
    }
    printf("  %s\n", comment);
}

static int list_presets(bool json)
{
    json_t *list = json ? json_array() : NULL;

    for (size_t i = 0; ig_presets[i].name; i++) {
        ig_objective objective;
        ig_error error;

        if (ig_objective_load(&objective, ig_presets[i].name, &error) != IG_OK) {
            ig_complain("%s", error.message);
            json_decref(list);
            return IG_EXIT_FAILED;
        }
        if (json)
            list = ig_json_append(list, objective_json(&objective));
        else
            put_line(&objective);
        ig_objective_free(&objective);
    }
    return json ? ig_json_print(json_pack("{s:o}", "objectives", list)) : IG_EXIT_OK;
}

int ig_objectives_command(const ig_options *options)
{
    ig_objective objective;
    ig_error error;
    int code = IG_EXIT_OK;

    if (options->words == 0)
        return list_presets(options->json);
    if (ig_objective_load(&objective, options->word[0], &error) != IG_OK)
        return ig_fail_exit(&error);
    if (options->json)
        code = ig_json_print(ig_json_set(objective_json(&objective), "text",
                                         ig_json_string(objective.text)));
    else
        fputs(objective.text, stdout);
    ig_objective_free(&objective);
    return code;
}
