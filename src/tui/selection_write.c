/* The selected rows as a table. */
#include <math.h>
#include <stdio.h>

#include "base/file.h"
#include "tui/app.h"

static void put_row(FILE *file, const ig_app *app, size_t i, char between)
{
    const ig_set *set = app->set;
    const float *value = ig_colouring_values(app);

    fprintf(file, "%zu%c", i, between);
    if (set->has_ids && set->id[i] != IG_NO_ID)
        ig_field_put(file, set->id_name[set->id[i]], between);
    putc(between, file);
    ig_field_put(file, set->language[set->lang[i]], between);
    putc(between, file);
    ig_field_put(file, set->text[i], between);
    for (size_t j = 0; j < set->labels; j++) {
        putc(between, file);
        ig_field_put(file, set->label[j].category[set->label[j].value[i]], between);
    }
    if (value)
        putc(between, file);
    if (value && isfinite(value[i]))
        fprintf(file, "%.7g", (double)value[i]);
    putc('\n', file);
}

bool ig_selection_writes(const ig_app *app, const char *path)
{
    bool other = app->settings.focus == IG_PANEL_LEAKAGE ||
                 (app->settings.focus == IG_PANEL_SENTENCES &&
                  app->sentences.item != app->selection.listed);

    return app->selection.count && !other &&
           (ig_path_ends(path, ".csv") || ig_path_ends(path, ".tsv"));
}

ig_status ig_selection_write(const ig_app *app, const char *path, ig_error *error)
{
    const ig_set *set = app->set;
    char between = ig_path_ends(path, ".tsv") ? '\t' : ',';
    ig_writer writer = {0};
    ig_status status = ig_writer_open(&writer, path, error);

    if (status != IG_OK)
        return status;
    fprintf(writer.file, "row%cid%clang%ctext", between, between, between);
    for (size_t j = 0; j < set->labels; j++) {
        putc(between, writer.file);
        ig_field_put(writer.file, set->label[j].name, between);
    }
    if (ig_colouring_values(app))
        fprintf(writer.file, "%c%s", between,
                ig_colouring_name(app, app->colours.choice));
    putc('\n', writer.file);
    for (size_t i = 0; i < set->rows; i++)
        if (app->selection.row[i])
            put_row(writer.file, app, i, between);
    return ig_writer_commit(&writer, error);
}
