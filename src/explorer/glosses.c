/* Glosses: which row stands for another. */
#include "explorer/glosses.h"

void ig_gloss_show(ig_app *app, size_t language)
{
    const ig_dataset *set = app->set;
    bool can = set->has_text && set->has_ids;
    uint32_t *row = can ? ig_alloc(set->ids, sizeof *row) : NULL;

    if (!row) {
        ig_app_note(app, true, "%s",
                    !set->has_text  ? "the dataset has no texts"
                    : !set->has_ids ? "no ids: translations unknown"
                                    : "out of memory for glosses");
        return;
    }
    for (size_t i = 0; i < set->ids; i++)
        row[i] = IG_NO_ROW;
    for (size_t i = set->rows; i-- > 0;)
        if (set->lang[i] == language && set->id[i] != IG_NO_ID && set->text[i][0])
            row[set->id[i]] = (uint32_t)i;
    ig_free(app->gloss.row);
    app->gloss.row = row;
    app->gloss.language = language;
    ig_app_note(app, false, "showing translations in %.24s (r: off, :gloss LANG)",
                set->language[language]);
}

void ig_gloss_toggle(ig_app *app)
{
    if (!app->gloss.row) {
        ig_gloss_show(app, app->gloss.language);
        return;
    }
    ig_free(app->gloss.row);
    app->gloss.row = NULL;
    ig_app_note(app, false, "showing the original texts");
}

uint32_t ig_gloss_row(const ig_app *app, uint32_t row)
{
    const ig_dataset *set = app->set;

    return !app->gloss.row || set->lang[row] == app->gloss.language ||
                   set->id[row] == IG_NO_ID
               ? IG_NO_ROW
               : app->gloss.row[set->id[row]];
}

const char *ig_gloss_text(const ig_app *app, uint32_t row, char out[IG_ROW_TEXT_SIZE])
{
    uint32_t gloss = ig_gloss_row(app, row);

    return ig_row_text(app->set, gloss == IG_NO_ROW ? row : gloss, out);
}
