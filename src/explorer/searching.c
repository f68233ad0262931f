/* Searching in the texts. One pass finds the matches of a text; cursor, list and map
 * use the same. */
#include "explorer/searching.h"

#include <stdio.h>
#include <string.h>

#include "core/array.h"
#include "data/pairs.h"
#include "explorer/prompt.h"
#include "view/axes.h"

struct ig_search {
    char last[IG_PROMPT_SIZE]; /* the last search, by Enter or a command */
    bool shown;                /* its matches are */

    ig_search_repeat *again; /* what waits for the index of the texts, or NULL … */
    char waiting[IG_PROMPT_SIZE]; /* … its text */

    char sought[IG_PROMPT_SIZE]; /* the text of … */
    ig_textquery query;          /* … the query … */
    ig_row_set matches;          /* … and of these */

    uint32_t origin;      /* the cursor before the search, … */
    const ig_panel *side; /* … and the side panel */

    bool glosses; /* texts are shown in … */
    uint16_t language;
    uint32_t *gloss; /* (ids) first row of the id with a text in it, or IG_NO_ROW; NULL:
                        not made */
};

struct ig_search *ig_search_new(void)
{
    return ig_alloc(1, sizeof(struct ig_search));
}

void ig_search_delete(struct ig_search *search)
{
    if (!search)
        return;
    ig_row_set_fill(&search->matches, NULL, 0);
    ig_textquery_free(&search->query);
    IG_FREE(search->gloss, search);
}

void ig_search_want_texts(ig_app *app)
{
    app->view->asks |= IG_ASKS_TEXTS;
}

void ig_search_wait(ig_app *app, ig_search_repeat *again, const char *text)
{
    app->search->again = again;
    if (!again)
        return;
    snprintf(app->search->waiting, sizeof app->search->waiting, "%s", text);
    ig_search_want_texts(app);
    ig_app_note(app, *app->now->result[IG_PRODUCT_TEXTS].failure, "%s",
                ig_session_waits(app->now, IG_PRODUCT_TEXTS, "indexing the texts …"));
}

void ig_search_update(ig_app *app)
{
    ig_search_repeat *again = app->search->again;

    if (!again || !ig_session_texts(app->session))
        return;
    app->search->again = NULL;
    again(app, app->search->waiting);
}

/* --- the matches ------------------------------------------------------------------ */

static const ig_overlay prompt;

const char *ig_search_text(const ig_app *app)
{
    const char *text = app->overlay == &prompt ? app->prompt.text
                       : app->search->shown    ? app->search->last
                                               : "";

    return *text ? text : NULL;
}

const ig_row_set *ig_search_matches(const ig_app *app)
{
    const char *text = ig_search_text(app);

    return text && strcmp(text, app->search->sought) == 0 ? &app->search->matches
                                                          : NULL;
}

bool ig_search_find(const ig_app *app, const char *text, size_t *start, size_t *length)
{
    return ig_search_matches(app) &&
           ig_textquery_find(&app->search->query, text, start, length);
}

/* Find the rows that contain a text; false: none. */
static bool collect_matches(ig_app *app, const char *text)
{
    struct ig_search *s = app->search;
    size_t rows = app->set->rows;

    if (strcmp(s->sought, text) != 0) {
        bool *has = ig_alloc(rows, sizeof *has), found = has;

        ig_textquery_free(&s->query);
        snprintf(s->sought, sizeof s->sought, "%s", text);
        found = found && ig_textquery_init(&s->query, s->sought, NULL) == IG_OK;
        for (size_t i = 0; found && i < rows; i++)
            has[i] =
                ig_textsearch_matches(ig_session_texts(app->session), &s->query, i);
        if (!ig_row_set_fill(&s->matches, has, rows) || !found) {
            ig_app_note(app, true, "not enough memory to search");
            s->sought[0] = '\0';
            return false;
        }
    }
    if (!s->matches.count)
        ig_app_note(app, true, "no match");
    return s->matches.count;
}

/* "match 3 of 12". */
void ig_search_report(ig_app *app)
{
    const ig_row_set *m = &app->search->matches;
    char which[IG_NUMBER_SIZE], count[IG_NUMBER_SIZE];

    ig_app_note(
        app, false, "match %s of %s",
        ig_count_format(which, ig_array_find(m->row, m->count, app->cursor) + 1),
        ig_count_format(count, m->count));
}

/* Search, and go to the match from `from` on: false: none, the cursor stays.
 *   again  in  to be called once there is an index */
static bool find_match(ig_app *app, const char *text, uint32_t from, bool backward,
                       ig_search_repeat *again)
{
    struct ig_search *s = app->search;
    const ig_row_set *m = &s->matches;
    size_t at;

    if (!app->set->has_text) {
        ig_app_note(app, true, "the dataset has no texts to search");
        return false;
    }
    ig_search_wait(app, ig_session_texts(app->session) ? NULL : again, text);
    if (s->again || !*text || !collect_matches(app, text))
        return false;
    at = backward
             ? ig_array_find(m->row, m->count, from) + m->count - 1
             : ig_array_find(m->row, m->count, from + 1); /* IG_NO_ROW: the first */
    ig_app_go(app, m->row[at % m->count]);
    return true;
}

/* --- typing ----------------------------------------------------------------------- */

/* Show the list of matches in the side, or what was there before the search. */
static void show_list(ig_app *app, bool shown)
{
    const ig_panel *list = ig_app_panel_named(app, "rows");
    bool in_side = app->focus->role == IG_ROLE_SIDE;
    bool free = in_side || app->overlay == &prompt /* typing */ ||
                app->focus == ig_app_first(app, app->focus->role);

    if (shown ? !free : !app->search->side || ig_app_in(app, IG_ROLE_SIDE) != list)
        return;
    app->place[IG_ROLE_SIDE] = shown ? list : app->search->side;
    if (in_side)
        app->focus = app->place[IG_ROLE_SIDE];
}

/* As you type: from where the search began, that row included. */
static void search_typed(ig_app *app, const char *text)
{
    struct ig_search *s = app->search;
    char count[IG_NUMBER_SIZE];

    app->note[0] = '\0';
    if (!find_match(app, text, s->origin - 1, false, search_typed))
        ig_app_go(app, s->origin);
    else
        ig_app_note(app, false, "%s match%s", ig_count_format(count, s->matches.count),
                    s->matches.count == 1 ? "" : "es");
    show_list(app, *text && app->set->has_text);
}

static void cancel_search(ig_app *app)
{
    ig_app_go(app, app->search->origin);
    ig_search_wait(app, NULL, NULL);
    show_list(app, false);
}

/* The list of matches stays. */
static bool finish_search(ig_app *app, const char *text)
{
    struct ig_search *s = app->search;
    const ig_row_set *m;

    s->shown = *text;
    if (*text)
        snprintf(s->last, sizeof s->last, "%s", text);
    if (s->again) /* no longer as you type */
        s->again = ig_search_for;
    m = ig_search_matches(app);
    if (m && !m->count)
        ig_app_note(app, true, "no match");
    show_list(app, m && m->count);
    return true;
}

static const ig_overlay prompt = {.sign = "/",
                                  .typed = search_typed,
                                  .cancel = cancel_search,
                                  .finish = finish_search};

void ig_search_open(ig_app *app)
{
    struct ig_search *s = app->search;

    ig_search_leave(app);
    s->origin = app->cursor;
    s->side = ig_app_in(app, IG_ROLE_SIDE);
    ig_prompt_open(app, &prompt, "");
    ig_search_want_texts(app);
}

/* --- from match to match ---------------------------------------------------------- */

bool ig_search_leave(ig_app *app)
{
    bool shown = app->search->shown;

    app->search->shown = false;
    if (shown)
        show_list(app, false);
    return shown;
}

void ig_search_for(ig_app *app, const char *text)
{
    snprintf(app->search->last, sizeof app->search->last, "%s", text);
    ig_search_again(app, 1);
}

void ig_search_again(ig_app *app, int step)
{
    struct ig_search *s = app->search;
    uint32_t before = app->cursor;
    bool found = s->last[0] &&
                 find_match(app, s->last, before, step < 0, ig_search_for);

    if (!s->last[0])
        ig_app_note(app, false, "no search yet: press / to search");
    else if (found)
        ig_search_report(app);
    s->shown = found;
}

/* --- glosses ---------------------------------------------------------------------- */

static void show_glosses(ig_app *app, size_t language)
{
    struct ig_search *s = app->search;
    const ig_dataset *set = app->set;
    bool can = set->has_text && set->has_ids;

    if (can && !s->gloss)
        s->gloss = ig_alloc(set->ids, sizeof *s->gloss);
    s->glosses = s->gloss;
    if (!s->gloss) {
        ig_app_note(app, true, "%s",
                    !set->has_text  ? "the dataset has no texts"
                    : !set->has_ids ? "no ids: translations unknown"
                                    : "out of memory for glosses");
        return;
    }
    s->language = (uint16_t)language;
    for (size_t i = 0; i < set->ids; i++)
        s->gloss[i] = IG_NO_ROW;
    for (size_t i = set->rows; i-- > 0;)
        if (set->lang[i] == language && set->id[i] != IG_NO_ID && set->text[i][0])
            s->gloss[set->id[i]] = (uint32_t)i;
    ig_app_note(app, false, "showing translations in %.24s (:gloss off, :gloss LANG)",
                set->language[language]);
}

static void hide_glosses(ig_app *app)
{
    app->search->glosses = false;
    ig_app_note(app, false, "showing the original texts");
}

void ig_gloss_toggle(ig_app *app)
{
    const struct ig_search *s = app->search;
    int english = ig_dataset_language(app->set, "en");

    if (english < 0)
        english = ig_dataset_language(app->set, "eng_Latn");
    if (s->glosses)
        hide_glosses(app);
    else
        show_glosses(app, s->gloss ? s->language : english < 0 ? 0 : (size_t)english);
}

void ig_gloss_command(ig_app *app, const char *language)
{
    int found = ig_dataset_language(app->set, language);

    if (found >= 0)
        show_glosses(app, (size_t)found);
    else if (!*language)
        ig_gloss_toggle(app);
    else if (strcmp(language, "off") == 0)
        hide_glosses(app);
    else
        ig_app_note(app, true, "unknown language '%.24s'", language);
}

uint32_t ig_gloss_row(const ig_app *app, uint32_t row)
{
    const struct ig_search *s = app->search;
    const ig_dataset *set = app->set;

    return !s->glosses || set->lang[row] == s->language || set->id[row] == IG_NO_ID
               ? IG_NO_ROW
               : s->gloss[set->id[row]];
}

const char *ig_gloss_text(const ig_app *app, uint32_t row, char out[IG_ROW_TEXT_SIZE])
{
    uint32_t gloss = ig_gloss_row(app, row);

    return ig_row_text(app->set, gloss == IG_NO_ROW ? row : gloss, out);
}

const char *ig_gloss_title(const ig_app *app, char out[32])
{
    const struct ig_search *s = app->search;
    const char *code = s->glosses ? app->set->language[s->language] : NULL;

    snprintf(out, 32, "%s%.20s", code ? ", in " : "", code ? code : "");
    return out;
}
