/* What was loaded (the data panel), and what is told of a run: lists of facts. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "draw/axes.h"
#include "draw/bars.h"
#include "draw/list.h"
#include "tui/facts.h"

bool ig_list_act(ig_app *app, ig_action action, size_t rows, size_t page)
{
    size_t last = rows ? rows - 1 : 0;

    switch (action) {
    case IG_ACT_DOWN:
        app->list_line++;
        break;
    case IG_ACT_UP:
        app->list_line -= app->list_line > 0;
        break;
    case IG_ACT_PAGE_DOWN:
        app->list_line += page;
        break;
    case IG_ACT_PAGE_UP:
        app->list_line -= app->list_line < page ? app->list_line : page;
        break;
    case IG_ACT_FIRST:
        app->list_line = 0;
        break;
    case IG_ACT_LAST:
        app->list_line = last;
        break;
    default:
        return false;
    }
    app->list_line = app->list_line < last ? app->list_line : last;
    app->list_offset =
        ig_list_scroll(app->list_offset, (long)app->list_line, rows, page);
    return true;
}

struct facts {
    const ig_app *app;
    ig_fact_line *line;
    ig_fact now;
};

static void fact_cell(void *context, size_t row, size_t column, ig_list_cell *cell)
{
    struct facts *f = context;

    f->now = (ig_fact){.style = ig_style_of(IG_COLOUR_TEXT, 0)};
    f->line(f->app, row, &f->now);
    cell->text = column ? f->now.value : f->now.name;
    cell->length = strlen(cell->text);
    cell->style = column ? f->now.style : ig_style_of(IG_COLOUR_DIM, 0);
}

void ig_facts_draw(ig_app *app, ig_rect rect, size_t lines, int width, size_t offset,
                   long selected, ig_fact_line *line)
{
    int most = rect.cols / 2;
    ig_column column[] = {{NULL, width < most ? width : most + 1, IG_ALIGN_LEFT},
                          {NULL, 0, IG_ALIGN_LEFT}};
    struct facts facts = {.app = app, .line = line};
    ig_list list = {.column = column,
                    .columns = 2,
                    .rows = lines,
                    .selected = selected,
                    .offset = offset,
                    .focused = selected >= 0,
                    .source = fact_cell,
                    .context = &facts};

    ig_list_draw(&app->canvas, rect, &list);
}

/* --- data ------------------------------------------------------------------------- */

enum { DATA_FACTS = 8 };

size_t ig_data_lines(const ig_app *app)
{
    return DATA_FACTS + app->set->languages + app->set->labels;
}

bool ig_data_act(ig_app *app, ig_action action)
{
    size_t line = app->list_line - DATA_FACTS, languages = app->set->languages;

    if (action != IG_ACT_ENTER || app->list_line < DATA_FACTS)
        return false;
    if (line < languages)
        ig_colouring_toggle_language(app, line);
    else if (line - languages < app->set->labels)
        ig_colouring_choose(app, 1 + line - languages);
    return true;
}

static void warn_if(ig_fact *f, size_t n)
{
    if (n)
        f->style = ig_style_of(IG_COLOUR_WARN, 0);
}

static void data_fact(const ig_app *app, size_t i, ig_fact *f)
{
    const ig_set *set = app->set;
    const ig_set_notes *n = &set->notes;
    char a[IG_NUMBER_SIZE], b[IG_NUMBER_SIZE];

    switch (i) {
    case 0:
        snprintf(f->name, sizeof f->name, "rows");
        snprintf(f->value, sizeof f->value,
                 n->sampled_from ? "%s, sampled from %s" : "%s",
                 ig_count_format(a, set->rows), ig_count_format(b, n->sampled_from));
        break;
    case 1:
        snprintf(f->name, sizeof f->name, "dimensions");
        snprintf(f->value, sizeof f->value, "%zu", set->dims);
        break;
    case 2:
        snprintf(f->name, sizeof f->name, "ids");
        snprintf(f->value, sizeof f->value, set->has_ids ? "%s" : "none: no pairs",
                 ig_count_format(a, set->ids));
        break;
    case 3:
        snprintf(f->name, sizeof f->name, "texts");
        snprintf(f->value, sizeof f->value,
                 set->has_text ? "%zu of them empty" : "none: no search",
                 n->empty_texts);
        warn_if(f, n->empty_texts);
        break;
    case 4:
        snprintf(f->name, sizeof f->name, "zero vectors");
        snprintf(f->value, sizeof f->value, "%zu", app->zero_rows);
        warn_if(f, app->zero_rows);
        break;
    case 5:
        snprintf(f->name, sizeof f->name, "repeated ids");
        snprintf(f->value, sizeof f->value, "%zu", n->repeated_ids);
        warn_if(f, n->repeated_ids);
        break;
    case 6:
        snprintf(f->name, sizeof f->name, "single-row lang.");
        snprintf(f->value, sizeof f->value, "%zu", n->single_languages);
        warn_if(f, n->single_languages);
        break;
    default:
        snprintf(f->name, sizeof f->name, "languages");
        snprintf(f->value, sizeof f->value, "%zu", set->languages);
    }
}

static void data_line(const ig_app *app, size_t i, ig_fact *f)
{
    const ig_set *set = app->set;
    char count[IG_NUMBER_SIZE];

    if (i < DATA_FACTS) {
        data_fact(app, i, f);
        return;
    }
    i -= DATA_FACTS;
    if (i < set->languages) {
        snprintf(f->name, sizeof f->name, "  %s", set->language[i]);
        snprintf(f->value, sizeof f->value, "%s rows%s",
                 ig_count_format(count, set->language_rows[i]),
                 app->shown[i] ? "" : ", hidden");
        f->style = app->shown[i] ? ig_style_of(ig_colour_language(i), 0)
                                 : ig_style_of(IG_COLOUR_DIM, 0);
        return;
    }
    i -= set->languages;
    snprintf(f->name, sizeof f->name, "label %s", set->label[i].name);
    snprintf(f->value, sizeof f->value, "%zu values", set->label[i].categories);
}

void ig_data_draw(ig_app *app)
{
    const ig_slot *slot = &app->layout.panel[IG_PANEL_DATA];
    bool focused = app->settings.focus == IG_PANEL_DATA;
    size_t page = ig_list_page(slot->inside, false), lines = ig_data_lines(app);

    if (ig_rect_empty(slot->rect))
        return;
    if (focused) /* the panel may have another size now, or other lines */
        app->list_offset =
            ig_list_scroll(app->list_offset, (long)app->list_line, lines, page);
    ig_frame_draw(&app->canvas, slot->rect, slot->edges, "data", NULL, focused);
    ig_facts_draw(app, slot->inside, lines, 18, focused ? app->list_offset : 0,
                  focused ? (long)app->list_line : -1, data_line);
}

/* --- runs ------------------------------------------------------------------------- */

enum { RUN_FACTS = 9 };

size_t ig_run_facts(const ig_app *app)
{
    return app->now->activity == IG_IDLE ? 1 : RUN_FACTS + app->now->terms;
}

static void loss_fact(ig_fact *f, const char *name, const ig_record *r)
{
    char a[IG_NUMBER_SIZE], b[IG_NUMBER_SIZE];

    snprintf(f->name, sizeof f->name, "%s", name);
    if (r)
        snprintf(f->value, sizeof f->value, "train %s  valid %s",
                 ig_number_format(a, r->epoch.train_loss, 7, 0),
                 ig_number_format(b, r->epoch.valid_loss, 7, 0));
}

static void run_fact(const ig_app *app, size_t i, ig_fact *f)
{
    const ig_snapshot *now = app->now;
    const ig_train_options *o = &now->options;
    const ig_record *last = ig_look_record(app);
    char a[IG_NUMBER_SIZE], b[IG_NUMBER_SIZE];

    switch (i) {
    case 0:
        snprintf(f->name, sizeof f->name, "method");
        snprintf(f->value, sizeof f->value, "%s (%s)", now->method,
                 ig_extractor_name(now->extractor));
        break;
    case 1:
        snprintf(f->name, sizeof f->name, "state");
        snprintf(f->value, sizeof f->value, "%s",
                 now->activity == IG_TRAINING ? "training"
                 : now->activity == IG_PAUSED ? "paused"
                                              : now->ending);
        break;
    case 2:
        snprintf(f->name, sizeof f->name, "options");
        snprintf(f->value, sizeof f->value, "lr %g  batch %zu  patience %ld  seed %llu",
                 o->lr, o->batch, o->patience, (unsigned long long)o->seed);
        break;
    case 3:
        snprintf(f->name, sizeof f->name, "epochs");
        snprintf(f->value, sizeof f->value, "%zu of %zu, best %zu", now->epochs,
                 o->epochs, now->best);
        break;
    case 4:
        loss_fact(f, now->looking ? "loss then" : "loss now", last);
        break;
    case 5:
        loss_fact(f, "loss, best epoch",
                  now->best < now->records ? &now->record[now->best] : NULL);
        break;
    case 6:
        snprintf(f->name, sizeof f->name, "speed");
        if (last && isfinite(last->epoch.pairs_per_second))
            snprintf(f->value, sizeof f->value, "%s pairs/s",
                     ig_count_format(a, (size_t)last->epoch.pairs_per_second));
        break;
    case 7:
        snprintf(f->name, sizeof f->name, "self-partners");
        if (last && last->epoch.rows)
            snprintf(f->value, sizeof f->value, "%s of %s rows",
                     ig_count_format(a, last->epoch.self_partners),
                     ig_count_format(b, last->epoch.rows));
        warn_if(f, last && last->epoch.self_partners);
        break;
    default:
        snprintf(f->name, sizeof f->name, "measured on");
        if (now->measurable)
            snprintf(f->value, sizeof f->value, "%s of %s %s pairs",
                     ig_count_format(a, now->measured),
                     ig_count_format(b, now->measurable),
                     now->measured_valid ? "held-out" : "training");
    }
}

void ig_run_fact(const ig_app *app, size_t i, ig_fact *f)
{
    const ig_snapshot *now = app->now;
    const ig_record *record = ig_look_record(app);

    if (now->activity == IG_IDLE) {
        snprintf(f->name, sizeof f->name, "no run yet");
        snprintf(f->value, sizeof f->value, "space trains, m chooses a method");
        return;
    }
    if (i < RUN_FACTS) {
        run_fact(app, i, f);
        return;
    }
    i -= RUN_FACTS;
    snprintf(f->name, sizeof f->name, "%s", now->term[i]);
    if (now->off[i])
        snprintf(f->value, sizeof f->value, "struck out");
    else if (record && isnan(now->weight[i])) /* of a run that was read */
        snprintf(f->value, sizeof f->value, "%8.4f  from %.4f", record->epoch.value[i],
                 now->record[0].epoch.value[i]);
    else if (record)
        snprintf(f->value, sizeof f->value, "%8.4f  weight %g  from %.4f",
                 record->epoch.value[i], now->weight[i], now->record[0].epoch.value[i]);
}
