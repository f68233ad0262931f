/* Findings in sentences: they judge by intervals, and without them state figures. */
#include "measure/evaluation.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "measure/bootstrap.h"

enum { ORIGINAL, MEANING, LANGUAGE }; /* the spaces, as in ig_space */

#define CONDITION "; the run was fitted to these rows."

struct writer {
    ig_finding *out;
    size_t count;
    const ig_evaluation *const *space;
    const ig_evaluation *const *other; /* by space, compared with; each or NULL */
    const char *name;                  /* of others */
    int fitted;                        /* 1: say so of findings; 2: others are */
    bool compared;                     /* with others: set by format_change, … */
    char change[128];                  /* … as this is */
};

__attribute__((format(printf, 4, 5))) static void
add_finding(struct writer *w, int tone, const char *view, const char *format, ...)
{
    ig_finding *f = &w->out[w->count < IG_FINDINGS_MAX ? w->count++ : w->count - 1];
    va_list arguments;

    *f = (ig_finding){.tone = tone, .view = view, .kind = format};
    va_start(arguments, format);
    vsnprintf(f->text, sizeof f->text - sizeof CONDITION, format, arguments);
    va_end(arguments);
    if (w->fitted & 1) /* before the full stop */
        snprintf(f->text + strlen(f->text) - 1, sizeof CONDITION, CONDITION);
}

/* The figure of the whole that has a value, or NULL. */
static const ig_figure *figure_of(const ig_evaluation *e, const char *measure)
{
    const ig_figure *f = e ? ig_figures_whole(&e->figures, measure) : NULL;

    return f && !isnan(f->value) ? f : NULL;
}

/* "85.1% (95%: 83.9–86.2%, chance 0.2%)"; without intervals (yet) "(chance 0.2%)". */
enum { QUOTED = 80 };
static const char *quote(const struct writer *w, char out[QUOTED], const ig_figure *f)
{
    char interval[40] = "no interval, ";

    if (ig_figure_has_interval(f))
        snprintf(interval, sizeof interval, "95%%: %.1f–%.1f%%, ", 100 * f->low,
                 100 * f->high);
    snprintf(out, QUOTED, "%.1f%% (%schance %.1f%%)", 100 * f->value,
             w->space[ORIGINAL]->figures.intervals ? interval : "", 100 * f->chance);
    return out;
}

/* Sets w->change to ", 3.1 points better than NAME, 95%: 2.0–4.2", without intervals
 * to its figure. NAME is what the space is compared with, else the original. Returns
 * the tone: chance, or of the change, but for praise of a run fitted to these rows. */
static int format_change(struct writer *w, int space, const char *measure)
{
    bool compared = w->compared = w->other && w->other[space];
    const ig_evaluation *e = w->space[space],
                        *other = compared ? w->other[space] : w->space[ORIGINAL];
    const ig_figure *before = figure_of(other, measure), *f = figure_of(e, measure);
    const char *name = compared ? w->name : "the original";
    int tone = f && f->low <= f->chance && f->chance <= f->high ? IG_TONE_CHANCE : 0;
    double points;
    ig_difference d;

    w->change[0] = '\0';
    if (!before || !f || other == e)
        return tone;
    d = ig_difference_take(f->measure,
                           (ig_seeds){(const ig_figures *[]){&other->figures}, 1},
                           (ig_seeds){(const ig_figures *[]){&e->figures}, 1});
    points = 100 * (f->value - before->value) * ig_better(f->measure, (size_t)space);
    if (f->measure->is & IG_POINT_ONLY || !e->figures.intervals ||
        !other->figures.intervals)
        snprintf(w->change, 128, ", %.40s %.1f%%", name, 100 * before->value);
    else if (points == 0 || (!isnan(d.low) && !d.significant))
        snprintf(w->change, 128, ", %s %.40s",
                 points == 0 ? "as in" : "not significantly different from", name);
    else
        snprintf(w->change, 128, ", %.1f points %s than %.40s", fabs(points),
                 points > 0 ? "better" : "worse", name);
    if (d.significant)
        ig_text_append(w->change, 128, ", 95%%: %.1f–%.1f",
                       100 * fmin(fabs(d.low), fabs(d.high)),
                       100 * fmax(fabs(d.low), fabs(d.high)));
    if (tone || !d.significant || w->fitted & (points > 0 ? 1 : 2 * compared))
        return tone;
    return points > 0 ? IG_TONE_GOOD : IG_TONE_BAD;
}

/* The language whose translations come first most above chance, if some do by intervals
 * at 1 − .05/K: it is chosen among K languages (Bonferroni). */
static void add_preference(struct writer *w, const ig_evaluation *e, int space)
{
    const ig_measure *m = ig_measure_named("first_translation");
    const ig_figure *most = NULL;
    char found[QUOTED];
    double k = 0;

    for (size_t i = 0; i < e->figures.count; i++)
        k += e->figures.row[i]->measure == m;
    for (size_t i = 0; i < e->figures.count; i++) {
        const ig_figure *f = e->figures.row[i];
        double more = f->value - f->chance, below = f->value - f->low,
               u = (double)f->units;

        if (f->measure != m || !(more > 0))
            continue;
        if (u > 1)
            below *= ig_t_quantile(0.05 / k, u - 1) / ig_t_quantile(0.05, u - 1);
        if (more > below && (!most || more > most->value - most->chance))
            most = f;
    }
    format_change(w, space, "preference");
    if (most)
        add_finding(w, IG_TONE_PLAIN, "preference",
                    "The nearest translation is in %s for %s of the sentences that "
                    "have one there; language preference: %.1f%%%s.",
                    most->to, quote(w, found, most),
                    100 * ig_figures_value(&e->figures, "preference"), w->change);
}

static void add_pool(struct writer *w, const ig_evaluation *e, int space)
{
    const ig_figure *found = figure_of(e, "pool_translation");
    const ig_figure *same = figure_of(e, "pool_same_language");
    const char *key = found ? "pool_translation" : "pool_same_language";
    int tone = format_change(w, space, key);
    char one[QUOTED], other[QUOTED];

    if (found && same)
        add_finding(w, tone, key,
                    "The nearest of all rows is a translation for %s%s; it has the "
                    "same language for %s.",
                    quote(w, one, found), w->change, quote(w, other, same));
    else if (same)
        add_finding(w, tone, key, "The nearest row has the same language for %s%s.",
                    quote(w, one, same), w->change);
    add_preference(w, e, space);
}

/* The language that probes read, of rows new to them at most what there is: the best of
 * meaning. Halves have few rows; those fitted on others miss overfitted erasure. */
static void add_probe(struct writer *w, const ig_evaluation *e, int space)
{
    static const char *const of[][2] = {{"vectors", "probe-original"},
                                        {"meaning embeddings", "probe-meaning"},
                                        {"language embeddings", "probe-language"}};
    static const char *const others[] = {"probe_raw", "probe_fitted",
                                         "probe_raw_fitted", "probe_hidden",
                                         "probe_hidden_fitted"};
    const ig_figure *halves = figure_of(e, "probe"), *most = halves, *f;
    const char *few = "";
    char verdict[240] = "", read[QUOTED];
    bool above;
    int tone;

    if (!halves)
        return;
    for (size_t i = 0; i < sizeof others / sizeof *others && space == MEANING; i++)
        if ((f = figure_of(e, others[i])) != NULL &&
            f->value - f->chance > most->value - most->chance)
            most = f;
    above = most->low > most->chance;
    if (halves->marked && (space == MEANING || !above))
        few = ", few or unequal rows: an underestimate";
    tone = format_change(w, space, most->measure->name);
    if (ig_figure_has_interval(most) && (!above || space == MEANING))
        snprintf(verdict, sizeof verdict, ": %s",
                 above ? "language remains" : "not distinguishable from chance");
    if (most != halves)
        ig_text_append(verdict, sizeof verdict,
                       "; this is '%s', which reads more than '%s' (%.1f%%%s)",
                       most->measure->label, halves->measure->label,
                       100 * halves->value, few);
    else
        ig_text_append(verdict, sizeof verdict, "%s", few);
    add_finding(w, tone, most == halves ? of[space][1] : most->measure->name,
                "A %s probe reads the language from %s of %s new to it%s%s.",
                strstr(most->measure->name, "hidden") ? "non-linear" : "linear",
                quote(w, read, most), of[space][0], w->compared ? w->change : "",
                verdict);
}

static const char *const names[] = {"original", "meaning", "language"};

static void add_retrieval(struct writer *w, int space)
{
    static const char *const title[] = {"The original", "Meaning", "Language"};
    const ig_retrieval *r = &w->space[space]->retrieval;
    const ig_figure *f = figure_of(w->space[space], "top1"); /* a mean of directions */
    bool leaks = space == LANGUAGE, above = f && f->low > f->chance;
    int tone = format_change(w, space, "top1");
    char found[QUOTED];

    if (leaks && *w->change && !w->compared) /* there "better" is less */
        snprintf(w->change, sizeof w->change, ", the original %.1f%%",
                 100 * figure_of(w->space[ORIGINAL], "top1")->value);
    if (leaks && r->count && r->blind == r->count)
        add_finding(w, IG_TONE_CHANCE, "language",
                    "Retrieval finds no meaning: all language embeddings tie.");
    else if (f)
        add_finding(w, tone, names[space],
                    "%s embeddings find %s of translations per language pair%s%s.",
                    title[space], quote(w, found, f), w->change,
                    !leaks || !ig_figure_has_interval(f) ? ""
                    : above ? ": meaning has leaked into them"
                            : ": not distinguishable from chance");
}

static void add_scores(struct writer *w, int space)
{
    const ig_figure *f = figure_of(w->space[space], "mean_spearman");
    double was = ig_figures_value(&w->space[ORIGINAL]->figures, "mean_spearman");
    char more[80] = "";

    if (f && ig_figure_has_interval(f))
        snprintf(more, sizeof more, " (95%%: %.3f to %.3f)", f->low, f->high);
    if (space && !isnan(was))
        ig_text_append(more, sizeof more, ", the original %.3f", was);
    if (f)
        add_finding(w, format_change(w, space, f->measure->name), "measures",
                    "Spearman's ρ with human scores, mean of %zu kind%s: %s %.3f%s.",
                    f->items, f->items == 1 ? "" : "s", names[space], f->value, more);
}

size_t ig_findings_make(ig_finding out[IG_FINDINGS_MAX],
                        const ig_evaluation *const *space,
                        const ig_evaluation *const *other, const char *run, int fitted)
{
    const ig_evaluation *original = space[ORIGINAL];
    int shown = space[MEANING] ? MEANING : ORIGINAL;
    struct writer w = {.out = out, .space = space, .other = other, .name = run};
    const ig_figure *top1;

    if (!original)
        return 0;
    top1 = figure_of(space[shown], "top1");
    for (int s = shown; s <= LANGUAGE; s++) {
        const ig_figure *f = figure_of(space[s], "uniformity");
        double before = ig_figures_value(&original->figures, "uniformity");
        bool was = before > IG_UNIFORMITY_POINT;

        if (f && f->value > IG_UNIFORMITY_POINT)
            add_finding(&w, was ? IG_TONE_PLAIN : IG_TONE_BAD, "summary",
                        was ? "The %s embeddings are nearly one point, as the vectors "
                              "are (uniformity %.3f, of the original %.3f)."
                            : "The %s embeddings have collapsed to nearly one point "
                              "(uniformity %.3f, of the original %.3f): their other "
                              "figures are unreliable.",
                        names[s], f->value, before);
    }
    w.fitted = fitted;
    add_scores(&w, shown);
    add_retrieval(&w, shown);
    add_pool(&w, space[shown], shown);
    for (int s = shown; s < IG_MEASURE_SPACES; s++)
        add_probe(&w, space[s], s);
    if (space[LANGUAGE])
        add_retrieval(&w, LANGUAGE);
    w.fitted = 0;
    if (original->taken & IG_MEASURE_RETRIEVAL && !original->retrieval.count)
        add_finding(&w, IG_TONE_PLAIN, "summary",
                    "No id is in two languages: there are no translations to search.");
    if (top1 && top1->marked && strstr(top1->reason, " tie "))
        add_finding(&w, IG_TONE_PLAIN, names[shown], "Retrieval top-1: %s.",
                    top1->reason);
    if (space[shown]->multilingual_pool.copies)
        add_finding(&w, IG_TONE_PLAIN, "pool_same_language", "%zu " IG_COPIES ".",
                    space[shown]->multilingual_pool.copies);
    return w.count;
}
