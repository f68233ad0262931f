/* Findings in sentences. */
#include "measure/findings.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "measure/differences.h"

/* In percentage points: a smaller difference is none; as much above chance is a leak; a
 * larger loss of a direction is reported. */
static const double SAME = 0.5, LEAK = 10, LOST = 2;

enum { ORIGINAL, MEANING, LANGUAGE }; /* the spaces, as in ig_space */

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

/* The figure of the whole and its chance level in percent; NaN: none. */
static double percent_of(const ig_evaluation *e, const char *measure, double *chance)
{
    const ig_figure *f = e ? ig_figures_whole(&e->figures, measure) : NULL;

    if (chance)
        *chance = f ? 100 * f->chance : (double)NAN;
    return f ? 100 * f->value : (double)NAN;
}

static ig_tone tone_of(double points)
{
    return points >= SAME    ? IG_TONE_GOOD
           : points <= -SAME ? IG_TONE_BAD
                             : IG_TONE_PLAIN;
}

/* ", 3.1 points better than the original"; "" without an original. */
static const char *format_change(double points, char out[64])
{
    out[0] = '\0';
    if (fabs(points) < SAME)
        snprintf(out, 64, ", the same as the original");
    else if (!isnan(points))
        snprintf(out, 64, ", %.1f points %s than the original", fabs(points),
                 points > 0 ? "better" : "worse");
    return out;
}

/* --- directions ------------------------------------------------------------------- */

/* The directions of an evaluation held against another, in points of top-1. */
struct directions {
    size_t count, both, more, fewer; /* of those that both have */
    const ig_figure *worst, *ahead, *behind;
    double worst_gain, gain, loss;
};

static struct directions compare_directions(const ig_evaluation *e,
                                            const ig_evaluation *before)
{
    struct directions d = {.worst_gain = NAN};

    for (size_t i = 0; i < e->figures.count; i++) {
        const ig_figure *f = e->figures.row[i], *other;
        double gain;

        if (!ig_figure_is_pair(f) || strcmp(f->measure->name, "top1") != 0)
            continue;
        d.count++;
        other = before ? ig_figures_find(&before->figures, f->measure, f->lang[0] - 1u,
                                         f->lang[1] - 1u)
                       : NULL;
        gain = other ? 100 * (f->value - other->value) : (double)NAN;
        if (!isnan(f->value) && (!d.worst || f->value < d.worst->value)) {
            d.worst = f;
            d.worst_gain = gain;
        }
        d.both += !isnan(gain);
        d.more += gain >= SAME;
        d.fewer += gain <= -SAME;
        if (gain > d.gain) {
            d.gain = gain;
            d.ahead = f;
        }
        if (-gain > d.loss) {
            d.loss = -gain;
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
                        const char *what, const ig_figure *f, double points)
{
    point_at(add_finding(w, tone, view, "%s: %.24s to %.24s, %.1f points.", what,
                         w->name[f->lang[0] - 1], w->name[f->lang[1] - 1], points),
             f);
}

/* --- one evaluation --------------------------------------------------------------- */

static bool has_pairs(const ig_evaluation *e)
{
    return e && e->taken & IG_MEASURE_RETRIEVAL && e->retrieval.count > 0;
}

static void add_retrieval(struct writer *w, const ig_evaluation *original,
                          const ig_evaluation *meaning)
{
    const ig_evaluation *e = meaning ? meaning : original;
    const char *view = meaning ? "meaning" : "original";
    double chance, top1 = percent_of(e, "top1", &chance);
    double before = meaning ? percent_of(original, "top1", NULL) : (double)NAN;
    char text[64];

    if (!isnan(top1))
        add_finding(w, tone_of(top1 - before), view,
                    "%s embeddings find %.1f%% of all translations%s (chance %.1f%%).",
                    meaning ? "Meaning" : "The original", top1,
                    format_change(top1 - before, text), chance);
}

static void add_pool(struct writer *w, const ig_evaluation *original,
                     const ig_evaluation *meaning)
{
    const ig_evaluation *e = meaning ? meaning : original;
    double found = percent_of(e, "pool_translation", NULL);
    double same = percent_of(e, "pool_same_language", NULL);
    double before = percent_of(original, "pool_translation", NULL);
    char text[96] = "";

    if (isnan(found) || isnan(same))
        return;
    if (meaning && !isnan(before))
        snprintf(text, sizeof text, " (original: %.0f%% and %.0f%%)", before,
                 percent_of(original, "pool_same_language", NULL));
    add_finding(w, tone_of(found - before), meaning ? "pool-meaning" : "pool-original",
                "In the multilingual pool the nearest sentence is a translation for "
                "%.0f%%, a sentence in the same language for %.0f%%%s.",
                found, same, text);
}

static void add_worst(struct writer *w, const ig_evaluation *original,
                      const ig_evaluation *meaning)
{
    struct directions d =
        compare_directions(meaning ? meaning : original, meaning ? original : NULL);
    const char *view = meaning ? "meaning" : "original";
    char text[64];

    if (!d.worst || d.count < 2)
        return;
    point_at(add_finding(w, tone_of(d.worst_gain), view,
                         "Worst pair: %.24s to %.24s, %.0f%% (%.0f of %zu)%s.",
                         w->name[d.worst->lang[0] - 1], w->name[d.worst->lang[1] - 1],
                         100 * d.worst->value,
                         round(d.worst->value * (double)d.worst->n), d.worst->n,
                         format_change(d.worst_gain, text)),
             d.worst);
    if (d.loss > LOST && d.behind != d.worst)
        add_largest(w, IG_TONE_BAD, view, "Largest loss", d.behind, d.loss);
}

/* The language that probes read: it should be gone from meaning, and remain in language
 * embeddings. The probe with a hidden layer is named if it reads more. */
static void add_probe(struct writer *w, const ig_evaluation *e, int space, bool trained)
{
    static const char *const what[] = {"vectors", "meaning embeddings",
                                       "language embeddings"};
    static const char *const view[] = {"probe-original", "probe-meaning",
                                       "probe-language"};
    double chance, linear = percent_of(e, "probe", &chance);
    double hidden = percent_of(e, "probe_hidden", NULL);
    bool reads = fmax(linear, hidden) > chance + LEAK, wanted = space != MEANING;
    bool tells = reads || !e || !e->probe.thin;
    char more[80] = "";

    if (isnan(linear) || trained == (space == ORIGINAL))
        return;
    if (trained && hidden > linear + LEAK / 2)
        snprintf(more, sizeof more, ", one with a hidden layer from %.0f%%", hidden);
    add_finding(w,
                !trained || !tells ? IG_TONE_PLAIN
                : reads == wanted  ? IG_TONE_GOOD
                                   : IG_TONE_BAD,
                view[space],
                "A linear probe reads the language from %.0f%% of unseen %s%s (chance: "
                "%.0f%%)%s.",
                linear, what[space], more, chance,
                !trained || (wanted && reads) ? ""
                : !tells                      ? ": too few rows to tell"
                : wanted                      ? ": too little language"
                : reads                       ? ": language remains"
                                              : ": language removed");
}

static void add_leak(struct writer *w, const ig_evaluation *language)
{
    double chance, top1 = percent_of(language, "top1", &chance);
    bool leaks = top1 - chance >= LEAK / 2;

    if (has_pairs(language) && language->retrieval.blind == language->retrieval.count)
        add_finding(w, IG_TONE_GOOD, "language",
                    "Language embeddings contain no meaning: all candidates tie.");
    else if (!isnan(top1))
        add_finding(w, leaks ? IG_TONE_BAD : IG_TONE_GOOD, "language",
                    "Language embeddings find %.1f%% of translations (chance "
                    "%.1f%%)%s.",
                    top1, chance, leaks ? ": meaning has leaked into them" : "");
}

/* A collapsed space: its figures are unreliable. */
static void add_collapse(struct writer *w, const ig_evaluation *e, const char *name)
{
    double uniformity = e ? ig_figures_value(&e->figures, "uniformity") : (double)NAN;

    if (uniformity > IG_UNIFORMITY_POINT)
        add_finding(w, IG_TONE_BAD, "summary",
                    "The %s embeddings have collapsed to nearly one point (uniformity "
                    "%.3f): their other figures are unreliable.",
                    name, uniformity);
}

size_t ig_findings_make(ig_finding out[IG_FINDINGS_MAX],
                        const ig_evaluation *const *space, const char *const *language)
{
    struct writer w = {.out = out, .name = language};
    const ig_evaluation *original = space[ORIGINAL];
    const ig_evaluation *meaning = space[MEANING];

    if (!original)
        return 0;
    add_collapse(&w, meaning, "meaning");
    add_collapse(&w, space[LANGUAGE], "language");
    add_retrieval(&w, original, meaning);
    add_pool(&w, original, meaning);
    add_worst(&w, original, meaning);
    for (int s = 0; s < IG_MEASURE_SPACES; s++)
        add_probe(&w, space[s], s, meaning != NULL);
    add_leak(&w, space[LANGUAGE]);
    if (original->taken & IG_MEASURE_RETRIEVAL && !has_pairs(original))
        add_finding(&w, IG_TONE_PLAIN, "summary",
                    "No id occurs in two languages: there are no translations to "
                    "search.");
    return w.count;
}

/* --- two runs --------------------------------------------------------------------- */

/* " (95%, these two runs only: 2.1 to 4.0)", or ", not significant"; "" without
 * bootstrap samples. The difference of their methods varies by the seed, too. */
static void format_interval(const ig_evaluation *theirs, const ig_evaluation *mine,
                            char *out, size_t size)
{
    ig_difference d;

    out[0] = '\0';
    if (ig_difference_take(&d, ig_measure_named("top1"), (ig_seeds){&theirs, 1},
                           (ig_seeds){&mine, 1}, NULL) != IG_OK ||
        isnan(d.interval.low))
        return;
    if (d.significant)
        snprintf(out, size, " (95%%, these two runs only: %.1f to %.1f)",
                 100 * fmin(fabs(d.interval.low), fabs(d.interval.high)),
                 100 * fmax(fabs(d.interval.low), fabs(d.interval.high)));
    else
        snprintf(out, size, ", not significant");
}

size_t ig_findings_versus(ig_finding out[IG_FINDINGS_MAX], const ig_evaluation *mine,
                          const char *run, const ig_evaluation *theirs,
                          const char *other, const char *const *language)
{
    struct writer w = {.out = out, .name = language};
    struct directions d;
    char text[96];
    double points;

    if (!has_pairs(mine) || !has_pairs(theirs))
        return 0;
    points = percent_of(mine, "top1", NULL) - percent_of(theirs, "top1", NULL);
    format_interval(theirs, mine, text, sizeof text);
    if (fabs(points) < SAME)
        add_finding(&w, IG_TONE_PLAIN, "versus",
                    "Run %.40s finds as many translations as run %.40s.", run, other);
    else if (!isnan(points))
        add_finding(&w, tone_of(points), "versus",
                    "Run %.40s finds %.1f points %s translations than run %.40s%s.",
                    run, fabs(points), points > 0 ? "more" : "fewer", other, text);
    d = compare_directions(mine, theirs);
    if (d.both < 2)
        return w.count;
    add_finding(&w, IG_TONE_PLAIN, "versus",
                "Better in %zu of %zu directions, worse in %zu.", d.more, d.both,
                d.fewer);
    snprintf(text, sizeof text, "Largest gain over run %.40s", other);
    if (d.gain > SAME)
        add_largest(&w, IG_TONE_GOOD, "versus", text, d.ahead, d.gain);
    if (d.loss > SAME)
        add_largest(&w, IG_TONE_BAD, "versus", "Largest loss", d.behind, d.loss);
    return w.count;
}
