/* Copying the current sentence. */
#include "explorer/clipboard.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/text.h"

enum {
    MAX_BYTES = 70000, /* many terminals take no more */
    NOTE_COLS = 48     /* columns of the copied text in the note */
};

char *ig_clipboard_text(const char *text)
{
    size_t length = strlen(text), used = 0;
    /* A symbol takes up to three bytes in place of one. */
    char *out = ig_alloc(3 * length + 1, 1);

    for (size_t at = 0; out && at < length;) {
        size_t n;
        int32_t c = ig_text_decode(text + at, length - at, &n);

        if (ig_text_is_control(c)) {
            ig_grapheme g = ig_text_grapheme(text + at, length - at);

            memcpy(out + used, g.bytes, g.length);
            used += g.length;
            at += g.source;
        } else {
            memcpy(out + used, text + at, n);
            used += n;
            at += n;
        }
    }
    return out;
}

/* --- copying ---------------------------------------------------------------------- */

void ig_copy(ig_app *app)
{
    const ig_dataset *set = app->set;
    uint32_t row = ig_app_row(app);
    bool text = set->has_text && set->text[row][0];
    bool id = set->has_ids && set->id[row] != IG_NO_ID;
    size_t length, fits;
    char *copied;

    if (!app->can_copy) {
        ig_app_note(app, true, "this terminal has no clipboard to copy to");
    } else if (!text && !id) {
        ig_app_note(app, true, "row %u has no text and no id to copy", row);
    } else if (!(copied = ig_clipboard_text(text ? set->text[row]
                                                 : set->id_name[set->id[row]]))) {
        ig_app_note(app, true, "out of memory for the copied text");
    } else if (strlen(copied) > MAX_BYTES) {
        ig_app_note(app, true, "row %u is too long for a clipboard", row);
        ig_free(copied);
    } else {
        ig_free(app->copied);
        app->copied = copied;
        app->result = IG_APP_COPY;
        length = strlen(copied);
        fits = ig_text_fit(copied, length, NOTE_COLS, NULL);
        ig_app_note(app, false, "copied%s: %.*s%s",
                    getenv("TMUX") ? " (if tmux has set-clipboard on)" : "", (int)fits,
                    copied, fits < length ? "…" : "");
    }
}
