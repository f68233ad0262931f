/* Findings in sentences: they judge by intervals, and without them state figures. */
#include "measure/evaluation.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "measure/bootstrap.h"

enum { ORIGINAL, MEANING, LANGUAGE };              /* the spaces, as in ig_space */
static const int fault[] = {0, 0, IG_TONE_BAD, 0}; /* tones of faults: never good */

struct writer {
    ig_finding *out;
    size_t count;
    const char *view; /* of retrieval */
    const ig_evaluation *original;
    char change[128]; /* against another evaluation: set by format_change */
};

__attribute__((format(printf, 4, 5))) static void
add_finding(struct writer *w, int tone, const char *view, const char *format, ...)
{
    ig_finding *f = &w->out[w->count < IG_FINDINGS_MAX ? w->count++ : w->count - 1];
    va_list arguments;

    *f = (ig_finding){.tone = tone, .view = view};
    va_start(arguments, format);
    vsnprintf(f->text, sizeof f->text, format, arguments);
    va_end(arguments);
}

/* The figure of the whole that has a value, or NULL. */
static const ig_figure *figure_of(const ig_evaluation *e, const char *measure)
{
    const ig_figure *f = e ? ig_figures_whole(&e->figures, measure) : NULL;

    return f && !isnan(f->value) ? f : NULL;
}

/* Sets w->change to ", 3.1 points better than NAME (95%: 2.0–4.2)", or "" without
 * another evaluation. Returns the tone: chance, or of the change. */
static int format_change(struct writer *w, const ig_evaluation *other,
                         const ig_evaluation *e, int space, const char *measure,
                         const char *name)
{
    const ig_figure *before = figure_of(other, measure), *f = figure_of(e, measure);
    double points;
    char interval[40] = "";
    int tone = f && f->low <= f->chance && f->chance <= f->high ? IG_TONE_CHANCE
                                                                : IG_TONE_PLAIN;
    ig_difference d;

    w->change[0] = '\0';
    if (!before || !f || other == e)
        return tone;
    d = ig_difference_of_two(f->measure, &other->figures, &e->figures);
    points = 100 * (f->value - before->value);
    if (d.significant)
        snprintf(interval, sizeof interval, " (95%%: %.1f–%.1f)",
                 100 * fmin(fabs(d.interval.low), fabs(d.interval.high)),
                 100 * fmax(fabs(d.interval.low), fabs(d.interval.high)));
    if (ig_interval_is(d.interval) && !d.significant)
        snprintf(w->change, 128, ", not significantly different from %.40s", name);
    else
        snprintf(w->change, 128, ", %.1f points %s than %.40s%s", fabs(points),
                 points > 0 ? "better" : "worse", name, interval);
    points *= d.significant ? ig_better(f->measure, (size_t)space) : 0;
    return tone || !(fabs(points) > 0) ? tone : points > 0 ? IG_TONE_GOOD : IG_TONE_BAD;
}

/* --- retrieval -------------------------------------------------------------------- */

/* Top-1, a mean that may omit directions, and its change against another. */
static void add_retrieval(struct writer *w, const ig_evaluation *e,
                          const ig_evaluation *other, const char *than)
{
    const ig_figure *f = figure_of(e, "top1");
    char scope[64] = "all translations";
    int tone = format_change(w, other, e, MEANING, "top1", than);

    if (!f)
        return;
    if (f->items != e->retrieval.count)
        snprintf(scope, sizeof scope, "translations in %zu of %zu directions", f->items,
                 e->retrieval.count);
    add_finding(w, tone, w->view, "%s embeddings find %.1f%% of %s (chance %.1f%%)%s.",
                e == w->original ? "The original" : "Meaning", 100 * f->value, scope,
                100 * f->chance, w->change);
}

static void add_pool(struct writer *w, const ig_evaluation *e)
{
    const ig_figure *found = figure_of(e, "pool_translation");
    const ig_figure *same = figure_of(e, "pool_same_language");
    const ig_figure *before = figure_of(w->original, "pool_translation");
    int tone = format_change(w, w->original, e, MEANING, "pool_translation", "");

    if (!found || !same)
        return;
    w->change[0] = '\0';
    if (e != w->original && before)
        snprintf(w->change, sizeof w->change, " (original: %.0f%% and %.0f%%)",
                 100 * before->value,
                 100 * ig_figures_value(&w->original->figures, "pool_same_language"));
    add_finding(w, tone, NULL,
                "In the multilingual pool the nearest sentence is a translation for "
                "%.0f%%, a sentence in the same language for %.0f%%%s.",
                100 * found->value, 100 * same->value, w->change);
}

/* --- leakage ---------------------------------------------------------------------- */

/* The language that probes read: meaning should have none, language embeddings much. */
static void add_probe(struct writer *w, const ig_evaluation *e, int space)
{
    static const char *const of[][2] = {{"vectors", "probe-original"},
                                        {"meaning embeddings", "probe-meaning"},
                                        {"language embeddings", "probe-language"}};
    const ig_figure *linear = figure_of(e, "probe");
    bool above = false, known = true;
    double low = 1, high = 0;
    int tone = format_change(w, w->original, e, space, "probe", "");
    char verdict[96] = "";

    if (!linear)
        return;
    for (size_t i = 0; i < e->figures.count; i++) {
        const ig_figure *f = e->figures.row[i];

        if ((f->measure->group != IG_GROUP_PROBE &&
             f->measure->group != IG_GROUP_HIDDEN_PROBE) ||
            !ig_figure_is_whole(f) || f->measure->is & IG_POINT_ONLY || isnan(f->value))
            continue;
        above |= f->low > f->chance;
        known &= ig_figure_has_interval(f);
        low = fmin(low, f->low);
        high = fmax(high, f->high);
    }
    if (above && space == MEANING)
        snprintf(verdict, sizeof verdict, ": language remains");
    else if (known && !above)
        snprintf(verdict, sizeof verdict,
                 ": not distinguishable from chance by these probes (95%%: "
                 "%.0f–%.0f%%%s)",
                 100 * low, 100 * high, e->probe.few ? "; few rows" : "");
    add_finding(w, above && *verdict ? fault[tone] : tone, of[space][1],
                "A linear probe reads the language from %.0f%% of unseen %s (chance: "
                "%.3g%%)%s.",
                100 * linear->value, of[space][0], 100 * linear->chance, verdict);
}

static void add_leak(struct writer *w, const ig_evaluation *language)
{
    const ig_figure *f = figure_of(language, "top1");
    bool known = f && ig_figure_has_interval(f);
    const ig_retrieval *r = language ? &language->retrieval : NULL;
    int tone = format_change(w, w->original, language, LANGUAGE, "top1", "");

    if (r && r->count && r->blind == r->count)
        add_finding(w, IG_TONE_CHANCE, "language",
                    "Retrieval finds no meaning: all language embeddings tie.");
    else if (known && !(f->low > f->chance))
        add_finding(w, tone, "language",
                    "Retrieval finds no meaning: language embeddings find %.1f%% of "
                    "translations (95%%: %.1f–%.1f%%, chance %.1f%%).",
                    100 * f->value, 100 * f->low, 100 * f->high, 100 * f->chance);
    else if (f)
        add_finding(w, fault[tone], "language",
                    "Language embeddings find %.1f%% of translations (chance "
                    "%.1f%%)%s.",
                    100 * f->value, 100 * f->chance,
                    known ? ": meaning has leaked into them" : "");
}

/* --- all -------------------------------------------------------------------------- */

size_t ig_findings_make(ig_finding out[IG_FINDINGS_MAX],
                        const ig_evaluation *const *space, const ig_evaluation *other,
                        const char *run)
{
    static const char *const name[] = {"original", "meaning", "language"};
    const ig_evaluation *original = space[ORIGINAL];
    const ig_evaluation *e = space[MEANING] ? space[MEANING] : original;
    struct writer w = {.out = out,
                       .original = original,
                       .view = name[e == original ? ORIGINAL : MEANING]};
    char than[48] = "the original";

    if (!original)
        return 0;
    if (other)
        snprintf(than, sizeof than, "run %.40s", run);
    for (int s = MEANING; s <= LANGUAGE; s++) {
        const ig_figure *f = figure_of(space[s], "uniformity");

        if (f && f->value > IG_UNIFORMITY_POINT)
            add_finding(&w, IG_TONE_BAD, "summary",
                        "The %s embeddings have collapsed to nearly one point "
                        "(uniformity %.3f): their other figures are unreliable.",
                        name[s], f->value);
    }
    other = other ? other : original;
    add_retrieval(&w, e, other, than);
    add_pool(&w, e);
    for (int s = e == original ? ORIGINAL : MEANING; s < IG_MEASURE_SPACES; s++)
        add_probe(&w, space[s], s);
    add_leak(&w, space[LANGUAGE]);
    if (original->taken & IG_MEASURE_RETRIEVAL && !original->retrieval.count)
        add_finding(&w, IG_TONE_PLAIN, "summary",
                    "No id occurs in two languages: there are no translations to "
                    "search.");
    return w.count;
}
