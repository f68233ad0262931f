/* What the parts of eval's text share. */
#include <string.h>

#include "base/text.h"
#include "cli/eval_print.h"
#include "cli/output.h"

ig_eval_column *ig_eval_columns(const ig_evaluated *e, size_t *count)
{
    ig_eval_column *out = ig_alloc(1 + 2 * e->runs, sizeof *out);
    size_t n = 0;

    *count = 0;
    if (!out)
        return NULL;
    out[n++] = (ig_eval_column){&e->original, IG_SPACE_ORIGINAL, 0, "original"};
    for (size_t i = 0; i < e->runs; i++)
        for (int s = IG_SPACE_MEANING; s < IG_SPACES; s++) {
            const ig_evaluation *space = ig_evaluated_space(e, i, (ig_space)s);
            const char *name = ig_space_name((ig_space)s);

            if (!space)
                continue;
            out[n] = (ig_eval_column){space, (ig_space)s, i, ""};
            if (e->runs > 1)
                snprintf(out[n].name, sizeof out[n].name, "%s of run %zu", name, i + 1);
            else
                snprintf(out[n].name, sizeof out[n].name, "%s", name);
            n++;
        }
    *count = n;
    return out;
}

void ig_eval_put_lines(FILE *out, const char *label, const char *text, size_t columns)
{
    size_t at = IG_EVAL_LABEL;

    ig_put_text(out, label, IG_EVAL_LABEL, true);
    while (*text) {
        size_t length = strcspn(text, " ");
        char *word = ig_strdup(text);
        size_t width;

        if (!word)
            return;
        word[length] = '\0';
        width = ig_text_width(word, length);
        if (at > IG_EVAL_LABEL && at + 1 + width > columns) {
            fprintf(out, "\n%*s", IG_EVAL_LABEL, "");
            at = IG_EVAL_LABEL;
        } else if (at > IG_EVAL_LABEL) {
            fputc(' ', out);
            at++;
        }
        ig_put_text(out, word, SIZE_MAX, false);
        at += width;
        ig_free(word);
        text += length;
        text += strspn(text, " ");
    }
    fputc('\n', out);
}
