/* The demo as a talk, and advice. */
#include "explorer/narration.h"
#include "explorer/searching.h"
#include "explorer/selection.h"
#include "explorer/version_strip.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "core/array.h"
#include "core/memory.h"
#include "core/text.h"
#include "data/pairs.h"

void ig_narration_toggle(ig_app *app)
{
    app->options.narrate = !app->options.narrate;
    ig_app_note(app, false, app->options.narrate ? "narration on" : "narration off");
}

/* --- sentences -------------------------------------------------------------------- */

/* The sentences of the pivot that are measured, as keys of 64 bits in the order of the
 * talk, the row in the lower half: those that gain most translations among their ten
 * nearest first, before training those with most to gain; of equal ones those whose
 * translations rank first within their languages. ig_free it; NULL: not measured. */
static uint64_t *order_sentences(const ig_app *app, size_t *count)
{
    const ig_shown_evaluation *e = app->now->evaluation;
    const ig_evaluation *original = e ? e->space[IG_SPACE_ORIGINAL] : NULL;
    const ig_evaluation *meaning = e ? e->space[IG_SPACE_MEANING] : NULL;
    const ig_multilingual_pool *before = original ? &original->multilingual_pool : NULL;
    const ig_multilingual_pool *after = meaning ? &meaning->multilingual_pool : before;
    bool known = before && before->found && after->found && after->rows == before->rows;
    uint64_t *key = known ? ig_alloc(before->rows, sizeof *key) : NULL;
    size_t pivot = ig_pairs_pivot(app->set);

    *count = 0;
    for (size_t i = 0; key && i < before->rows; i++) {
        const ig_pool_row *b = &before->found[i], *a = &after->found[i];
        int gain = (meaning ? a->translations : 0) - b->translations;
        float rank = e->value[IG_VALUE_RANK] ? e->value[IG_VALUE_RANK][b->row] : 1;

        if (b->lang == pivot && b->rank && a->row == b->row && rank >= 1)
            key[(*count)++] = (uint64_t)(IG_POOL_NEAR - gain) << 48 |
                              (uint64_t)fminf(16 * rank, 65535) << 32 | b->row;
    }
    if (key)
        ig_array_sort64(key, *count);
    return key;
}

/* The sentence by so many places after the cursor's; 0, and where the cursor's is none
 * of them: the first. IG_NO_ROW: none is known. */
static uint32_t choose_sentence(const ig_app *app, int by)
{
    size_t count, at = 0;
    uint64_t *key = order_sentences(app, &count);
    uint32_t row;

    while (at < count && (uint32_t)key[at] != app->cursor)
        at++;
    at = at == count || by == 0 ? 0 : (at + count + (size_t)by) % count;
    row = count ? (uint32_t)key[at] : IG_NO_ROW;
    ig_free(key);
    return row;
}

bool ig_talk_step(ig_app *app, int by)
{
    uint32_t row = app->options.narrate ? choose_sentence(app, by) : IG_NO_ROW;

    if (row == IG_NO_ROW)
        return false;
    ig_app_jump(app, row);
    return true;
}

/* --- the course of the talk ------------------------------------------------------- */

/* Seconds that the original map stands, and that training takes. */
static const double BEFORE = 3, TRAINING = 15;

void ig_talk_open(ig_app *app)
{
    size_t epochs = app->start.options.epochs;

    app->talk = (ig_talk){.waits = true, .chooses = app->talk.chooses};
    app->view->pace = app->pace = epochs ? (double)epochs / TRAINING : app->pace;
    app->view->asks |= IG_ASKS_EVALUATION;
}

static void begin_training(ig_app *app)
{
    app->talk.waits = app->talk.chooses = false;
    app->talk.paced = true;
    ig_app_start(app, app->start.method, 0);
}

bool ig_talk_key(ig_app *app, ig_key key)
{
    bool next = key.code == IG_KEY_ENTER || key.code == IG_KEY_ESCAPE ||
                (key.code == IG_KEY_TEXT && key.unicode == ' ');
    bool waits = app->talk.waits;

    app->talk.chooses = false;
    if (waits)
        begin_training(app);
    return waits && next;
}

bool ig_talk_hurry(ig_app *app)
{
    if (!app->options.narrate || !app->talk.paced || app->view->pace <= 0 ||
        app->view->paused || !ig_app_busy(app))
        return false;
    app->talk.paced = false;
    app->view->pace = 0;
    return true;
}

double ig_talk_tick(ig_app *app)
{
    double now = app->clock();

    if (!app->talk.waits || !app->now->map)
        return -1;
    if (app->talk.at > 0 && now < app->talk.at)
        return app->talk.at - now;
    app->at_once = true;
    if (app->talk.at > 0)
        begin_training(app);
    app->talk.at = now + BEFORE;
    return BEFORE;
}

void ig_talk_update(ig_app *app)
{
    if (app->talk.chooses && app->options.narrate && app->now->evaluation)
        app->talk.chooses = !ig_talk_step(app, 0);
    if (app->now->activity == IG_FINISHED && !app->talk.finished)
        app->talk.row = app->cursor;
    app->talk.finished = app->now->activity == IG_FINISHED;
}

/* --- the narration ---------------------------------------------------------------- */

/* A figure of the whole in percent; NaN: not measured. */
static double percent_of(const ig_evaluation *e, const char *measure)
{
    return e ? 100 * ig_figures_value(&e->figures, measure) : (double)NAN;
}

/* Before training: what the encoder groups sentences by. */
static void describe_original(const ig_app *app, char *out, size_t size)
{
    const ig_shown_evaluation *e = app->now->evaluation;
    const ig_evaluation *original =
        e && e->version == app->now->version ? e->space[IG_SPACE_ORIGINAL] : NULL;
    double same = percent_of(original, "pool_same_language");
    double found = percent_of(original, "pool_translation");
    const char *subject = app->options.subject ? app->options.subject : "The encoder";

    if (isnan(same) || isnan(found))
        snprintf(out, size, "%s: %zu sentences in %zu languages", subject,
                 app->set->rows, app->set->languages);
    else
        snprintf(out, size,
                 same > found
                     ? "%s groups sentences by language: the nearest sentence "
                       "is in the same language for %.0f%%, a translation for "
                       "%.0f%%"
                     : "%s groups sentences by meaning, and by language: the "
                       "nearest sentence is in the same language for %.0f%%, a "
                       "translation for %.0f%%",
                 subject, same, found);
}

/* ", alignment worse (0.21 to 0.43)", for figures of the whole that lose. */
static void add_losses(const ig_evaluation *original, const ig_evaluation *meaning,
                       char *out, size_t size)
{
    static const struct {
        const char *measure, *name;
        double better, least; /* direction, and the least loss that is reported */
    } figure[] = {{"alignment", "alignment", -1, 0.02},
                  {"top1", "retrieval between two languages", 1, 0.005},
                  {"csls_top1", "CSLS top-1", 1, 0.005}};

    for (size_t i = 0; i < sizeof figure / sizeof *figure; i++) {
        double before = ig_figures_value(&original->figures, figure[i].measure);
        double after = ig_figures_value(&meaning->figures, figure[i].measure);

        if ((before - after) * figure[i].better > figure[i].least)
            ig_text_append(out, size, ", %s worse (%.2f to %.2f)", figure[i].name,
                           before, after);
    }
}

/* At the end: retrieval, what is worse, and the language that a probe still reads. */
static bool describe_finding(const ig_app *app, char *out, size_t size)
{
    const ig_shown_evaluation *e = app->now->evaluation;
    const ig_evaluation *original = e ? e->space[IG_SPACE_ORIGINAL] : NULL;
    const ig_evaluation *meaning = e ? e->space[IG_SPACE_MEANING] : NULL;
    double before = percent_of(original, "pool_translation");
    double after = percent_of(meaning, "pool_translation");
    const ig_figure *probe = meaning ? ig_figures_whole(&meaning->figures, "probe")
                                     : NULL;
    const char *verb = after - before <= -0.5      ? "worse"
                       : after - before < 0.5      ? "unchanged"
                       : before < 50 && after > 90 ? "repaired"
                                                   : "improved";

    if (isnan(before) || isnan(after) || app->now->measuring)
        return false;
    snprintf(out, size, "Retrieval %s (%.0f%% to %.0f%%)", verb, before, after);
    add_losses(original, meaning, out, size);
    if (probe && !isnan(probe->value))
        ig_text_append(out, size, "; a linear probe reads the language from %.0f%%",
                       100 * probe->value);
    ig_text_append(out, size, ". ] shows why.");
    return true;
}

/* The translations of the cursor's sentence among its ten nearest. */
static bool describe_sentence(const ig_app *app, char *out, size_t size)
{
    const ig_neighbours *near = app->now->neighbours;
    size_t shown, before, after;

    if (!near || near->row != app->cursor || !near->translations ||
        !near->has[IG_SPACE_MEANING] || !near->has[IG_SPACE_ORIGINAL])
        return false;
    before = ig_neighbours_found(near, IG_SPACE_ORIGINAL, &shown);
    after = ig_neighbours_found(near, IG_SPACE_MEANING, &shown);
    snprintf(out, size,
             "meaning space: %zu of %zu translations among the %zu nearest; original: "
             "%zu%s",
             after, near->translations, shown, before,
             after < before ? "; this sentence got worse" : "");
    return true;
}

/* The phases, from the first that holds. */
bool ig_narration_line(const ig_app *app, char *out, size_t size)
{
    const ig_session *now = app->now;
    bool training = now->activity == IG_TRAINING;
    double part = (double)ig_run_epochs(now->info) / (double)now->info->options.epochs;
    ig_extractor shown = {.kind = now->extractor};
    bool splits = ig_extractor_serves(&shown, IG_SPACE_LANGUAGE);
    const char *says = NULL;

    if (!app->options.narrate)
        return false;
    if (!training && ig_version_line(app, out, size))
        return true;
    if (now->looking)
        says = "past epoch: , and . previous and next, Esc returns";
    else if (now->activity == IG_PAUSED)
        says = "paused: , and . show past epochs, Space resumes";
    else if (now->activity == IG_FINISHED && now->main.shown->weights) {
        if (app->cursor == app->talk.row ? describe_finding(app, out, size)
                                         : describe_sentence(app, out, size))
            return true;
        says = "done; measuring all held-out sentences …";
    } else if (app->talk.waits ||
               (training && (!now->main.shown->weights || now->main.shown->epoch == 0)))
        describe_original(app, out, size);
    else if (!training)
        return false;
    else if (part < 0.3)
        says = splits ? "training separates meaning (dots) from language (solid)"
                      : "training brings translations together";
    else if (part < 0.6)
        says = splits ? "meaning mixes all languages (white); language separates them"
                      : "pale: all languages mix";
    else if (!describe_sentence(app, out, size))
        says = "v switches between meaning, language and original";
    if (says)
        snprintf(out, size, "%s", says);
    return true;
}

bool ig_talk_menu(const ig_app *app, char *out, size_t size)
{
    const ig_session *now = app->now;
    bool versions = app->versions.count > 1 && !now->main.shown->weights &&
                    !app->replay.on;

    if (!app->options.narrate || now->looking || app->focus != app->panel[0] ||
        app->selection->set.count || ig_search_matches(app) ||
        !(versions || (now->activity == IG_FINISHED && now->main.shown->weights)))
        return false;
    snprintf(out, size, "try next:|%s|→ sentences|%s|%s%s|m method|? help|q quit%s%s",
             !versions                                       ? "] why"
             : app->view->version + 1 == app->versions.count ? "{ previous version"
                                                             : "} next version",
             versions                           ? "C compare"
             : app->view->space == IG_MAP_JOINT ? "v original"
                                                : "v next map",
             app->options.can_ask ? "A type a sentence|" : "", "p replay",
             app->options.next_demo ? "|then: " : "",
             app->options.next_demo ? app->options.next_demo : "");
    return true;
}

/* --- advice ----------------------------------------------------------------------- */

static const double MOVED = 0.02; /* a small relative change of the loss */

bool ig_advice_for_set(const ig_app *app, char out[IG_ADVICE_SIZE])
{
    const ig_dataset *set = app->set;
    bool lacks = app->options.pairs && app->options.pairs->count == 0;

    if (lacks)
        snprintf(out, IG_ADVICE_SIZE,
                 set->languages < 2
                     ? "One language, no pairs: abtt (m) needs none."
                     : "No pairs to train on: add an id column or --pairs FILE. "
                       "centre, lir, lsar and leace need none (m).");
    else if (set->dims > set->rows)
        snprintf(out, IG_ADVICE_SIZE,
                 "%zu dimensions for %zu rows: likely to overfit. Try --dims 64.",
                 set->dims, set->rows);
    return lacks || set->dims > set->rows;
}

/* No advice for a run without a loss, or stopped manually. */
bool ig_advice_for_run(const ig_run_entry *run, char out[IG_ADVICE_SIZE])
{
    const ig_run_info *info = run ? run->info : NULL;
    const ig_run_record *best = info ? ig_run_info_best(info) : NULL;
    size_t epochs, most;
    double first, least, lr;

    if (!best || !run->run || run->run->going || run->stopped)
        return false;
    first = info->record->epoch.valid_loss;
    least = best->epoch.valid_loss;
    if (isnan(first)) {
        first = info->record->epoch.train_loss;
        least = best->epoch.train_loss;
    }
    lr = info->options.lr;
    most = info->options.epochs;
    epochs = ig_run_epochs(info);
    if (isnan(first) || !(lr > 0))
        return false;
    if (run->run->failed)
        snprintf(out, IG_ADVICE_SIZE,
                 "Training diverged; lower the learning rate: :set lr %g.", lr / 10);
    else if (epochs && fabs(first - least) <= MOVED * fabs(first))
        snprintf(out, IG_ADVICE_SIZE,
                 "The loss hardly changed (%.4g to %.4g): try :set lr %g.", first,
                 least, 10 * lr);
    else if (epochs && info->best == epochs && epochs >= most)
        snprintf(out, IG_ADVICE_SIZE,
                 "The last epoch was the best; train longer: :set epochs %zu.",
                 most < 100 ? 100 : 2 * most);
    else
        return false;
    return true;
}
