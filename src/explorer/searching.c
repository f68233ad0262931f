/* Searching in the texts. One pass finds the matches of a text; cursor, list and map
 * use the same. */
#include "explorer/searching.h"

#include <stdio.h>
#include <string.h>

#include "core/array.h"
#include "core/memory.h"
#include "data/pairs.h"
#include "explorer/prompt.h"
#include "measure/searcher.h"
#include "view/axes.h"

/* The first row of every id with a text in the chosen language. */
struct gloss {
    bool on, chosen;
    uint16_t language;
    uint32_t *row; /* (ids) its row in the language; IG_NO_ROW; NULL: not made */
};

struct ig_search {
    struct gloss gloss;
    char last[IG_PROMPT_SIZE]; /* the last search, by Enter or a command */
    uint32_t origin;           /* the cursor's row before a search */
    bool shown;                /* the matches of `last` are */
    bool waiting; /* for the index of the texts, to search what was typed */

    /* The matches of the text `sought`, folded in `query`. */
    char sought[IG_PROMPT_SIZE];
    ig_textquery query;
    uint32_t *row; /* (matches of rows of the set) */
    size_t matches;
    unsigned long serial; /* 0: no search yet */

    /* The focus and the side panel before the search. */
    const ig_panel *focus, *side;
};

struct ig_search *ig_search_new(void)
{
    return ig_alloc(1, sizeof(struct ig_search));
}

void ig_search_delete(struct ig_search *search)
{
    if (!search)
        return;
    ig_textquery_free(&search->query);
    IG_FREE(search->row, search->gloss.row, search);
}

void ig_search_want_texts(ig_app *app, bool notes)
{
    bool failed = *app->now->result[IG_PRODUCT_TEXTS].failure; /* it is tried again */

    if (notes)
        ig_app_note(
            app, failed, "%s",
            ig_session_waits(app->now, IG_PRODUCT_TEXTS, "indexing the texts …"));
    if ((app->view->asks & IG_ASKS_TEXTS) && !failed)
        return;
    app->view->asks |= IG_ASKS_TEXTS;
}

/* --- the matches ------------------------------------------------------------------ */

/* Find the rows that contain a text; false: out of memory. */
static bool collect_matches(ig_app *app, const ig_textsearch *texts, const char *text)
{
    struct ig_search *s = app->search;
    ig_textquery query;

    if (s->sought[0] && strcmp(s->sought, text) == 0)
        return true;
    if (!s->row)
        s->row = ig_alloc(app->set->rows, sizeof *s->row);
    if (!s->row || ig_textquery_init(&query, text, NULL) != IG_OK) {
        ig_app_note(app, true, "not enough memory to search");
        return false;
    }
    s->matches = 0;
    for (uint32_t i = 0; i < app->set->rows; i++)
        if (ig_textsearch_matches(texts, &query, i))
            s->row[s->matches++] = i;
    ig_textquery_free(&s->query);
    snprintf(s->sought, sizeof s->sought, "%s", text);
    s->query = query;
    s->query.typed = s->sought;
    s->serial++;
    return true;
}

/* How many matches are rows below `row`. */
static size_t matches_below(const struct ig_search *s, uint32_t row)
{
    return ig_array_find(s->row, s->matches, row);
}

/* "12 matches", or "match 3 of 12" for a place from 1. */
static void report_matches(ig_app *app, size_t place)
{
    size_t n = app->search->matches;
    char count[IG_NUMBER_SIZE], which[IG_NUMBER_SIZE];

    ig_count_format(count, n);
    if (place)
        ig_app_note(app, false, "match %s of %s", ig_count_format(which, place), count);
    else if (n)
        ig_app_note(app, false, "%s match%s", count, n == 1 ? "" : "es");
    else
        ig_app_note(app, true, "no match");
}

/* Search, and go to the match from `from` on. `again`: report which match it is, else
 * how many there are. False: none, the cursor stays. */
static bool find_match(ig_app *app, const char *text, uint32_t from, bool backward,
                       bool again)
{
    const ig_textsearch *texts = ig_session_texts(app->session);
    struct ig_search *s = app->search;
    size_t match;

    if (!app->set->has_text) {
        ig_app_note(app, true, "the dataset has no texts to search");
        return false;
    }
    s->waiting = !texts;
    if (!texts)
        ig_search_want_texts(app, true);
    if (!texts || !text[0] || !collect_matches(app, texts, text))
        return false;
    if (s->matches) {
        match = backward ? matches_below(s, from) + s->matches - 1
                         : matches_below(s, from + 1); /* before the first row: 0 */
        match %= s->matches;
        report_matches(app, again ? match + 1 : 0);
        ig_app_go(app, s->row[match]);
    } else {
        report_matches(app, 0);
    }
    return s->matches;
}

ig_matches ig_search_matches(const ig_app *app)
{
    const struct ig_search *s = app->search;
    const char *text = ig_search_text(app);

    /* Without an index the typed text has no matches yet. */
    if (!text || strcmp(text, s->sought) != 0)
        return (ig_matches){0};
    return (ig_matches){s->serial, s->matches, s->row};
}

bool ig_search_find(const ig_app *app, const char *text, size_t *start, size_t *length)
{
    return ig_search_matches(app).serial &&
           ig_textquery_find(&app->search->query, text, start, length);
}

/* --- the list of matches ---------------------------------------------------------- */

static const ig_panel *list_panel(const ig_app *app)
{
    return ig_app_panel_named(app, "rows");
}

/* Restore focus and side panel; `keep`: the list stays if there is room. */
static void restore_panels(ig_app *app, bool keep)
{
    struct ig_search *s = app->search;
    const ig_panel *first = ig_app_first(app, s->focus->role);

    if (app->place[IG_ROLE_SIDE] != list_panel(app))
        return; /* it was never shown */
    if (!keep || s->focus->role != IG_ROLE_SIDE)
        app->focus = s->focus;
    if (!keep || (s->focus != first && s->focus->role != IG_ROLE_SIDE))
        app->place[IG_ROLE_SIDE] = s->side;
}

/* --- typing ----------------------------------------------------------------------- */

/* As you type: from where the search began, that row included. */
static void search_typed(ig_app *app, const char *text)
{
    uint32_t origin = app->search->origin;

    app->note[0] = '\0';
    if (!find_match(app, text, origin - 1, false, false))
        ig_app_go(app, origin);
    if (!*text || !app->set->has_text) {
        restore_panels(app, false);
        return;
    }
    app->place[IG_ROLE_SIDE] = list_panel(app);
    if (app->search->focus->role == IG_ROLE_SIDE ||
        (app->layout.alone && !app->expanded))
        app->focus = list_panel(app);
}

static void cancel_search(ig_app *app)
{
    ig_app_go(app, app->search->origin);
    app->search->waiting = false;
    restore_panels(app, false);
}

static bool finish_search(ig_app *app, const char *text)
{
    struct ig_search *s = app->search;

    s->shown = *text;
    if (*text)
        snprintf(s->last, sizeof s->last, "%s", text);
    if (*text && app->set->has_text && !s->waiting && ig_search_matches(app).count == 0)
        ig_app_note(app, true, "no match");
    restore_panels(app, ig_search_matches(app).count > 0);
    ig_app_came(app, s->origin);
    return true;
}

static void move_match(ig_app *app, ig_action action)
{
    const struct ig_search *s = app->search;
    ig_matches m = ig_search_matches(app);
    ig_list_cursor cursor = {.line = matches_below(s, app->cursor),
                             .rect = {0, 0, 1, 1}};

    if (m.count == 0 || !ig_list_cursor_act(&cursor, action, m.count))
        return;
    ig_app_go(app, m.row[cursor.line]);
    report_matches(app, cursor.line + 1);
}

/* Up and Down walk through the matches; before anything is typed, Up brings the last
 * search. */
static bool take_prompt_key(ig_app *app, ig_action action, ig_key key)
{
    action = key.code == IG_KEY_UP          ? IG_ACT_UP
             : key.code == IG_KEY_DOWN      ? IG_ACT_DOWN
             : key.code == IG_KEY_PAGE_UP   ? IG_ACT_PAGE_UP
             : key.code == IG_KEY_PAGE_DOWN ? IG_ACT_PAGE_DOWN
                                            : IG_ACT_NONE;

    if (action == IG_ACT_UP && !app->prompt.text[0]) {
        ig_prompt_set(app, app->search->last);
        search_typed(app, app->prompt.text);
    } else if (action) {
        move_match(app, action);
    }
    return action != IG_ACT_NONE;
}

static const ig_overlay prompt = {.sign = "/",
                                  .typed = search_typed,
                                  .key = take_prompt_key,
                                  .cancel = cancel_search,
                                  .finish = finish_search};

void ig_search_open(ig_app *app)
{
    struct ig_search *s = app->search;

    ig_search_leave(app);
    s->origin = app->cursor;
    s->waiting = false;
    s->focus = app->focus;
    s->side = app->place[IG_ROLE_SIDE];
    ig_prompt_open(app, &prompt, "");
    ig_search_want_texts(app, false);
}

/* --- from match to match ---------------------------------------------------------- */

void ig_search_report(ig_app *app)
{
    report_matches(app, matches_below(app->search, app->cursor) + 1);
}

const char *ig_search_text(const ig_app *app)
{
    if (app->overlay == &prompt)
        return app->prompt.text[0] ? app->prompt.text : NULL;
    return app->search->shown ? app->search->last : NULL;
}

bool ig_search_leave(ig_app *app)
{
    struct ig_search *s = app->search;
    bool shown = s->shown;

    s->shown = false;
    if (!shown || !s->side || s->side == list_panel(app) ||
        app->place[IG_ROLE_SIDE] != list_panel(app))
        return shown;
    app->place[IG_ROLE_SIDE] = s->side;
    if (app->focus == list_panel(app))
        ig_app_focus(app, app->panel[0]);
    return shown;
}

void ig_search_update(ig_app *app)
{
    const char *text = app->overlay == &prompt ? app->prompt.text : app->search->last;

    if (!app->search->waiting || !*text || !ig_session_texts(app->session))
        return;
    if (app->overlay == &prompt)
        search_typed(app, text);
    else
        ig_search_again(app, 1);
}

void ig_search_for(ig_app *app, const char *text)
{
    snprintf(app->search->last, sizeof app->search->last, "%s", text);
    ig_search_again(app, 1);
}

void ig_search_again(ig_app *app, int step)
{
    uint32_t before = app->cursor;

    if (!app->search->last[0])
        ig_app_note(app, false, "no search yet: press / to search");
    else
        app->search->shown =
            find_match(app, app->search->last, before, step < 0, true) ||
            app->search->waiting;
    ig_app_came(app, before);
}

/* --- glosses ---------------------------------------------------------------------- */

/* Find the rows of a language; false: memory is short. */
static bool find_gloss_rows(struct gloss *g, const ig_dataset *set)
{
    if (!g->row)
        g->row = ig_alloc(set->ids, sizeof *g->row);
    if (!g->row)
        return false;
    for (size_t i = 0; i < set->ids; i++)
        g->row[i] = IG_NO_ROW;
    for (size_t i = set->rows; i-- > 0;)
        if (set->lang[i] == g->language && set->id[i] != IG_NO_ID && set->text[i][0])
            g->row[set->id[i]] = (uint32_t)i;
    return true;
}

static void choose_gloss(ig_app *app, uint16_t language)
{
    struct gloss *g = &app->search->gloss;
    const char *why = !app->set->has_text  ? "the dataset has no texts"
                      : !app->set->has_ids ? "no ids: translations unknown"
                                           : NULL;

    g->language = language;
    g->on = g->chosen = !why && find_gloss_rows(g, app->set);
    if (g->on)
        ig_app_note(app, false,
                    "showing translations in %.24s (:gloss off, :gloss LANG)",
                    app->set->language[language]);
    else
        ig_app_note(app, true, "%s", why ? why : "out of memory for glosses");
}

void ig_gloss_toggle(ig_app *app)
{
    struct gloss *g = &app->search->gloss;
    int english = ig_dataset_language(app->set, "en");

    if (g->on) {
        g->on = false;
        ig_app_note(app, false, "showing the original texts");
        return;
    }
    if (english < 0)
        english = ig_dataset_language(app->set, "eng_Latn");
    choose_gloss(app, g->chosen ? g->language : english < 0 ? 0 : (uint16_t)english);
}

void ig_gloss_command(ig_app *app, const char *language)
{
    int found = ig_dataset_language(app->set, language);
    bool off = strcmp(language, "off") == 0;

    if (found >= 0)
        choose_gloss(app, (uint16_t)found);
    else if (!*language || (off && app->search->gloss.on))
        ig_gloss_toggle(app);
    else if (!off)
        ig_app_note(app, true, "unknown language '%.24s'", language);
}

const char *ig_gloss_language(const ig_app *app)
{
    return app->search->gloss.on ? app->set->language[app->search->gloss.language]
                                 : NULL;
}

/* The row of the language of glosses with the id of a row, or IG_NO_ROW. */
static uint32_t gloss_of(const struct gloss *g, const ig_dataset *set, uint32_t row)
{
    return !g->row || set->lang[row] == g->language || set->id[row] == IG_NO_ID
               ? IG_NO_ROW
               : g->row[set->id[row]];
}

uint32_t ig_gloss_row(const ig_app *app, uint32_t row)
{
    const struct gloss *g = &app->search->gloss;

    return g->on ? gloss_of(g, app->set, row) : IG_NO_ROW;
}

uint32_t ig_gloss_reading(const ig_app *app, uint32_t row)
{
    struct gloss *g = &app->search->gloss;
    uint32_t gloss;

    if (!app->set->has_ids)
        return row;
    if (!g->row) {
        g->language = (uint16_t)ig_pairs_pivot(app->set);
        find_gloss_rows(g, app->set);
    }
    gloss = gloss_of(g, app->set, row);
    return gloss == IG_NO_ROW ? row : gloss;
}

const char *ig_gloss_text(const ig_app *app, uint32_t row, char out[IG_ROW_TEXT_SIZE])
{
    uint32_t gloss = ig_gloss_row(app, row);

    return ig_row_text(app->set, gloss == IG_NO_ROW ? row : gloss, out);
}

const char *ig_gloss_title(const ig_app *app, char out[32])
{
    const char *code = ig_gloss_language(app);

    out[0] = '\0';
    if (code)
        snprintf(out, 32, ", in %.20s", code);
    return out;
}
