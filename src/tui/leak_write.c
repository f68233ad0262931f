/* Lists of sentences and matrices of the leakage panel as tables: .csv by RFC 4180,
 * .tsv with tabs and the same quotes. A file is complete or absent. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "tui/leak_places.h"

/* A table being written. */
struct table {
    FILE *file;
    char delimiter;
    bool begun; /* the line has a field */
};

static void put_text(struct table *t, const char *text)
{
    if (t->begun)
        putc(t->delimiter, t->file);
    t->begun = true;
    ig_field_put(t->file, text, t->delimiter);
}

/* Empty for NaN. Seven digits are what floats hold. */
static void put_number(struct table *t, double number)
{
    char text[32] = "";

    if (!isnan(number))
        snprintf(text, sizeof text, "%.7g", number);
    put_text(t, text);
}

static void put_count(struct table *t, size_t count)
{
    char text[32];

    snprintf(text, sizeof text, "%zu", count);
    put_text(t, text);
}

static void end_line(struct table *t)
{
    putc('\n', t->file);
    t->begun = false;
}

/* --- sentences -------------------------------------------------------------------- */

/* Row, language and text; empty where there is no row. */
static void put_row(struct table *t, const ig_set *set, uint32_t row, bool with_id)
{
    bool none = row == IG_NO_ROW;
    bool has_id = !none && set->has_ids && set->id[row] != IG_NO_ID;

    if (none)
        put_text(t, "");
    else
        put_count(t, row);
    if (with_id)
        put_text(t, has_id ? set->id_name[set->id[row]] : "");
    put_text(t, none ? "" : set->language[set->lang[row]]);
    put_text(t, none || !set->has_text ? "" : set->text[row]);
}

/* `other` is what was found instead, or the next best of what leaks. */
static void put_sentences(struct table *t, const ig_app *app)
{
    static const char *const title[] = {"row",
                                        "id",
                                        "lang",
                                        "text",
                                        "translation_row",
                                        "translation_lang",
                                        "translation_text",
                                        "other_row",
                                        "other_lang",
                                        "other_text",
                                        "cosine",
                                        "other_cosine"};
    const ig_sentences *list = &app->sentences;

    put_text(t, "number");
    put_text(t, list->value_name[0] ? list->value_name : "value");
    for (size_t i = 0; i < sizeof title / sizeof *title; i++)
        put_text(t, title[i]);
    end_line(t);
    for (size_t i = 0; i < list->count; i++) {
        const ig_sentence *s = &list->item[i];

        put_count(t, i + 1);
        put_number(t, s->value);
        put_row(t, app->set, s->row, true);
        put_row(t, app->set, s->truth, false);
        put_row(t, app->set, s->other, false);
        put_number(t, (double)s->cosine);
        put_number(t, (double)s->other_cosine);
        end_line(t);
    }
}

/* --- measures --------------------------------------------------------------------- */

/* Shares as fractions; what has no figure is empty. */
static void put_matrix(struct table *t, const ig_app *app)
{
    const ig_set *set = app->set;

    put_text(t, "lang");
    for (size_t to = 0; to < set->languages; to++)
        put_text(t, set->language[to]);
    end_line(t);
    for (size_t from = 0; from < set->languages; from++) {
        put_text(t, set->language[from]);
        for (size_t to = 0; to < set->languages; to++) {
            ig_heat_cell cell = {NAN, NAN, false, 0};

            ig_leak_cell(ig_leak_view_shown(app), app->now->findings, from, to, &cell);
            put_number(t, cell.blank ? NAN : cell.value);
        }
        end_line(t);
    }
}

static void put_measures(struct table *t, const ig_app *app)
{
    const ig_measure_entry *entry[IG_LEAK_MEASURES];
    size_t n = ig_leak_measures(app, false, entry, IG_LEAK_MEASURES);

    put_text(t, "measure");
    for (int s = 0; s < IG_SPACES; s++)
        put_text(t, ig_space_name((ig_space)s));
    end_line(t);
    for (size_t i = 0; i < n; i++) {
        put_text(t, entry[i]->key);
        for (int s = 0; s < IG_SPACES; s++) {
            const ig_evaluation *e = app->now->findings->space[s];

            put_number(t, e ? ig_measure_read(entry[i], e) : NAN);
        }
        end_line(t);
    }
}

/* --- both ------------------------------------------------------------------------- */

static bool is_list(const ig_app *app)
{
    return app->settings.focus == IG_PANEL_SENTENCES && app->sentences.count > 0;
}

bool ig_leak_writes(const ig_app *app, const char *path)
{
    return (is_list(app) ||
            (app->settings.focus == IG_PANEL_LEAKAGE && app->now->findings)) &&
           (ig_path_ends(path, ".csv") || ig_path_ends(path, ".tsv"));
}

/* Codes of languages may hold what would lead into another folder. */
bool ig_leak_file(const ig_app *app, char *out, size_t size)
{
    if (is_list(app))
        snprintf(out, size, "%s",
                 app->sentences.file[0] ? app->sentences.file : "sentences.csv");
    else if (app->settings.focus == IG_PANEL_LEAKAGE && app->now->findings)
        snprintf(out, size, "leakage-%s.csv", ig_leak_view_shown(app)->name);
    else
        return false;
    for (; *out; out++)
        if (*out == '/' || *out == '\\' || (unsigned char)*out <= ' ')
            *out = '_';
    return true;
}

ig_status ig_leak_write(const ig_app *app, const char *path, ig_error *error)
{
    ig_writer writer = {0};
    ig_status status = ig_writer_open(&writer, path, error);
    struct table t = {.delimiter = ig_path_ends(path, ".tsv") ? '\t' : ','};

    if (status != IG_OK)
        return status;
    t.file = writer.file;
    if (is_list(app))
        put_sentences(&t, app);
    else if (ig_leak_view_shown(app)->kind == IG_LEAK_SUMMARY)
        put_measures(&t, app);
    else
        put_matrix(&t, app);
    return ig_writer_commit(&writer, error);
}
