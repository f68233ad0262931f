/* y: the sentence that is looked at, to the terminal's clipboard. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "tui/app.h"
#include "tui/clipboard.h"

enum { TOLD = 48 /* columns of it that the note shows */ };

/* The row of the selected line of a list, else the cursor's. */
static uint32_t row_of(const ig_app *app)
{
    const ig_sentences *s = &app->sentences;
    uint32_t row = app->cursor;

    if (app->settings.focus == IG_PANEL_NEIGHBOURS)
        row = ig_near_selected(app);
    else if (app->settings.focus == IG_PANEL_SENTENCES && s->at < s->count)
        row = s->item[s->at].row;
    return row < app->set->rows ? row : app->cursor;
}

ig_app_request ig_copy(ig_app *app)
{
    const ig_set *set = app->set;
    uint32_t row = row_of(app);
    bool text = set->has_text && set->text[row][0];
    bool id = set->has_ids && set->id[row] != IG_NO_ID;
    char *copied;

    if (!app->can_copy) {
        ig_app_note(app, true, "this terminal has no clipboard to copy to");
    } else if (!text && !id) {
        ig_app_note(app, true, "row %u has no text and no id to copy", row);
    } else if (!(copied = ig_clipboard_text(text ? set->text[row]
                                                 : set->id_name[set->id[row]]))) {
        ig_app_note(app, true, "out of memory for what is copied");
    } else if (strlen(copied) > IG_CLIPBOARD_MOST) {
        ig_app_note(app, true, "row %u is too long for a clipboard", row);
        ig_free(copied);
    } else {
        ig_free(app->copied);
        app->copied = copied;
        return IG_APP_COPY;
    }
    return IG_APP_NOTHING;
}

void ig_copy_done(ig_app *app, bool sent)
{
    size_t length = strlen(app->copied);
    size_t fits = ig_text_fit(app->copied, length, TOLD, NULL);

    if (!sent)
        ig_app_note(app, true, "the terminal did not take it");
    else
        ig_app_note(app, false, "copied%s: %.*s%s",
                    getenv("TMUX") ? " (if tmux has set-clipboard on)" : "", (int)fits,
                    app->copied, fits < length ? "…" : "");
}
