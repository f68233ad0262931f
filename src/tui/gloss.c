/* Glosses: of every id the first row with a text in the language that is read. */
#include "tui/gloss.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "search/searcher.h"

struct ig_gloss {
    bool on, chosen;
    uint16_t language;
    uint32_t *row; /* (ids) its row in the language; IG_NO_ROW; NULL: not made */
};

ig_status ig_gloss_new(ig_app *app, ig_error *error)
{
    app->gloss = ig_alloc(1, sizeof *app->gloss);
    return app->gloss ? IG_OK : ig_fail_memory(error, "glosses");
}

void ig_gloss_delete(struct ig_gloss *gloss)
{
    if (gloss)
        ig_free(gloss->row);
    ig_free(gloss);
}

/* Find the rows of a language; false: memory is short. */
static bool find_rows(struct ig_gloss *g, const ig_set *set)
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

static void choose(ig_app *app, uint16_t language)
{
    struct ig_gloss *g = app->gloss;

    g->on = false;
    if (!app->set->has_text || !app->set->has_ids) {
        ig_app_note(app, true,
                    app->set->has_text ? "no ids: nothing says what translates what"
                                       : "a set without texts");
        return;
    }
    g->language = language;
    if (!find_rows(g, app->set)) {
        ig_app_note(app, true, "out of memory for glosses");
        return;
    }
    g->on = g->chosen = true;
    ig_app_note(app, false,
                "lists show translations into %.24s (:gloss off, :gloss LANG)",
                app->set->language[language]);
}

void ig_gloss_toggle(ig_app *app)
{
    struct ig_gloss *g = app->gloss;
    int english = ig_set_language(app->set, "en");

    if (g->on) {
        g->on = false;
        ig_app_note(app, false, "lists show the texts themselves");
        return;
    }
    if (english < 0)
        english = ig_set_language(app->set, "eng_Latn");
    choose(app, g->chosen ? g->language : english < 0 ? 0 : (uint16_t)english);
}

void ig_gloss_command(ig_app *app, const char *language)
{
    int found = ig_set_language(app->set, language);

    if (!*language || (strcmp(language, "off") == 0 && found < 0 && app->gloss->on))
        ig_gloss_toggle(app);
    else if (found >= 0)
        choose(app, (uint16_t)found);
    else if (strcmp(language, "off") != 0)
        ig_app_note(app, true, "there is no language '%.24s'", language);
}

const char *ig_gloss_language(const ig_app *app)
{
    return app->gloss->on ? app->set->language[app->gloss->language] : NULL;
}

uint32_t ig_gloss_row(const ig_app *app, uint32_t row)
{
    const struct ig_gloss *g = app->gloss;
    const ig_set *set = app->set;

    if (!g->on || set->lang[row] == g->language || set->id[row] == IG_NO_ID)
        return IG_NO_ROW;
    return g->row[set->id[row]];
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
