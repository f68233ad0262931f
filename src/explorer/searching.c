/* Searching in the texts: the matches are selected. */
#include "explorer/searching.h"

#include <stdio.h>
#include <string.h>

#include "core/array.h"
#include "data/pairs.h"
#include "explorer/prompt.h"
#include "explorer/selection.h"
#include "view/axes.h"

struct ig_search {
    char text[IG_PROMPT_SIZE]; /* the last one */
    ig_textquery query;        /* of it */
    unsigned long selection;   /* serial of the selection of its matches */

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
    IG_FREE(search->query.folded, search->gloss, search);
}

/* --- the matches ------------------------------------------------------------------ */

/* Select the rows that contain a text; false: none, or the search is repeated once
 * there is an index. */
static bool select_matches(ig_app *app, const char *text)
{
    struct ig_search *s = app->search;
    const ig_textsearch *texts = ig_session_texts(app->session);
    size_t rows = app->set->rows;
    ig_textquery query = {0};
    bool *has;

    if (!*text)
        return false;
    if (!app->set->has_text) {
        ig_app_note(app, true, "the dataset has no texts to search");
        return false;
    }
    ig_texts_wait(app, texts ? NULL : ig_search_for, text);
    if (!texts)
        return false;
    has = ig_alloc(rows, sizeof *has);
    if (has)
        ig_textquery_init(&query, text, NULL);
    for (size_t i = 0; query.folded && i < rows; i++)
        has[i] = ig_textsearch_matches(texts, &query, i);
    if (!ig_selection_match(app, has)) {
        ig_free(query.folded);
        return false;
    }
    ig_free(s->query.folded);
    s->query = query;
    snprintf(s->text, sizeof s->text, "%s", text);
    s->selection = app->selection->set.serial;
    return true;
}

/* Go to the first match from a row on, after it (1) or before it (-1). */
static void go_to_match(ig_app *app, uint32_t from, int step)
{
    const ig_row_set *m = &app->selection->set;
    size_t at = ig_array_find(m->row, m->count, from + (step > 0));

    ig_app_go(app, m->row[(step < 0 ? at + m->count - 1 : at) % m->count]);
}

bool ig_search_selects(const ig_app *app)
{
    return app->selection->set.count &&
           app->search->selection == app->selection->set.serial;
}

bool ig_search_find(const ig_app *app, const char *text, size_t *start, size_t *length)
{
    return ig_search_selects(app) &&
           ig_textquery_find(&app->search->query, text, start, length);
}

void ig_search_for(ig_app *app, const char *text)
{
    if (select_matches(app, text))
        go_to_match(app, app->cursor, 1);
}

static bool finish_search(ig_app *app, const char *text)
{
    if (select_matches(app, text)) /* the row of the cursor included */
        go_to_match(app, app->cursor, 0);
    return true;
}

void ig_search_open(ig_app *app)
{
    static const ig_overlay prompt = {.sign = "/", .finish = finish_search};

    ig_prompt_open(app, &prompt, "");
    ig_texts_want(app);
}

/* "match 3 of 12", or "row" of a selection that is not by a search. */
void ig_search_step(ig_app *app, int step)
{
    const ig_row_set *m = &app->selection->set;
    char text[IG_PROMPT_SIZE], which[IG_NUMBER_SIZE], count[IG_NUMBER_SIZE];

    snprintf(text, sizeof text, "%s", app->search->text);
    if (!m->count && !*text)
        ig_app_note(app, false, "no search yet: press / to search");
    if (!m->count && (!*text || !select_matches(app, text)))
        return;
    go_to_match(app, app->cursor, step);
    ig_app_note(
        app, false, "%s %s of %s", ig_search_selects(app) ? "match" : "row",
        ig_count_format(which, ig_array_find(m->row, m->count, app->cursor) + 1),
        ig_count_format(count, m->count));
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
    int english = ig_dataset_language(app->set, "en", 2, NULL);

    if (english < 0)
        english = ig_dataset_language(app->set, "eng_Latn", 8, NULL);
    if (s->glosses)
        hide_glosses(app);
    else
        show_glosses(app, s->gloss ? s->language : english < 0 ? 0 : (size_t)english);
}

void ig_gloss_command(ig_app *app, const char *language)
{
    int found = ig_dataset_language(app->set, language, strlen(language), NULL);

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
