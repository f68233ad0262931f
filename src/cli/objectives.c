/* isogloss objectives: lists the presets, or prints one objective. */
#include <string.h>

#include "cli/options.h"
#include "cli/output.h"
#include "train/objective.h"

static json_t *objective_json(const ig_objective *objective)
{
    json_t *terms = json_array();
    const char *text = objective->text; /* may begin with a comment */
    char comment[256];

    snprintf(comment, sizeof comment, "%.*s",
             *text == '#' ? (int)strcspn(text, "\n") : 0, text);
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
                     "comment", ig_json_string(comment + strspn(comment, "# ")));
}

static ig_status list_presets(bool json, ig_error *error)
{
    size_t columns = ig_terminal_columns(stdout, SIZE_MAX), i;
    json_t *list = json_array(), *one;
    ig_objective objective;
    ig_status status = IG_OK;

    for (i = 0; ig_presets[i].name && status == IG_OK; i++) {
        status = ig_objective_load(&objective, ig_presets[i].name, error);
        if (status == IG_OK)
            list = ig_json_append(list, objective_json(&objective));
        ig_objective_free(&objective);
    }
    if (status == IG_OK && (json || !list))
        return ig_json_print(json_pack("{s:o}", "objectives", list), error);
    json_array_foreach (list, i, one) {
        printf("%-18s  %-13s  ", json_string_value(json_object_get(one, "name")),
               json_string_value(json_object_get(one, "extractor")));
        ig_text_wrap(stdout, json_string_value(json_object_get(one, "comment")), 35,
                     columns, ig_locale_utf8());
    }
    json_decref(list);
    return status;
}

ig_status ig_objectives_command(const ig_options *options, ig_error *error)
{
    ig_objective objective;
    ig_status status;

    if (options->words == 0)
        return list_presets(options->json, error);
    status = ig_objective_load(&objective, options->word[0], error);
    if (status == IG_OK && options->json)
        status = ig_json_print(ig_json_set(objective_json(&objective), "text",
                                           ig_json_string(objective.text)),
                               error);
    else if (status == IG_OK)
        fputs(objective.text, stdout);
    ig_objective_free(&objective);
    return status;
}
