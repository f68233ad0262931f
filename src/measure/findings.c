/* Findings in sentences. What a sentence judges is judged by intervals; without them it
 * states figures alone. */
#include "measure/findings.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "measure/differences.h"

enum { ORIGINAL, MEANING, LANGUAGE }; /* the spaces, as in ig_space */
enum { PROBES = IG_MEASURE_PROBE | IG_MEASURE_HIDDEN_PROBE };

struct writer {
    ig_finding *out;
    size_t count;
    const char *const *name; /* of the languages */
};

__attribute__((format(printf, 4, 5))) static ig_finding *
add_finding(struct writer *w, ig_tone tone, const char *view, const char *format, ...)
{
    ig_finding *f = &w->out[w->count < IG_FINDINGS_MAX ? w->count++ : w->count - 1];
    va_list arguments;

    *f = (ig_finding){.tone = tone, .view = view};
    va_start(arguments, format);
    vsnprintf(f->text, sizeof f->text, format, arguments);
    va_end(arguments);
    return f;
}

/* The figure of the whole that has a value, or NULL. */
static const ig_figure *figure_of(const ig_evaluation *e, const char *measure)
{
    const ig_figure *f = e ? ig_figures_whole(&e->figures, measure) : NULL;

    return f && !isnan(f->value) ? f : NULL;
}

/* Sets text to ", 3.1 points better than NAME (95%: 2.0–4.2)", or "" without another
 * evaluation. Returns the tone of a significant change. */
static ig_tone format_change(const ig_evaluation *other, const ig_evaluation *e,
                             const char *measure, const char *name, char text[128])
{
    const ig_figure *before = figure_of(other, measure), *f = figure_of(e, measure);
    double points = before && f ? 100 * (f->value - before->value) : 0;
    char interval[40] = "";
    ig_difference d;

    text[0] = '\0';
    if (!before || !f || other == e ||
        ig_difference_take(&d, f->measure, (ig_seeds){&other, 1}, (ig_seeds){&e, 1},
                           NULL) != IG_OK)
        return IG_TONE_PLAIN;
    if (d.significant)
        snprintf(interval, sizeof interval, " (95%%: %.1f–%.1f)",
                 100 * fmin(fabs(d.interval.low), fabs(d.interval.high)),
                 100 * fmax(fabs(d.interval.low), fabs(d.interval.high)));
    if (ig_interval_is(d.interval) && !d.significant)
        snprintf(text, 128, ", not significantly different from %.40s", name);
    else if (!d.significant && fabs(points) < 0.05)
        snprintf(text, 128, ", as many as %.40s", name);
    else
        snprintf(text, 128, ", %.1f points %s than %.40s%s", fabs(points),
                 points > 0 ? "better" : "worse", name, interval);
    return !d.significant ? IG_TONE_PLAIN : points > 0 ? IG_TONE_GOOD : IG_TONE_BAD;
}

/* --- directions ------------------------------------------------------------------- */

/* Directions of top-1: the worst, and the largest gain and loss of those whose
 * intervals are apart from the others'. */
struct directions {
    const ig_figure *worst, *ahead, *behind;
    double gain, loss;
};

static struct directions compare_directions(const ig_evaluation *e,
                                            const ig_evaluation *before)
{
    struct directions d = {0};

    for (size_t i = 0; i < e->figures.count; i++) {
        const ig_figure *f = e->figures.row[i], *other = NULL;

        if (!ig_figure_is_pair(f) || strcmp(f->measure->name, "top1") != 0)
            continue;
        if (before)
            other = ig_figures_find(&before->figures, f->measure, f->lang[0] - 1u,
                                    f->lang[1] - 1u);
        if (!isnan(f->value) && (!d.worst || f->value < d.worst->value))
            d.worst = f;
        if (other && f->low > other->high && f->value - other->value > d.gain) {
            d.gain = f->value - other->value;
            d.ahead = f;
        }
        if (other && f->high < other->low && other->value - f->value > d.loss) {
            d.loss = other->value - f->value;
            d.behind = f;
        }
    }
    return d;
}

static void point_at(ig_finding *finding, const ig_figure *f)
{
    finding->has_cell = true;
    finding->from = (uint16_t)(f->lang[0] - 1);
    finding->to = (uint16_t)(f->lang[1] - 1);
}

/* "Largest loss: en to de, 30.0 points." */
static void add_largest(struct writer *w, ig_tone tone, const char *view,
                        const char *what, const ig_figure *f, double by)
{
    if (f)
        point_at(add_finding(w, tone, view, "%s: %.24s to %.24s, %.1f points.", what,
                             w->name[f->lang[0] - 1], w->name[f->lang[1] - 1],
                             100 * by),
                 f);
}

/* --- one evaluation --------------------------------------------------------------- */

static bool has_pairs(const ig_evaluation *e)
{
    return e && e->taken & IG_MEASURE_RETRIEVAL && e->retrieval.count > 0;
}

static void add_retrieval(struct writer *w, const ig_evaluation *original,
                          const ig_evaluation *e)
{
    const ig_figure *f = figure_of(e, "top1");
    char text[128];
    ig_tone tone = format_change(original, e, "top1", "the original", text);

    if (f)
        add_finding(w, tone, e == original ? "original" : "meaning",
                    "%s embeddings find %.1f%% of all translations (chance %.1f%%)%s.",
                    e == original ? "The original" : "Meaning", 100 * f->value,
                    100 * f->chance, text);
}

static void add_pool(struct writer *w, const ig_evaluation *original,
                     const ig_evaluation *e)
{
    const ig_figure *found = figure_of(e, "pool_translation");
    const ig_figure *same = figure_of(e, "pool_same_language");
    const ig_figure *before = figure_of(original, "pool_translation");
    char text[128];
    ig_tone tone = format_change(original, e, "pool_translation", "", text);

    if (!found || !same)
        return;
    text[0] = '\0';
    if (e != original && before)
        snprintf(text, sizeof text, " (original: %.0f%% and %.0f%%)",
                 100 * before->value,
                 100 * ig_figures_value(&original->figures, "pool_same_language"));
    add_finding(w, tone, e == original ? "pool-original" : "pool-meaning",
                "In the multilingual pool the nearest sentence is a translation for "
                "%.0f%%, a sentence in the same language for %.0f%%%s.",
                100 * found->value, 100 * same->value, text);
}

static void add_worst(struct writer *w, const ig_evaluation *original,
                      const ig_evaluation *e)
{
    struct directions d = compare_directions(e, e == original ? NULL : original);
    const char *view = e == original ? "original" : "meaning";

    if (!d.worst || e->retrieval.count < 2)
        return;
    point_at(add_finding(w, IG_TONE_PLAIN, view,
                         "Worst pair: %.24s to %.24s, %.0f%% (%.0f of %zu).",
                         w->name[d.worst->lang[0] - 1], w->name[d.worst->lang[1] - 1],
                         100 * d.worst->value,
                         round(d.worst->value * (double)d.worst->n), d.worst->n),
             d.worst);
    add_largest(w, IG_TONE_BAD, view, "Largest loss", d.behind, d.loss);
}

/* The language that probes read: meaning should have none of it, language embeddings
 * much. */
static void add_probe(struct writer *w, const ig_evaluation *e, int space, bool trained)
{
    static const char *const what[] = {"vectors", "meaning embeddings",
                                       "language embeddings"};
    static const char *const view[] = {"probe-original", "probe-meaning",
                                       "probe-language"};
    const ig_figure *linear = figure_of(e, "probe"), *best = linear;
    bool above = false, known = true, wanted = space != MEANING;
    double low = 1, high = 0;
    ig_tone tone = IG_TONE_PLAIN;
    char more[80] = "", verdict[96] = "";

    if (!linear || trained == (space == ORIGINAL))
        return;
    for (size_t i = 0; i < e->figures.count; i++) {
        const ig_figure *f = e->figures.row[i];

        if (!(1u << f->measure->family & PROBES) || !ig_figure_is_whole(f) ||
            f->measure->no_interval || isnan(f->value))
            continue;
        above |= f->low > f->chance;
        known &= ig_figure_has_interval(f);
        low = fmin(low, f->low);
        high = fmax(high, f->high);
        best = f->low > linear->high && f->value > best->value ? f : best;
    }
    if (trained && best != linear)
        snprintf(more, sizeof more, "; %s: %.0f%%", best->measure->label,
                 100 * best->value);
    if (above && !wanted)
        snprintf(verdict, sizeof verdict, ": language remains");
    else if (known && !above)
        snprintf(verdict, sizeof verdict,
                 ": not distinguishable from chance by these probes (95%%: "
                 "%.0f–%.0f%%%s)",
                 100 * low, 100 * high, e->probe.few ? "; few rows" : "");
    if (trained && (above || (known && !e->probe.few)))
        tone = above == wanted ? IG_TONE_GOOD : IG_TONE_BAD;
    add_finding(w, tone, view[space],
                "A linear probe reads the language from %.0f%% of unseen %s (chance: "
                "%.3g%%%s)%s.",
                100 * linear->value, what[space], 100 * linear->chance, more, verdict);
}

static void add_leak(struct writer *w, const ig_evaluation *language)
{
    const ig_figure *f = figure_of(language, "top1");
    bool known = f && ig_figure_has_interval(f);

    if (has_pairs(language) && language->retrieval.blind == language->retrieval.count)
        add_finding(w, IG_TONE_GOOD, "language",
                    "Retrieval finds no meaning: all language embeddings tie.");
    else if (known && !(f->low > f->chance))
        add_finding(w, IG_TONE_GOOD, "language",
                    "Retrieval finds no meaning: language embeddings find %.1f%% of "
                    "translations (95%%: %.1f–%.1f%%, chance %.1f%%).",
                    100 * f->value, 100 * f->low, 100 * f->high, 100 * f->chance);
    else if (f)
        add_finding(w, known ? IG_TONE_BAD : IG_TONE_PLAIN, "language",
                    "Language embeddings find %.1f%% of translations (chance "
                    "%.1f%%)%s.",
                    100 * f->value, 100 * f->chance,
                    known ? ": meaning has leaked into them" : "");
}

/* A collapsed space: its figures are unreliable. */
static void add_collapse(struct writer *w, const ig_evaluation *e, const char *name)
{
    const ig_figure *f = figure_of(e, "uniformity");

    if (f && f->value > IG_UNIFORMITY_POINT)
        add_finding(w, IG_TONE_BAD, "summary",
                    "The %s embeddings have collapsed to nearly one point (uniformity "
                    "%.3f): their other figures are unreliable.",
                    name, f->value);
}

size_t ig_findings_make(ig_finding out[IG_FINDINGS_MAX],
                        const ig_evaluation *const *space, const char *const *language)
{
    struct writer w = {.out = out, .name = language};
    const ig_evaluation *original = space[ORIGINAL];
    const ig_evaluation *e = space[MEANING] ? space[MEANING] : original;

    if (!original)
        return 0;
    add_collapse(&w, space[MEANING], "meaning");
    add_collapse(&w, space[LANGUAGE], "language");
    add_retrieval(&w, original, e);
    add_pool(&w, original, e);
    add_worst(&w, original, e);
    for (int s = 0; s < IG_MEASURE_SPACES; s++)
        add_probe(&w, space[s], s, e != original);
    add_leak(&w, space[LANGUAGE]);
    if (original->taken & IG_MEASURE_RETRIEVAL && !has_pairs(original))
        add_finding(&w, IG_TONE_PLAIN, "summary",
                    "No id occurs in two languages: there are no translations to "
                    "search.");
    return w.count;
}

/* --- two runs --------------------------------------------------------------------- */

size_t ig_findings_versus(ig_finding out[IG_FINDINGS_MAX], const ig_evaluation *mine,
                          const char *run, const ig_evaluation *theirs,
                          const char *other, const char *const *language)
{
    struct writer w = {.out = out, .name = language};
    const ig_figure *f = figure_of(mine, "top1");
    char name[48], text[128];
    struct directions d;
    ig_tone tone;

    snprintf(name, sizeof name, "run %.40s", other);
    tone = format_change(theirs, mine, "top1", name, text);
    if (!f || !*text)
        return 0;
    add_finding(&w, tone, "versus", "Run %.40s finds %.1f%% of all translations%s%s.",
                run, 100 * f->value, text,
                tone == IG_TONE_PLAIN ? "" : ", these two runs only");
    d = compare_directions(mine, theirs);
    add_largest(&w, IG_TONE_GOOD, "versus", "Largest gain", d.ahead, d.gain);
    add_largest(&w, IG_TONE_BAD, "versus", "Largest loss", d.behind, d.loss);
    return w.count;
}
