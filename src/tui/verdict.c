/* Verdicts: a sentence each, where there is something to say. */
#include "tui/verdict.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "measure/differences.h"
#include "tui/leakage.h"

/* Points of a hundred: less is no difference, as much above chance is a leak. */
static const double SAME = 0.5, LEAK = 10, LOST = 2;

struct writing {
    ig_verdict *out;
    size_t count;
    const ig_evaluation *original, *meaning, *language;
    const char *const *name;
};

static ig_verdict *say(struct writing *w, ig_tone tone, const char *view,
                       const char *format, ...) __attribute__((format(printf, 4, 5)));

static ig_verdict *say(struct writing *w, ig_tone tone, const char *view,
                       const char *format, ...)
{
    ig_verdict *v;
    va_list arguments;

    if (w->count == IG_VERDICTS)
        return NULL;
    v = &w->out[w->count++];
    *v = (ig_verdict){.tone = tone, .view = view};
    va_start(arguments, format);
    vsnprintf(v->text, sizeof v->text, format, arguments);
    va_end(arguments);
    return v;
}

static void at_cell(ig_verdict *v, const ig_figure *f)
{
    if (!v)
        return;
    v->has_cell = true;
    v->from = (uint16_t)(f->lang[0] - 1);
    v->to = (uint16_t)(f->lang[1] - 1);
}

/* A figure of the whole, and what guessing gives, in percent; NaN: there is none. */
static double percent(const ig_evaluation *e, const char *measure)
{
    return e ? 100 * ig_figures_value(&e->figures, measure) : (double)NAN;
}

static double chance(const ig_evaluation *e, const char *measure)
{
    const ig_figure *f = e ? ig_figures_whole(&e->figures, measure) : NULL;

    return f ? 100 * f->chance : (double)NAN;
}

/* Top-1 of the direction of a figure in another evaluation. */
static double same_direction(const ig_evaluation *e, const ig_figure *f)
{
    const ig_figure *other =
        e ? ig_figures_find(&e->figures, f->measure, f->lang[0] - 1u, f->lang[1] - 1u)
          : NULL;

    return other ? other->value : (double)NAN;
}

/* Whether a row is top-1 of a direction. */
static bool is_direction(const ig_figure *f)
{
    return ig_figure_is_pair(f) && strcmp(f->measure->name, "top1") == 0;
}

static ig_tone tone_of(double points)
{
    return points >= SAME    ? IG_TONE_GOOD
           : points <= -SAME ? IG_TONE_BAD
                             : IG_TONE_PLAIN;
}

/* "3.1 points better than the original vectors", or as good as they. */
static const char *against(double points, char out[64])
{
    if (fabs(points) < SAME)
        snprintf(out, 64, "as well as by the original vectors");
    else
        snprintf(out, 64, "%.1f points %s than by the original vectors", fabs(points),
                 points > 0 ? "better" : "worse");
    return out;
}

/* --- translations between two languages ------------------------------------------- */

static bool has_pairs(const ig_evaluation *e)
{
    return e && e->taken & IG_MEASURE_RETRIEVAL && e->retrieval.count > 0;
}

static void say_retrieval(struct writing *w)
{
    const ig_evaluation *e = w->meaning ? w->meaning : w->original;
    const char *space = w->meaning ? "meaning" : "original";
    double top1 = percent(e, "top1"), points;
    char text[64];

    if (!has_pairs(e) || isnan(top1))
        return;
    if (!w->meaning) {
        say(w, IG_TONE_PLAIN, space,
            "The original vectors find %.1f%% of all translations (chance %.1f%%).",
            top1, chance(e, "top1"));
        return;
    }
    points = top1 - percent(w->original, "top1");
    if (isnan(points))
        return;
    say(w, tone_of(points), space,
        "Meaning finds %.1f%% of all translations, %s (chance %.1f%%).", top1,
        against(points, text), chance(e, "top1"));
}

/* The direction in which fewest are found, and the one that lost most. */
static void say_worst(struct writing *w)
{
    const ig_evaluation *e = w->meaning ? w->meaning : w->original;
    const ig_figure *worst = NULL, *loser = NULL;
    double lost = LOST, points = (double)NAN;
    size_t directions = 0;
    char text[64];
    ig_verdict *v;

    for (size_t i = 0; has_pairs(e) && i < e->figures.count; i++) {
        const ig_figure *f = &e->figures.row[i];
        double before;

        directions += is_direction(f);
        if (!is_direction(f) || isnan(f->value))
            continue;
        before = w->meaning ? same_direction(w->original, f) : (double)NAN;
        if (!worst || f->value < worst->value) {
            worst = f;
            points = 100 * (f->value - before);
        }
        if (100 * (before - f->value) > lost) {
            loser = f;
            lost = 100 * (before - f->value);
        }
    }
    if (!worst || directions < 2)
        return;
    v = say(w, isnan(points) ? IG_TONE_PLAIN : tone_of(points),
            w->meaning ? "meaning" : "original",
            "Worst pair: %.24s finds its %.24s translation %.0f of %zu times%s%s.",
            w->name[worst->lang[0] - 1], w->name[worst->lang[1] - 1],
            round(worst->value * (double)worst->n), worst->n, isnan(points) ? "" : ", ",
            isnan(points) ? "" : against(points, text));
    at_cell(v, worst);
    if (loser && loser != worst) {
        v = say(w, IG_TONE_BAD, "meaning", "%.24s to %.24s lost most: %.1f points.",
                w->name[loser->lang[0] - 1], w->name[loser->lang[1] - 1], lost);
        at_cell(v, loser);
    }
}

/* --- all languages together ------------------------------------------------------- */

static void say_pool(struct writing *w)
{
    const ig_evaluation *e = w->meaning ? w->meaning : w->original;
    double found = percent(e, "pool_translation");
    double same = percent(e, "pool_same_language");
    double found_before = percent(w->original, "pool_translation");
    double same_before = percent(w->original, "pool_same_language");
    char before[96] = "";

    if (isnan(found) || isnan(same))
        return;
    if (w->meaning && !isnan(found_before) && !isnan(same_before))
        snprintf(before, sizeof before, " (original: %.0f%% and %.0f%%)", found_before,
                 same_before);
    say(w, w->meaning ? tone_of(found - found_before) : IG_TONE_PLAIN,
        w->meaning ? "pool-meaning" : "pool-original",
        "Among all languages together the nearest sentence is a translation for "
        "%.0f%%, a sentence in the same language for %.0f%%%s.",
        found, same, before);
}

/* --- what is read from where it should not be ------------------------------------- */

static void say_language_finds(struct writing *w)
{
    const ig_evaluation *e = w->language;
    double top1, guess;

    if (!has_pairs(e))
        return;
    if (e->retrieval.blind == e->retrieval.count) {
        say(w, IG_TONE_GOOD, "language",
            "Language embeddings tell nothing of the meaning: all candidates tie.");
        return;
    }
    top1 = percent(e, "top1");
    guess = chance(e, "top1");
    if (isnan(top1))
        return;
    if (top1 - guess < LEAK / 2)
        say(w, IG_TONE_GOOD, "language",
            "Language embeddings find %.1f%% of translations, hardly more than "
            "guessing (%.1f%%).",
            top1, guess);
    else
        say(w, IG_TONE_BAD, "language",
            "Language embeddings still find %.1f%% of translations (chance %.1f%%): "
            "meaning has leaked into them.",
            top1, guess);
}

/* What the linear probe reads, and the one with a hidden layer where it reads more. */
static void say_probe(struct writing *w, const ig_evaluation *e, const char *what,
                      const char *view, bool wanted)
{
    double linear = percent(e, "probe"), guess = chance(e, "probe");
    double hidden = percent(e, "probe_hidden");
    char more[80] = "";
    bool reads;

    if (isnan(linear))
        return;
    if (!isnan(hidden) && hidden > linear + LEAK / 2)
        snprintf(more, sizeof more, ", one with a hidden layer from %.0f%%", hidden);
    reads = fmax(linear, isnan(hidden) ? 0 : hidden) > guess + LEAK;
    say(w, reads == wanted ? IG_TONE_GOOD : IG_TONE_BAD, view,
        "A linear probe reads the language from %.0f%% of unseen %s%s (guessing: "
        "%.0f%%)%s.",
        linear, what, more, guess,
        wanted  ? reads ? "" : ": they tell too little"
        : reads ? ": language is still there"
                : ": language is gone");
}

static void say_probes(struct writing *w)
{
    if (!w->meaning) {
        if (!isnan(percent(w->original, "probe")))
            say(w, IG_TONE_PLAIN, "probe-original",
                "A linear probe reads the language from %.0f%% of unseen vectors "
                "(guessing: %.0f%%).",
                percent(w->original, "probe"), chance(w->original, "probe"));
        return;
    }
    say_probe(w, w->meaning, "meaning embeddings", "probe-meaning", false);
    say_probe(w, w->language, "language embeddings", "probe-language", true);
}

/* A space that is nearly one point: its figures mean little. */
static void say_points(struct writing *w)
{
    static const char *const name[] = {"meaning", "language"};
    const ig_evaluation *space[] = {w->meaning, w->language};

    for (int i = 0; i < 2; i++)
        if (space[i] && space[i]->taken & IG_MEASURE_GEOMETRY &&
            ig_geometry_is_point(&space[i]->geometry))
            say(w, IG_TONE_BAD, "summary",
                "The %s embeddings are nearly one point (uniformity %.3f): their "
                "other figures say little.",
                name[i], space[i]->geometry.uniformity);
}

size_t ig_verdict_make(ig_verdict out[IG_VERDICTS], const ig_shown_evaluation *measured,
                       const char *const *language)
{
    struct writing w = {.out = out,
                        .original = measured->space[IG_SPACE_ORIGINAL],
                        .meaning = measured->space[IG_SPACE_MEANING],
                        .language = measured->space[IG_SPACE_LANGUAGE],
                        .name = language};

    if (!w.original)
        return 0;
    say_points(&w);
    say_retrieval(&w);
    say_pool(&w);
    say_worst(&w);
    say_probes(&w);
    say_language_finds(&w);
    if (!has_pairs(w.original))
        say(&w, IG_TONE_PLAIN, "summary",
            "No row shares an id with one of another language, so no translations "
            "can be looked for.");
    if (!w.meaning)
        say(&w, IG_TONE_PLAIN, NULL,
            "Space trains a run: then meaning and language are measured apart.");
    return w.count;
}

/* --- two runs --------------------------------------------------------------------- */

/* Whether both are of the same rows. */
static bool comparable(const ig_shown_evaluation *a, const ig_shown_evaluation *b)
{
    return a && b && a->ids == b->ids && a->rows == b->rows &&
           a->held_out == b->held_out && a->space[IG_SPACE_MEANING] &&
           b->space[IG_SPACE_MEANING];
}

/* ", 95% 2.1 to 4.0", or that it may be chance; "" where nothing was drawn. */
static void say_interval(const ig_evaluation *theirs, const ig_evaluation *mine,
                         char *out, size_t size)
{
    const ig_measure *top1 = ig_measure_named("top1");
    ig_difference d;

    out[0] = '\0';
    if (ig_difference_take(&d, top1, theirs, mine, NULL) != IG_OK ||
        isnan(d.interval.low))
        return;
    if (d.significant)
        snprintf(out, size, " (95%%: %.1f to %.1f)",
                 100 * fmin(fabs(d.interval.low), fabs(d.interval.high)),
                 100 * fmax(fabs(d.interval.low), fabs(d.interval.high)));
    else
        snprintf(out, size, ", which may be chance");
}

static void say_versus_mean(struct writing *w, const char *run,
                            const ig_evaluation *theirs, const char *other)
{
    double points = percent(w->meaning, "top1") - percent(theirs, "top1");
    char interval[64];

    if (isnan(points))
        return;
    if (fabs(points) < SAME) {
        say(w, IG_TONE_PLAIN, "versus",
            "Run %.40s finds as many translations as run %.40s.", run, other);
        return;
    }
    say_interval(theirs, w->meaning, interval, sizeof interval);
    say(w, tone_of(points), "versus",
        "Run %.40s finds %.1f points %s translations than run %.40s%s.", run,
        fabs(points), points > 0 ? "more" : "fewer", other, interval);
}

/* The directions in which they differ most, one way and the other. */
static void say_versus_pairs(struct writing *w, const ig_evaluation *theirs,
                             const char *other)
{
    const ig_figures *figures = &w->meaning->figures;
    const ig_figure *ahead = NULL, *behind = NULL;
    double most = SAME / 100, least = -SAME / 100;
    size_t more = 0, fewer = 0, both = 0;

    for (size_t i = 0; i < figures->count; i++) {
        const ig_figure *f = &figures->row[i];
        double gain = is_direction(f) ? f->value - same_direction(theirs, f)
                                      : (double)NAN;

        if (isnan(gain)) /* a language that one of the runs lacks */
            continue;
        both++;
        more += gain >= SAME / 100;
        fewer += gain <= -SAME / 100;
        if (gain > most) {
            most = gain;
            ahead = f;
        }
        if (gain < least) {
            least = gain;
            behind = f;
        }
    }
    if (both < 2)
        return;
    say(w, IG_TONE_PLAIN, "versus",
        "Of %zu directions it is better in %zu and worse in %zu.", both, more, fewer);
    if (ahead)
        at_cell(say(w, IG_TONE_GOOD, "versus",
                    "Most ahead of run %.40s: %.24s to %.24s, %.1f points.", other,
                    w->name[ahead->lang[0] - 1], w->name[ahead->lang[1] - 1],
                    100 * most),
                ahead);
    if (behind)
        at_cell(say(w, IG_TONE_BAD, "versus",
                    "Most behind: %.24s to %.24s, %.1f points.",
                    w->name[behind->lang[0] - 1], w->name[behind->lang[1] - 1],
                    -100 * least),
                behind);
}

size_t ig_verdict_versus(ig_verdict out[IG_VERDICTS], const ig_shown_evaluation *mine,
                         const char *run, const ig_shown_evaluation *theirs,
                         const char *other, const char *const *language)
{
    struct writing w = {.out = out, .name = language};
    const ig_evaluation *meaning;

    if (!comparable(mine, theirs))
        return 0;
    w.meaning = mine->space[IG_SPACE_MEANING];
    meaning = theirs->space[IG_SPACE_MEANING];
    if (!has_pairs(w.meaning) || !has_pairs(meaning))
        return 0;
    say_versus_mean(&w, run, meaning, other);
    say_versus_pairs(&w, meaning, other);
    return w.count;
}
