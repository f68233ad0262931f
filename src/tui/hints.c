/* The line of hints. */
#include "tui/hints.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "tui/hotspots.h"

enum {
    GAP = 2,  /* columns between two hints */
    OWN = 8,  /* rank of a panel's own hints */
    LAST = 90 /* ranks that must fit */
};

/* Whether a list of words between blanks has this one. */
static bool has_word(const char *list, const char *word)
{
    size_t n = strlen(word);

    while (list && *list) {
        size_t length = strcspn(list, " ");

        if (length == n && strncmp(list, word, n) == 0)
            return true;
        list += length;
        list += strspn(list, " ");
    }
    return false;
}

/* One more, unless the action is there by then. */
static void add(ig_hint *out, size_t *count, const ig_action_entry *entry,
                const char *brief, int rank)
{
    size_t i = *count;

    for (size_t k = 0; k < *count; k++)
        if (out[k].entry == entry)
            return;
    if (!entry || !brief || *count == IG_HINTS)
        return;
    while (i > 0 && out[i - 1].rank > rank) {
        out[i] = out[i - 1];
        i--;
    }
    out[i] = (ig_hint){entry, brief, rank};
    ++*count;
}

size_t ig_hints_collect(const ig_app *app, ig_hint out[IG_HINTS])
{
    const ig_panel_hint *own = app->focus->hints;
    size_t count = 0;

    for (; own && own->action; own++)
        add(out, &count, ig_keymap_named(app->action, own->action),
            own->word ? own->word(app) : own->brief, own->rank ? own->rank : OWN);
    for (const ig_action_entry *b = app->action; b->name; b++)
        if (!b->panels || has_word(b->panels, app->focus->name))
            add(out, &count, b, b->word ? b->word(app) : b->brief, b->rank);
    return count;
}

/* The first of an action's keys: "Space", and the key itself. False: it has none. */
static bool first_key(const ig_app *app, const ig_action_entry *entry,
                      char out[IG_KEY_NAME_SIZE], ig_key *key)
{
    char keys[64];

    ig_keymap_keys(app->remap, entry, keys, sizeof keys);
    keys[strcspn(keys, " ")] = '\0';
    snprintf(out, IG_KEY_NAME_SIZE, "%.*s", IG_KEY_NAME_SIZE - 1, keys);
    return ig_key_parse(key, out);
}

static int width_of(const char *key, const char *brief)
{
    return (int)(ig_text_width(key, strlen(key)) +
                 ig_text_width(brief, strlen(brief))) +
           1;
}

/* "Space train"; the columns used. */
static int draw_one(ig_app *app, ig_rect at, const char *name, const char *brief)
{
    int used = ig_canvas_text(&app->canvas, at.row, at.col, at.cols, name,
                              ig_style_of(IG_COLOUR_ACCENT, IG_BOLD));

    used++;
    return used + ig_canvas_text(&app->canvas, at.row, at.col + used, at.cols - used,
                                 brief, ig_style_of(IG_COLOUR_DIM, 0));
}

/* Draw what fits of the hints, or count its columns; returns the columns used. */
static int draw_some(ig_app *app, ig_rect at, const ig_hint *hint, size_t count,
                     bool last, bool drawn)
{
    int used = 0;

    for (size_t i = 0; i < count; i++) {
        char name[IG_KEY_NAME_SIZE];
        ig_rect rect = ig_rect_inset(at, 0, 0, 0, used);
        ig_key key;
        int width;

        if ((hint[i].rank >= LAST) != last ||
            !first_key(app, hint[i].entry, name, &key))
            continue;
        width = width_of(name, hint[i].brief);
        if (used + width > at.cols)
            continue;
        rect.cols = width;
        if (drawn) {
            draw_one(app, rect, name, hint[i].brief);
            ig_hotspot_key(app, rect, key);
        }
        used += width + GAP;
    }
    return used;
}

void ig_hints_draw(ig_app *app, ig_rect at)
{
    ig_hint hint[IG_HINTS];
    size_t count = ig_hints_collect(app, hint);
    int last, used;

    at = ig_rect_inset(at, 0, 0, 0, 1);
    last = draw_some(app, at, hint, count, true, false);
    used = draw_some(app, ig_rect_inset(at, 0, last, 0, 0), hint, count, false, true);
    draw_some(app, ig_rect_inset(at, 0, 0, 0, used), hint, count, true, true);
}

int ig_hints_draw_keys(ig_app *app, ig_rect at, const char *keys)
{
    int used = 0;

    while (*keys) {
        size_t length = strcspn(keys, "|"), first;
        char item[96], name[IG_KEY_NAME_SIZE];
        ig_key key;
        ig_rect rect = ig_rect_inset(at, 0, 0, 0, used);

        snprintf(item, sizeof item, "%.*s", (int)length, keys);
        keys += length + (keys[length] == '|');
        rect.cols = (int)ig_text_width(item, strlen(item));
        if (used + rect.cols > at.cols && used > 0)
            break;
        first = strcspn(item, " ");
        snprintf(name, sizeof name, "%.*s", (int)first, item);
        if (item[first] && ig_key_parse(&key, name)) {
            draw_one(app, rect, name, item + first + 1);
            ig_hotspot_key(app, rect, key);
        } else {
            ig_canvas_text(&app->canvas, rect.row, rect.col, rect.cols, item,
                           ig_style_of(IG_COLOUR_TEXT, 0));
        }
        used += rect.cols + GAP;
    }
    return used;
}
