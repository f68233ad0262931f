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

static void at_cell(ig_verdict *v, const ig_retrieval_score *s)
{
    if (!v)
        return;
    v->has_cell = true;
    v->from = s->from;
    v->to = s->to;
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

/* What guessing would find. */
static double chance_of(const ig_retrieval *r)
{
    double sum = 0;

    for (size_t i = 0; i < r->count; i++)
        sum += r->score[i].candidates ? 1 / (double)r->score[i].candidates : 0;
    return r->count ? sum / (double)r->count : NAN;
}

static void say_retrieval(struct writing *w)
{
    const ig_evaluation *e = w->meaning ? w->meaning : w->original;
    const char *space = w->meaning ? "meaning" : "original";
    double top1 = e->retrieval.mean.top1, points;
    char text[64];

    if (!has_pairs(e) || isnan(top1))
        return;
    if (!w->meaning) {
        say(w, IG_TONE_PLAIN, space,
            "The original vectors find %.1f%% of all translations (chance %.1f%%).",
            100 * top1, 100 * chance_of(&e->retrieval));
        return;
    }
    points = 100 * (top1 - w->original->retrieval.mean.top1);
    if (isnan(points))
        return;
    say(w, tone_of(points), space,
        "Meaning finds %.1f%% of all translations, %s (chance %.1f%%).", 100 * top1,
        against(points, text), 100 * chance_of(&e->retrieval));
}

/* The direction in which fewest are found, and the one that lost most. */
static void say_worst(struct writing *w)
{
    const ig_evaluation *e = w->meaning ? w->meaning : w->original;
    const ig_retrieval_score *worst = NULL, *loser = NULL;
    double lost = LOST, points = NAN;
    char text[64];
    ig_verdict *v;

    for (size_t i = 0; has_pairs(e) && i < e->retrieval.count; i++) {
        const ig_retrieval_score *s = &e->retrieval.score[i];
        const ig_retrieval_score *o =
            w->meaning ? ig_leakage_score(w->original, s->from, s->to) : NULL;

        if (isnan(s->top1))
            continue;
        if (!worst || s->top1 < worst->top1) {
            worst = s;
            points = o ? 100 * (s->top1 - o->top1) : NAN;
        }
        if (o && 100 * (o->top1 - s->top1) > lost) {
            loser = s;
            lost = 100 * (o->top1 - s->top1);
        }
    }
    if (!worst || e->retrieval.count < 2)
        return;
    v = say(w, isnan(points) ? IG_TONE_PLAIN : tone_of(points),
            w->meaning ? "meaning" : "original",
            "Worst pair: %.24s finds its %.24s translation %.0f of %zu times%s%s.",
            w->name[worst->from], w->name[worst->to],
            round(worst->top1 * (double)worst->pairs), worst->pairs,
            isnan(points) ? "" : ", ", isnan(points) ? "" : against(points, text));
    at_cell(v, worst);
    if (loser && loser != worst) {
        v = say(w, IG_TONE_BAD, "meaning", "%.24s to %.24s lost most: %.1f points.",
                w->name[loser->from], w->name[loser->to], lost);
        at_cell(v, loser);
    }
}

/* --- all languages together ------------------------------------------------------- */

static void say_pool(struct writing *w)
{
    const ig_evaluation *e = w->meaning ? w->meaning : w->original;
    const ig_mixed_pool *p = &e->mixed_pool, *o = &w->original->mixed_pool;
    char before[96] = "";

    if (!(e->taken & IG_MEASURE_MIXED_POOL) || isnan(p->translation) ||
        isnan(p->own_language))
        return;
    if (w->meaning && !isnan(o->translation) && !isnan(o->own_language))
        snprintf(before, sizeof before, " (original: %.0f%% and %.0f%%)",
                 100 * o->translation, 100 * o->own_language);
    say(w,
        w->meaning ? tone_of(100 * (p->translation - o->translation)) : IG_TONE_PLAIN,
        w->meaning ? "pool-meaning" : "pool-original",
        "Among all languages together the nearest sentence is a translation for "
        "%.0f%%, one of the own language for %.0f%%%s.",
        100 * p->translation, 100 * p->own_language, before);
}

/* --- what is read from where it should not be ------------------------------------- */

static void say_language_finds(struct writing *w)
{
    const ig_evaluation *e = w->language;
    double top1, chance;

    if (!has_pairs(e))
        return;
    if (e->retrieval.blind == e->retrieval.count) {
        say(w, IG_TONE_GOOD, "language",
            "Language embeddings tell nothing of the meaning: all candidates tie.");
        return;
    }
    top1 = e->retrieval.mean.top1;
    chance = chance_of(&e->retrieval);
    if (isnan(top1))
        return;
    if (100 * (top1 - chance) < LEAK / 2)
        say(w, IG_TONE_GOOD, "language",
            "Language embeddings find %.1f%% of translations, hardly more than "
            "guessing (%.1f%%).",
            100 * top1, 100 * chance);
    else
        say(w, IG_TONE_BAD, "language",
            "Language embeddings still find %.1f%% of translations (chance %.1f%%): "
            "meaning has leaked into them.",
            100 * top1, 100 * chance);
}

/* What the linear probe reads, and the one with a hidden layer where it reads more. */
static void say_probe(struct writing *w, const ig_evaluation *e, const char *what,
                      const char *view, bool wanted)
{
    bool measured = e && e->taken & IG_MEASURE_PROBE && !isnan(e->probe.accuracy);
    double linear, guess, hidden;
    char more[80] = "";
    bool reads;

    if (!measured)
        return;
    linear = 100 * e->probe.accuracy;
    guess = 100 * e->probe.majority;
    hidden = e->taken & IG_MEASURE_HIDDEN_PROBE ? 100 * e->hidden_probe.accuracy : NAN;
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
        if (w->original->taken & IG_MEASURE_PROBE &&
            !isnan(w->original->probe.accuracy))
            say(w, IG_TONE_PLAIN, "probe-original",
                "A linear probe reads the language from %.0f%% of unseen vectors "
                "(guessing: %.0f%%).",
                100 * w->original->probe.accuracy, 100 * w->original->probe.majority);
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
    const ig_measure_entry *entry = ig_measure_named("top1");
    ig_difference d;

    out[0] = '\0';
    if (!entry || ig_difference_take(&d, entry, theirs, mine, NULL) != IG_OK ||
        isnan(d.interval.low))
        return;
    if (d.stands)
        snprintf(out, size, " (95%%: %.1f to %.1f)",
                 100 * fmin(fabs(d.interval.low), fabs(d.interval.high)),
                 100 * fmax(fabs(d.interval.low), fabs(d.interval.high)));
    else
        snprintf(out, size, ", which may be chance");
}

static void say_versus_mean(struct writing *w, const char *run,
                            const ig_evaluation *theirs, const char *other)
{
    double points = 100 *
                    (w->meaning->retrieval.mean.top1 - theirs->retrieval.mean.top1);
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
    const ig_retrieval *r = &w->meaning->retrieval;
    const ig_retrieval_score *ahead = NULL, *behind = NULL;
    double most = SAME / 100, least = -SAME / 100;
    size_t more = 0, fewer = 0, both = 0;

    for (size_t i = 0; i < r->count; i++) {
        const ig_retrieval_score *s = &r->score[i];
        const ig_retrieval_score *o = ig_leakage_score(theirs, s->from, s->to);
        double gain = o ? s->top1 - o->top1 : NAN;

        if (isnan(gain)) /* a language that one of them lacks */
            continue;
        both++;
        more += gain >= SAME / 100;
        fewer += gain <= -SAME / 100;
        if (gain > most) {
            most = gain;
            ahead = s;
        }
        if (gain < least) {
            least = gain;
            behind = s;
        }
    }
    if (both < 2)
        return;
    say(w, IG_TONE_PLAIN, "versus",
        "Of %zu directions it is better in %zu and worse in %zu.", both, more, fewer);
    if (ahead)
        at_cell(say(w, IG_TONE_GOOD, "versus",
                    "Most ahead of run %.40s: %.24s to %.24s, %.1f points.", other,
                    w->name[ahead->from], w->name[ahead->to], 100 * most),
                ahead);
    if (behind)
        at_cell(say(w, IG_TONE_BAD, "versus",
                    "Most behind: %.24s to %.24s, %.1f points.", w->name[behind->from],
                    w->name[behind->to], -100 * least),
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
