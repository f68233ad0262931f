/* Searching in the texts. The matches of a search are found in one pass, those of a
 * longer one among them; where the cursor goes, what is listed and what the map marks
 * all come from these. */
#include "tui/searching.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "draw/axes.h"
#include "tui/prompt.h"

struct ig_search {
    char last[IG_PROMPT_SIZE]; /* sought last, by Enter or a command */
    ig_prompt_history past;
    ig_accents accents;
    uint32_t origin; /* the cursor's row before a search */
    bool shown;      /* the matches of `last` are */
    bool waiting;    /* for the index of the texts, to search what was typed */

    /* The matches of `sought`, folded in `query`, among the first rows of the set. */
    char sought[IG_PROMPT_SIZE];
    ig_textquery query;
    size_t searched; /* so many rows: those whose texts were indexed then */
    uint32_t *row;   /* (matches of rows of the set) */
    size_t matches;
    unsigned long serial; /* 0: nothing was sought yet */

    /* What had the keys, and the side's place, before something was typed. */
    const ig_panel *focus, *side;
};

ig_status ig_search_new(ig_app *app, ig_error *error)
{
    app->search = ig_alloc(1, sizeof *app->search);
    if (!app->search)
        return ig_fail_memory(error, "the explorer");
    app->search->accents = IG_ACCENTS_TYPED;
    return IG_OK;
}

void ig_search_delete(struct ig_search *search)
{
    if (!search)
        return;
    ig_prompt_history_free(&search->past);
    ig_textquery_free(&search->query);
    ig_free(search->row);
    ig_free(search);
}

void ig_search_want_texts(ig_app *app)
{
    bool failed = *app->now->failure[IG_PRODUCT_TEXTS]; /* it is tried again */

    if ((app->request.asks & IG_ASKS_TEXTS) && !failed)
        return;
    app->request.asks |= IG_ASKS_TEXTS;
    ig_app_send(app);
}

void ig_search_await_texts(ig_app *app)
{
    bool failed = *app->now->failure[IG_PRODUCT_TEXTS];

    ig_app_note(app, failed, "%s",
                ig_snapshot_waits(app->now, IG_PRODUCT_TEXTS, "indexing the texts …"));
    ig_search_want_texts(app);
}

/* --- the matches ------------------------------------------------------------------ */

/* Search the rows that have come since. */
static void search_on(struct ig_search *s, const ig_textsearch *texts)
{
    size_t ready = ig_textsearch_ready(texts);

    s->matches +=
        ig_textsearch_range(texts, &s->query, s->searched, ready, s->row + s->matches);
    s->searched = ready;
    s->serial++;
}

/* Find the rows that contain a text, among those that are indexed; false: memory is
 * short. */
static bool collect(ig_app *app, const ig_textsearch *texts, const char *text)
{
    struct ig_search *s = app->search;
    ig_textquery query;

    if (!s->sought[0] || strcmp(s->sought, text) != 0) {
        if (!s->row)
            s->row = ig_alloc(app->set->rows, sizeof *s->row);
        if (!s->row || ig_textquery_init(&query, text, s->accents, NULL) != IG_OK) {
            ig_app_note(app, true, "not enough memory to search");
            return false;
        }
        if (ig_textquery_covers(&s->query, &query))
            s->matches = ig_textsearch_among(texts, &query, s->row, s->matches, s->row);
        else
            s->matches = s->searched = 0;
        ig_textquery_free(&s->query);
        snprintf(s->sought, sizeof s->sought, "%s", text);
        s->query = query;
        s->query.typed = s->sought;
        s->serial++;
    }
    if (s->searched < ig_textsearch_ready(texts))
        search_on(s, texts);
    return true;
}

/* How many matches are rows below `row`. */
static size_t matches_below(const struct ig_search *s, uint32_t row)
{
    size_t low = 0, high = s->matches;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (s->row[middle] < row)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* "12 matches, accents count (Tab: they do not)": the accents where they decide. */
static void say_matches(ig_app *app, const ig_textsearch *texts, size_t place)
{
    const struct ig_search *s = app->search;
    char count[IG_NUMBER_SIZE], which[IG_NUMBER_SIZE], said[64], part[48] = "";
    bool decide = app->prompt.use && ig_textsearch_has_accents(texts);
    bool all = s->searched == app->set->rows;

    ig_count_format(count, s->matches);
    if (place)
        snprintf(said, sizeof said, "match %s of %s", ig_count_format(which, place),
                 count);
    else if (s->matches)
        snprintf(said, sizeof said, "%s match%s", count, s->matches == 1 ? "" : "es");
    else
        snprintf(said, sizeof said, "no text contains it");
    if (!all)
        snprintf(part, sizeof part, "%s in the first %.0f%%", s->matches ? "" : " yet",
                 100 * (double)s->searched / (double)app->set->rows);
    ig_app_note(app, all && s->matches == 0, "%s%s%s", said, part,
                !decide                          ? ""
                : s->accents == IG_ACCENTS_COUNT ? "   accents count, Tab: any"
                : s->query.bare                  ? "   any accents, Tab: as typed"
                                                 : "");
}

/* Search, and go to the match from `from` on; said is how many there are and, when it
 * is sought again, which it is of them. False: none, the cursor stays. */
static bool find(ig_app *app, const char *typed, uint32_t from, bool backward,
                 bool again)
{
    const ig_textsearch *texts = ig_session_texts_so_far(app->session);
    struct ig_search *s = app->search;
    size_t match;

    if (!app->set->has_text) {
        ig_app_note(app, true, "the set has no texts to search");
        return false;
    }
    s->waiting = !texts || !ig_textsearch_is_whole(texts);
    if (!texts || ig_textsearch_ready(texts) == 0) {
        ig_search_await_texts(app);
        return false;
    }
    ig_search_want_texts(app);
    if (!typed[0] || !collect(app, texts, typed))
        return false;
    if (s->matches == 0) {
        say_matches(app, texts, 0);
        return false;
    }
    match = backward ? matches_below(s, from) + s->matches - 1
                     : matches_below(s, from + 1); /* before the first row: 0 */
    match %= s->matches;
    say_matches(app, texts, again ? match + 1 : 0);
    ig_app_go(app, s->row[match]);
    return true;
}

ig_matches ig_search_matches(const ig_app *app)
{
    const struct ig_search *s = app->search;
    const char *text = ig_search_text(app);

    /* What is typed is sought once there is an index. */
    if (!text || strcmp(text, s->sought) != 0)
        return (ig_matches){0};
    return (ig_matches){s->serial, s->matches, s->row};
}

bool ig_search_find(const ig_app *app, const char *text, size_t *start, size_t *length)
{
    return ig_search_matches(app).serial &&
           ig_textquery_find(&app->search->query, text, start, length);
}

/* --- the list beside what is typed ------------------------------------------------ */

static const ig_panel *list_panel(const ig_app *app)
{
    return ig_app_panel_named(app, "matches");
}

/* On a screen with one panel the list takes it. */
static void show_list(ig_app *app)
{
    app->place[IG_ROLE_SIDE] = list_panel(app);
    if (app->search->focus->role == IG_ROLE_SIDE ||
        (app->layout.alone && !app->expanded))
        app->focus = list_panel(app);
}

/* Everything stands where it stood before; the list stays where it has the room. */
static void put_back(ig_app *app, bool keep)
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
static void typed(ig_app *app, const char *text)
{
    uint32_t origin = app->search->origin;

    app->note[0] = '\0';
    app->search->past.back = 0;
    if (!find(app, text, origin - 1, false, false))
        ig_app_go(app, origin);
    if (*text && app->set->has_text)
        show_list(app);
    else
        put_back(app, false);
}

static void cancel(ig_app *app)
{
    ig_app_go(app, app->search->origin);
    app->search->waiting = false;
    put_back(app, false);
}

static bool finish(ig_app *app, char *text)
{
    struct ig_search *s = app->search;

    s->shown = *text;
    if (*text) {
        snprintf(s->last, sizeof s->last, "%s", text);
        ig_prompt_remember(&s->past, text);
    }
    put_back(app, ig_search_matches(app).count > 0);
    ig_app_came(app, s->origin);
    return true;
}

static void change_accents(ig_app *app)
{
    ig_search_set_accents(app, app->search->accents == IG_ACCENTS_TYPED
                                   ? IG_ACCENTS_COUNT
                                   : IG_ACCENTS_TYPED);
    typed(app, app->prompt.text);
}

/* Take the search before (1) or after (-1) the one that the prompt has. */
static void take_past(ig_app *app, int step)
{
    size_t back;

    ig_prompt_recall(app, &app->search->past, step);
    back = app->search->past.back;
    typed(app, app->prompt.text);
    app->search->past.back = back;
}

/* Up and down bring earlier searches as long as nothing is typed, and walk through the
 * list once something is. */
static bool prompt_key(ig_app *app, ig_key key)
{
    static const struct {
        ig_key_code code;
        ig_action action;
    } moves[] = {{IG_KEY_UP, IG_ACT_UP},
                 {IG_KEY_DOWN, IG_ACT_DOWN},
                 {IG_KEY_PAGE_UP, IG_ACT_PAGE_UP},
                 {IG_KEY_PAGE_DOWN, IG_ACT_PAGE_DOWN}};
    bool past = app->search->past.back || !app->prompt.text[0];
    bool ctrl = key.code == IG_KEY_CTRL;

    if ((ctrl && key.unicode == 'p') || (past && key.code == IG_KEY_UP)) {
        take_past(app, 1);
        return true;
    }
    if ((ctrl && key.unicode == 'n') || (past && key.code == IG_KEY_DOWN)) {
        take_past(app, -1);
        return true;
    }
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++)
        if (key.code == moves[i].code) {
            ig_search_move(app, moves[i].action, 1);
            return true;
        }
    return false;
}

static const ig_prompt_use prompt = {.sign = "/",
                                     .typed = typed,
                                     .key = prompt_key,
                                     .complete = change_accents,
                                     .cancel = cancel,
                                     .finish = finish};

void ig_search_open(ig_app *app)
{
    struct ig_search *s = app->search;

    ig_search_leave(app);
    s->origin = app->cursor;
    s->waiting = false;
    s->past.back = 0;
    s->focus = app->focus;
    s->side = app->place[IG_ROLE_SIDE];
    ig_prompt_open(app, &prompt, "");
    ig_search_want_texts(app);
}

/* --- from match to match ---------------------------------------------------------- */

bool ig_search_move(ig_app *app, ig_action action, size_t page)
{
    const struct ig_search *s = app->search;
    ig_matches m = ig_search_matches(app);
    ig_list_cursor cursor = {.line = matches_below(s, app->cursor)};

    if (m.count == 0 || !ig_list_cursor_act(&cursor, action, m.count, page))
        return false;
    ig_app_go(app, m.row[cursor.line]);
    say_matches(app, ig_session_texts_so_far(app->session), cursor.line + 1);
    return true;
}

const char *ig_search_text(const ig_app *app)
{
    if (app->prompt.use == &prompt)
        return app->prompt.text[0] ? app->prompt.text : NULL;
    return app->search->shown ? app->search->last : NULL;
}

bool ig_search_leave(ig_app *app)
{
    bool shown = app->search->shown;

    app->search->shown = false;
    if (app->place[IG_ROLE_SIDE] == list_panel(app))
        app->place[IG_ROLE_SIDE] = ig_app_first(app, IG_ROLE_SIDE);
    if (app->focus == list_panel(app))
        ig_app_focus(app, app->panel[0]);
    return shown;
}

/* Matches in texts that are indexed now are added to those there are; where there was
 * none, it is sought again. */
void ig_search_update(ig_app *app)
{
    struct ig_search *s = app->search;
    const ig_textsearch *texts = ig_session_texts_so_far(app->session);
    const char *text = app->prompt.use == &prompt ? app->prompt.text : s->last;

    if (!s->waiting || !*text || !texts || s->searched == ig_textsearch_ready(texts))
        return;
    if (s->matches && strcmp(s->sought, text) == 0) {
        s->waiting = !ig_textsearch_is_whole(texts);
        search_on(s, texts);
        say_matches(app, texts, 0);
    } else if (app->prompt.use == &prompt) {
        typed(app, text);
    } else {
        ig_search_again(app, false);
    }
}

void ig_search_for(ig_app *app, const char *text)
{
    snprintf(app->search->last, sizeof app->search->last, "%s", text);
    ig_prompt_remember(&app->search->past, text);
    ig_search_again(app, false);
}

void ig_search_again(ig_app *app, bool backward)
{
    uint32_t before = app->cursor;

    if (!app->search->last[0])
        ig_app_note(app, false, "nothing searched yet: / searches");
    else
        app->search->shown = find(app, app->search->last, before, backward, true) ||
                             app->search->waiting;
    ig_app_came(app, before);
}

/* --- what is remembered ----------------------------------------------------------- */

ig_accents ig_search_accents(const ig_app *app)
{
    return app->search->accents;
}

void ig_search_set_accents(ig_app *app, ig_accents accents)
{
    struct ig_search *s = app->search;

    s->accents = accents;
    s->sought[0] = '\0'; /* the matches are others */
    ig_textquery_free(&s->query);
}
