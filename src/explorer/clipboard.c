/* Copying by OSC 52. */
#include "explorer/clipboard.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/memory.h"
#include "core/text.h"

enum { NOTE_COLS = 48 /* columns of the copied text in the note */ };

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

char *ig_clipboard_sequence(const char *text)
{
    static const char open[] = "\x1b]52;c;", close[] = "\a";
    size_t length = strlen(text), coded = (length + 2) / 3 * 4;
    char *out = ig_alloc(sizeof open + coded + sizeof close, 1);

    if (!out)
        return NULL;
    memcpy(out, open, sizeof open - 1);
    ig_text_base64(text, length, out + sizeof open - 1);
    memcpy(out + sizeof open - 1 + coded, close, sizeof close);
    return out;
}

bool ig_clipboard_send(const char *text)
{
    char *sequence = ig_clipboard_sequence(text);
    size_t length = sequence ? strlen(sequence) : 0, sent = 0;

    while (sent < length) {
        ssize_t n = write(STDOUT_FILENO, sequence + sent, length - sent);

        if (n > 0)
            sent += (size_t)n;
        else if (n == 0 || errno != EINTR)
            break;
    }
    ig_free(sequence);
    return length > 0 && sent == length;
}

/* --- copying ---------------------------------------------------------------------- */

void ig_copy(ig_app *app)
{
    const ig_dataset *set = app->set;
    uint32_t row = ig_app_row(app);
    bool text = set->has_text && set->text[row][0];
    bool id = set->has_ids && set->id[row] != IG_NO_ID;
    char *copied;

    if (!app->can_copy) {
        ig_app_note(app, true, "this terminal has no clipboard to copy to");
    } else if (!text && !id) {
        ig_app_note(app, true, "row %u has no text and no id to copy", row);
    } else if (!(copied = ig_clipboard_text(text ? set->text[row]
                                                 : set->id_name[set->id[row]]))) {
        ig_app_note(app, true, "out of memory for the copied text");
    } else if (strlen(copied) > IG_CLIPBOARD_MAX) {
        ig_app_note(app, true, "row %u is too long for a clipboard", row);
        ig_free(copied);
    } else {
        ig_free(app->copied);
        app->copied = copied;
        app->result = IG_APP_COPY;
    }
}

void ig_copy_done(ig_app *app, bool sent)
{
    size_t length = strlen(app->copied);
    size_t fits = ig_text_fit(app->copied, length, NOTE_COLS, NULL);

    if (!sent)
        ig_app_note(app, true, "copy failed: the terminal refused the clipboard write");
    else
        ig_app_note(app, false, "copied%s: %.*s%s",
                    getenv("TMUX") ? " (if tmux has set-clipboard on)" : "", (int)fits,
                    app->copied, fits < length ? "…" : "");
}
