/* isogloss sweep: for each point of the grid a run is trained, measured and appended as
 * a row. A failed run is reported, and the sweep continues. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "cli/load.h"
#include "cli/output.h"
#include "cli/progress_meter.h"
#include "core/array.h"
#include "core/file.h"
#include "core/text.h"
#include "report/tables.h"
#include "train/run.h"

/* Seed of the draws of measures: that of `eval --run RUN`, whatever seed trained the
 * run. Thus means over the seeds have intervals. */
enum { DRAWS_SEED = 1 };

/* A column of figures: of the training, or a measure of a space of a dataset. */
typedef struct column {
    const char *name;  /* "epochs", "pearson_meaning", of a --test "sts.pearson_…" */
    const char *below; /* for readers, below "Pearson": "meaning", "meaning of sts" */
    size_t set;        /* 0: DATA; 1 …: the --test sets */
    size_t units;      /* resampled, with --ci */
} column;

/* The first columns are of the training; the last is the time in seconds. A run that
 * failed has dims alone; a group there its runs with figures. */
enum { DIMS, EPOCHS, BEST, TRAIN_LOSS, VALID_LOSS, MEASURES };

/* A figure of a run, or its mean over the seeds; NaN: none. The ends are those of --ci;
 * a deviation is that of a mean, n − 1 in the denominator. */
enum { VALUE, LOW, HIGH, DEVIATION, PARTS };
typedef double figure[PARTS];

enum { MAX_POINTS = 100000, NAME_SIZE = 200 };
static const char SPECIAL[] = "/\\ ()[]{}<>*?!&|;:$#'\"`"; /* '_' in names of runs */

/* Axes of lower order vary more slowly. The key of settings is their option's. */
enum { BY_METHOD, BY_VERSION, BY_DIMS, BY_SETTING, BY_SEED, ORDERS };
static const char *const keys[ORDERS] = {"method", "version", "dims", "", "seed"};

/* A run, as the process that made it sends it. */
typedef struct result {
    char name[NAME_SIZE];
    ig_status status; /* a run that failed has an error, … */
    ig_error error;
    char note[IG_RUN_NOTES][IG_RUN_NOTE_SIZE]; /* (notes) … others notes */
    size_t notes;
    ig_training training; /* without a name: nothing was trained */
    bool omitted;         /* the method is not random, the seed not the first */
    size_t first, keyed;  /* with --by: values that it adds to the pivot */
    figure cell[];        /* (columns); with --ci floats (columns, IG_DRAWS) follow */
} result;

typedef struct sweep {
    ig_options options;
    /* (axes) slowest first: method, version, dims, settings, seed; values of those that
     * are axes even where they are not swept */
    ig_axis axis[IG_AXES_MAX + 4];
    const char *fixed[ORDERS];
    char seed[24];
    size_t axes, points, seeds; /* points of a group stand one after the other */
    size_t columns;
    column *column;        /* (columns) */
    ig_pivot_title *title; /* (columns) no measure: of the training */
    figure *mean;          /* (groups, columns) of runs that differ in the seed alone */
    size_t *runs_of;       /* (points + 1) in the first points, but omitted ones */
    result *results;       /* (slots) of … */
    size_t size, slots;    /* … so many bytes; a group, and one of each process */
    ig_arena arena;

    size_t done;   /* runs, … */
    size_t failed; /* … those without figures */
    ig_table_format format;
    bool shown;           /* it is for readers, who see means alone */
    ig_table runs, means; /* CSV is printed row by row */

    ig_comm *team;         /* processes, one run each; NULL: single process */
    ig_training *training; /* (trainings) of the runs so far */
    size_t trainings;

    size_t x;       /* with --svg: the axis along x; 0: none */
    ig_pivot pivot; /* of --by; blocks are the columns from MEASURES on */

    /* The datasets, and the options they were opened with. */
    ig_loaded loaded; /* DATA, with the pairs to measure */
    ig_other train;   /* of --train (set NULL: DATA), and pairs of ids to train on */
    ig_other *test;   /* (1 + tests) the first stands for DATA, and owns nothing */
    size_t dims;
    const char *only;
    bool left_out;   /* the usual measures, which a note says once */
    char data[1024]; /* the name of DATA, and how many rows are left out */
} sweep;

/* The result of one of the last runs, its draws or NULL, and the means of its group. */
static result *result_of(const sweep *s, size_t point)
{
    return (result *)((char *)s->results + point % s->slots * s->size);
}

static float *draws_of(const sweep *s, size_t point)
{
    return s->options.measure.ci ? (float *)(result_of(s, point)->cell + s->columns)
                                 : NULL;
}

static figure *means_of(const sweep *s, size_t point)
{
    return s->mean + point / s->seeds * s->columns;
}

/* --- the grid --------------------------------------------------------------------- */

static int order_of(const char *key)
{
    for (int order = 0; order < ORDERS; order++)
        if (strcmp(key, keys[order]) == 0)
            return order;
    return BY_SETTING;
}

/* IG_OK or IG_USAGE: too many points. */
static ig_status make_grid(sweep *s, ig_error *error)
{
    const ig_measure_options *o = &s->options.measure;

    snprintf(s->seed, sizeof s->seed, "%" PRIu64, s->options.seed);
    s->fixed[BY_METHOD] = s->options.method ? s->options.method : "seed";
    s->fixed[BY_DIMS] = "";
    s->fixed[BY_SEED] = s->seed;
    for (int order = 0; order < ORDERS; order++) {
        size_t first = s->axes;

        for (size_t i = 0; i < o->axes; i++)
            if (order_of(o->axis[i].key) == order)
                s->axis[s->axes++] = o->axis[i];
        if (first == s->axes && s->fixed[order])
            s->axis[s->axes++] =
                (ig_axis){.key = keys[order], .values = 1, .value = &s->fixed[order]};
    }
    s->points = 1;
    for (size_t i = 0; i < s->axes; i++) {
        if (s->axis[i].values > MAX_POINTS / s->points)
            return ig_fail(error, IG_USAGE, "the grid has more than %d runs",
                           MAX_POINTS);
        s->points *= s->axis[i].values;
    }
    s->seeds = s->axis[s->axes - 1].values;
    return IG_OK;
}

static size_t index_at(const sweep *s, size_t point, size_t axis)
{
    for (size_t i = s->axes; --i > axis;)
        point /= s->axis[i].values;
    return point % s->axis[axis].values;
}

/* "": of dims that are not swept. */
static const char *value_at(const sweep *s, size_t point, size_t axis)
{
    return s->axis[axis].value[index_at(s, point, axis)];
}

/* Options of a point, a shallow copy of the sweep's. */
static void set_options(const sweep *s, size_t point, ig_options *out)
{
    *out = s->options;
    out->measure.axes = 0;
    /* The values were validated when they were parsed. */
    for (size_t i = 0; i < s->axes; i++)
        if (s->axis[i].option)
            ig_option_take(out, s->axis[i].option, s->axis[i].key,
                           value_at(s, point, i), &(ig_error){0});
        else if (ig_axis_weight(&s->axis[i]))
            out->measure.axis[out->measure.axes++] = (ig_axis){
                s->axis[i].key, NULL, 1, s->axis[i].value + index_at(s, point, i)};
    out->seed = out->train.seed;
    out->out = NULL;         /* each run has its folder */
    out->quiet |= point > 0; /* notes of the data once */
}

static bool have_same_stem(const char *a, const char *b)
{
    size_t length, other;
    const char *stem = ig_path_stem(a, &length), *second = ig_path_stem(b, &other);

    return length == other && memcmp(stem, second, length) == 0;
}

/* Set a unique name that is valid for a file: "seed-d64-s1".
 *   without  in  bits of axes that are not named; of the first: "original" */
static void name_run(const sweep *s, size_t point, unsigned without,
                     char out[NAME_SIZE])
{
    const char *method = without & 1 ? "original" : value_at(s, point, 0);
    size_t length;
    const char *stem = ig_path_stem(method, &length);
    bool alike = strcspn(stem, SPECIAL) < length;

    for (size_t i = 0; i < index_at(s, point, 0); i++)
        alike |= have_same_stem(s->axis[0].value[i], method);
    snprintf(out, NAME_SIZE, "%.*s", (int)length, stem);
    for (size_t k = 1; k < s->axes; k++) {
        const char *key = s->axis[k].key, *weight = ig_axis_weight(&s->axis[k]);
        int order = order_of(key);

        if (without >> k & 1 || (s->axis[k].values == 1 && !weight))
            continue;
        ig_text_append(out, NAME_SIZE,
                       order == BY_DIMS || order == BY_SEED ? "-%.1s" : "-%s=",
                       weight ? weight : key);
        ig_text_append(out, NAME_SIZE, "%s", value_at(s, point, k));
        alike |= strpbrk(value_at(s, point, k), SPECIAL) != NULL;
    }
    for (char *at = out; (at = strpbrk(at, SPECIAL));)
        *at = '_';
    /* Where a name need not be unique, append the number of the point. */
    if (alike || strlen(out) > NAME_SIZE - 12) {
        out[NAME_SIZE - 12] = '\0';
        ig_text_append(out, NAME_SIZE, "~%zu", point + 1);
    }
}

/* --- columns ---------------------------------------------------------------------- */

/* "sts" of sets/sts.npy; "sts~2" of the second of that name; "" of DATA. */
static const char *name_set(sweep *s, size_t set)
{
    const ig_test *test = s->options.measure.test;
    size_t length, alike = 1;
    const char *stem = ig_path_stem(set ? test[set - 1].set : "", &length);

    for (size_t i = 0; i + 1 < set; i++)
        alike += have_same_stem(test[i].set, test[set - 1].set);
    return ig_table_text_of(&s->means, alike > 1 ? "%.*s~%zu" : "%.*s",
                            length < 60 ? (int)length : 60, stem, alike);
}

/* Add the column of a measure of DATA or of a --test. */
static void add_column(sweep *s, size_t set, const ig_measure *m, ig_space space)
{
    const char *in = ig_space_name(space), *of = name_set(s, set);

    s->title[s->columns] =
        (ig_pivot_title){.measure = m, .space = space, .data = set ? of : s->data};
    s->column[s->columns++] = (column){
        .name =
            ig_table_text_of(&s->means, "%s%s%s_%s", of, set ? "." : "", m->name, in),
        .below = ig_table_text_of(&s->means, "%s%s%s", in, set ? " of " : "", of),
        .set = set};
}

/* Add the columns of DATA or of a --test in both spaces: those of --measures, else
 * top-1, alignment and uniformity of DATA, and correlations with scores if given; of a
 * --test correlations with its scores, or top-1. */
static ig_status add_set(sweep *s, size_t set, ig_error *error)
{
    const ig_measure_options *o = &s->options.measure;
    bool scores = set ? o->test[set - 1].scores != NULL : o->scores != NULL;
    bool by = o->by != IG_UNSET;
    unsigned spaces = o->spaces ? o->spaces
                      : by      ? 1u << IG_SPACE_MEANING
                                : 1u << IG_SPACE_MEANING | 1u << IG_SPACE_LANGUAGE;
    const char *list = o->measures ? o->measures
                       : by        ? (scores ? "mean_pearson" : "top1")
                       : !set      ? "top1,alignment,uniformity,similarity"
                       : scores    ? "similarity"
                                   : "top1";
    ig_measure_choice choice = {0};
    ig_status status = ig_measures_choose(&choice, "--measures", list, error);

    if (by && !set && o->tests) /* tables are of the tests */
        return status;
    for (size_t i = 0; i < choice.count && status == IG_OK; i++) {
        const ig_measure *m = choice.measure[i];
        bool scored = ig_measure_groups[m->group]->needs & IG_NEEDS_SCORES;

        if ((m->is & IG_PARTS && !by) || m->group == IG_GROUP_JUDGED ||
            (scores ? m->is & IG_POSITIVE && !o->labelled : scored))
            continue;
        for (int space = 0; space < IG_SPACES; space++)
            if (spaces >> space & 1)
                add_column(s, set, m, (ig_space)space);
    }
    return status;
}

static ig_status make_columns(sweep *s, ig_error *error)
{
    const ig_measure_options *o = &s->options.measure;
    size_t sets = 1 + o->tests, most = MEASURES + 2 + IG_SPACES * IG_CHOICE_MAX * sets;
    const char *training[MEASURES] = {"dims", "epochs", "best_epoch", "train_loss",
                                      "valid_loss"};
    ig_status status = IG_OK;

    s->column = ig_arena_array(&s->arena, most, sizeof *s->column);
    s->title = ig_arena_array(&s->arena, most, sizeof *s->title);
    s->test = ig_arena_array(&s->arena, sets, sizeof *s->test);
    if (s->arena.failed)
        return ig_fail_memory(error, "the columns of a sweep");
    for (size_t i = 0; i < o->axes; i++) /* besides a swept option */
        if (strcmp(o->axis[i].key, "epochs") == 0)
            training[EPOCHS] = "epochs_trained";
    for (; s->columns < MEASURES; s->columns++)
        s->column[s->columns].name = training[s->columns];
    for (size_t set = 0; set < sets && status == IG_OK; set++)
        status = add_set(s, set, error);
    if (status == IG_OK && o->measures && s->columns == MEASURES)
        status = ig_fail(error, IG_USAGE,
                         "--measures %s: similarity needs --scores FILE, AUC and "
                         "average precision --positive X, too",
                         o->measures);
    s->pivot.blocks = o->by != IG_UNSET ? s->columns - MEASURES : 0;
    s->pivot.title = s->title + MEASURES;
    if (status == IG_OK && s->x && s->title[MEASURES].space != IG_SPACE_ORIGINAL)
        add_column(s, s->column[MEASURES].set, s->title[MEASURES].measure,
                   IG_SPACE_ORIGINAL);
    s->column[s->columns++].name = "seconds";
    s->slots = s->seeds + ig_comm_processes(s->team);
    s->size = sizeof *s->results +
              s->columns * (sizeof(figure) + (o->ci ? IG_DRAWS * sizeof(float) : 0));
    s->results = ig_arena_array(&s->arena, s->slots, s->size);
    s->mean =
        ig_arena_array(&s->arena, s->points / s->seeds, s->columns * sizeof *s->mean);
    s->training = ig_arena_array(&s->arena, s->points, sizeof *s->training);
    s->runs_of = ig_arena_array(&s->arena, s->points + 1, sizeof *s->runs_of);
    for (size_t i = 0; s->mean && i < s->points / s->seeds * s->columns; i++)
        s->mean[i][VALUE] = i % s->columns == DIMS ? 0 : NAN;
    return status == IG_OK && s->arena.failed
               ? ig_fail_memory(error, "the runs of the grid")
               : status;
}

/* --- output ----------------------------------------------------------------------- */

/* Take the mean of a column over the runs of a group that have it; its interval
 * includes the variance of the seeds (measure/bootstrap.h). */
static void take_mean(const sweep *s, size_t first, size_t c)
{
    const ig_measure *m = s->title[c].measure;
    const float *draw[IG_SEEDS_MAX];
    double value[IG_SEEDS_MAX], *mean = means_of(s, first)[c];
    ig_difference ends = {.low = NAN, .high = NAN};
    size_t n = 0;

    for (size_t i = first; i < first + s->seeds && n < IG_SEEDS_MAX; i++) {
        value[n] = result_of(s, i)->cell[c][VALUE];
        draw[n] = s->options.measure.ci ? draws_of(s, i) + c * IG_DRAWS : NULL;
        n += !isnan(value[n]);
    }
    if (s->options.measure.ci && m)
        ends = ig_mean_of_seeds(value, draw, n, s->column[c].units, m->share);
    mean[VALUE] = ig_pivot_mean(value, n, &mean[DEVIATION]);
    mean[LOW] = ends.low;
    mean[HIGH] = ends.high;
}

/* Append a mean with its interval or deviation: "91.2% 90.1–92.3" or "91.2% ±1.1". */
static void put_mean(const sweep *s, ig_table *t, const ig_measure *m, const double *of)
{
    bool ci = s->options.measure.ci;
    char text[40], other[40];
    const char *spread = ci ? ig_table_interval(t, m, of[LOW], of[HIGH])
                         : isnan(of[DEVIATION]) ? NULL
                                                : other;

    ig_document_figure(other, m, of[DEVIATION], "");
    ig_document_figure(text, m, of[VALUE], "%");
    ig_table_add(t, spread ? "%s%s%s" : "%s", text, ci ? " " : " ±", spread)->number =
        of[VALUE];
}

/* Append the row of a run, or of its group (`means`), or the heads. Readers have the
 * measures alone, and no dims that are not swept. */
static void put_row(sweep *s, bool means, size_t point, bool head)
{
    static const char *const ending[PARTS] = {"", "_low", "_high", "_std"};
    ig_table *t = means ? &s->means : &s->runs;
    figure *row = means ? means_of(s, point) : result_of(s, point)->cell;

    for (size_t i = 0; i + means < s->axes; i++) {
        const char *key = s->axis[i].key, *value = value_at(s, point, i);
        bool whole = strcmp(key, "dims") == 0 || strcmp(key, "seed") == 0;
        uint64_t number = (uint64_t)result_of(s, point)->cell[DIMS][VALUE];

        if (s->shown && !*value)
            continue;
        if (!s->shown && !head && whole &&
            (!*value || ig_whole_parse(value, 1ull << 53, &number)))
            ig_table_count(t, (size_t)number);
        else
            ig_table_text(t, head ? key : value);
    }
    if (means && head)
        ig_table_text(t, s->shown ? "seeds" : "n");
    else if (means && s->shown)
        ig_table_add(t, "%.0f", row[DIMS][VALUE]);
    else if (means)
        ig_table_count(t, (size_t)row[DIMS][VALUE]);
    for (size_t c = EPOCHS; c < s->columns; c++) {
        const ig_measure *m = s->title[c].measure;

        if (s->shown && m && head)
            ig_table_text(t, m->label)->below = s->column[c].below;
        else if (s->shown && m)
            put_mean(s, t, m, row[c]);
        for (int k = 0; k < PARTS && !s->shown; k++) {
            if (k == DEVIATION ? !means : k && !(s->options.measure.ci && m))
                continue;
            if (head)
                ig_table_add(t, "%s%s%s", s->column[c].name,
                             means && k != DEVIATION ? "_mean" : "", ending[k]);
            else if (!means && c <= BEST && !isnan(row[c][k]))
                ig_table_count(t, (size_t)row[c][k]);
            else
                ig_table_number(t, row[c][k]);
        }
    }
    if (!s->shown && head) {
        ig_table_heads(t, means ? "data rows" : "data rows status");
    } else if (!s->shown) {
        ig_table_text(t, s->title[MEASURES].data);
        ig_table_count(t, s->title[MEASURES].rows);
        if (!means)
            ig_table_text(t, result_of(s, point)->status ? "failed" : "ok");
    }
    ig_table_end_row(t);
}

/* Add a run to the tables of --by, below the row of its group. */
static ig_status put_by(sweep *s, size_t point, ig_error *error)
{
    ig_pivot *p = &s->pivot;
    ig_pivot_row *row = NULL;

    if (point % s->seeds == 0 && !(row = ig_pivot_row_add(p, error)))
        return IG_NOMEM;
    p->heads = row ? 0 : p->heads;
    if (row)
        row->measured = s->title[MEASURES].rows;
    for (size_t i = 0; i + 1 < s->axes && row; i++)
        if (*value_at(s, point, i)) { /* not dims that are not swept */
            p->head[p->heads] = s->axis[i].key;
            row->text[p->heads++] = value_at(s, point, i);
        }
    if (result_of(s, point)->status == IG_OK && !result_of(s, point)->omitted)
        ig_pivot_end_run(p);
    return IG_OK;
}

/* Append to the tables of the format: heads, or a run, and its group if that is whole.
 * Prints CSV, the runs of JSON, and of tables the line above them: a full disk is known
 * before the first run. IG_OK or IG_NOMEM. */
static ig_status put_rows(sweep *s, size_t point, bool heads, ig_error *error)
{
    bool json = s->format == IG_AS_JSON;
    bool means = s->options.measure.summary || s->format != IG_AS_CSV;

    if (s->pivot.blocks)
        return heads ? IG_OK : put_by(s, point, error);
    if ((json || !means) && !result_of(s, point)->omitted)
        put_row(s, false, point, heads);
    if (means && (heads || (point + 1) % s->seeds == 0))
        put_row(s, true, point - point % s->seeds, heads);
    if (s->runs.arena.failed || s->means.arena.failed)
        return ig_fail_memory(error, "the runs");
    if (heads && json)
        printf("{\"isogloss\": %d, \"runs\": [", IG_JSON_SHAPE);
    else if (heads && s->shown)
        printf("%smean over the seeds, %s\n\n", s->format == IG_AS_LATEX ? "% " : "",
               s->options.measure.ci
                   ? "95% interval (over seeds and ids); eval --run of two tests them"
                   : "standard deviation; --ci has intervals");
    if (!s->shown)
        ig_table_flush(json || !means ? &s->runs : &s->means, stdout, s->format, ',');
    fflush(stdout);
    return IG_OK;
}

/* Write the figure of --svg: a line for each method, where only these differ in its own
 * colour, and value of other options; then the original of each version and dims. */
static ig_status write_figure(const sweep *s, ig_error *error)
{
    const ig_axis *x = &s->axis[s->x];
    const ig_pivot_title *shown = &s->title[MEASURES];
    char y_label[160], name[NAME_SIZE];
    size_t each = PARTS * s->columns, groups = s->points / s->seeds;
    size_t unchanged = shown->space ? s->columns - 2 : MEASURES; /* of the original */
    ig_plane plane = {
        .x_label = x->key, .y_label = y_label, .name = x->value, .names = x->values};
    bool methods = s->x && groups == x->values * s->axis[0].values;

    for (size_t i = s->x + 1; i + 1 < s->axes; i++)
        each *= s->axis[i].values;
    snprintf(y_label, sizeof y_label, "%.60s, %s, mean ± deviation",
             shown->measure->label, ig_space_name((ig_space)shown->space));
    plane.heading = s->options.project.title;
    snprintf(plane.title, sizeof plane.title,
             "%.60s, %zu rows, best epochs, random seeds: %zu", shown->data,
             shown->rows, s->seeds);
    for (size_t i = 0; i < 2 * groups; i++) {
        bool original = i >= groups;
        size_t point = i % groups * s->seeds;
        const double *mean = means_of(s, point)[original ? unchanged : MEASURES];
        bool drawn = !original || !isnan(*mean);
        unsigned without = 1u << s->x | 1u << (s->axes - 1); /* the seed */
        ig_track t = {.y = mean,
                      .spread = original ? NULL : mean + DEVIATION,
                      .stride = each,
                      .count = x->values,
                      .colour = original ? IG_COLOUR_ORIGINAL
                                         : ig_colour_language(plane.tracks),
                      .dashed = original};

        for (size_t k = 0; methods && !original && ig_presets[k].name; k++)
            if (strcmp(ig_presets[k].name, value_at(s, point, 0)) == 0)
                t.colour = ig_colour_language(k);
        for (size_t k = 0; k < s->axes; k++) {
            int order = order_of(s->axis[k].key);

            if (original && order != BY_VERSION && order != BY_DIMS)
                without |= 1u << k;
            drawn &= !(without >> k & 1) || index_at(s, point, k) == 0;
        }
        name_run(s, point, without, name);
        snprintf(t.name, sizeof t.name, "%.90s", name);
        if (drawn)
            ig_plane_add(&plane, t);
    }
    return ig_plane_output(&plane, &s->options, error);
}

/* Print the rest; a table that cannot be written is Markdown on stderr. */
static ig_status print_tables(sweep *s, ig_error *error)
{
    const ig_axis *seed = &s->axis[s->axes - 1];
    const ig_pivot_title *shown = &s->title[MEASURES];
    char note[IG_UNLIKE_SIZE], list[IG_LIST_SIZE];
    const char *rows;
    bool uneven = false; /* validation or holdout ids vary, and the measured rows */

    for (size_t i = 0; i < s->axes && !s->options.measure.tests; i++)
        uneven |= s->axis[i].values > 1 && order_of(s->axis[i].key) == BY_SETTING &&
                  strstr("valid, holdout, split-seed", s->axis[i].key);
    s->pivot.uneven = uneven;
    snprintf(note, sizeof note, "; random seed%s %s%s", s->seeds > 1 ? "s" : "",
             ig_quote_list(list, seed->value, seed->values),
             uneven ? "; each split measures rows of its own: none is best" : "");
    for (size_t i = 0; i < s->trainings * s->axes; i++) /* swept ones are as asked */
        for (size_t k = 0; k < IG_TRAINING_VALUES; k++)
            if (s->axis[i % s->axes].values > 1 &&
                strcmp(ig_training_name[k], s->axis[i % s->axes].key) == 0)
                *s->training[i / s->axes].value[k] = '\0';
    ig_training_compare(note, s->training, s->trainings);
    if (s->pivot.blocks) {
        s->pivot.note = note;
        return ig_pivot_output(&s->pivot, &s->options, s->team, error);
    }
    if (s->format == IG_AS_CSV)
        return IG_OK;
    for (size_t c = MEASURES; c + 1 < s->columns && s->shown && !uneven; c++)
        ig_table_mark_best(&s->means, s->means.cols + c + 1 - s->columns,
                           s->title[c].measure, s->title[c].space);
    s->means.first = s->means.cols + MEASURES + 1 - s->columns;
    rows = uneven ? "" : ig_table_text_of(&s->means, ", %zu rows", shown->rows);
    s->means.caption = ig_table_text_of(&s->means, "%s%s%s", shown->data, rows, note);
    if (s->format == IG_AS_JSON) {
        printf("],\n\"summary\": [");
        ig_table_flush(&s->means, stdout, IG_AS_JSON, ',');
        puts("]}");
    } else if (s->format == IG_AS_TABLE) {
        ig_table_print(&s->means, stdout, ig_terminal_columns(stdout, 80),
                       ig_locale_utf8());
    } else {
        ig_table_markup(&s->means, stdout, s->format == IG_AS_LATEX, false);
    }
    if (s->done && s->format != IG_AS_JSON && (fflush(stdout) || ferror(stdout)))
        ig_table_markup(&s->means, stderr, false, false);
    return IG_OK;
}

/* --- the data --------------------------------------------------------------------- */

static void close_data(sweep *s)
{
    for (size_t i = 1; s->test && i <= s->options.measure.tests; i++)
        ig_load_other_free(&s->test[i]);
    ig_load_other_free(&s->train);
    ig_load_free(&s->loaded);
}

/* Open DATA with pairs to measure, as eval has them, the dataset of --train with pairs
 * to train on, as train has them, and those of --test. */
static ig_status open_data(sweep *s, const ig_options *options, ig_error *error)
{
    const ig_measure_options *o = &options->measure;
    ig_loaded *data = &s->loaded;
    ig_status status;

    if (s->loaded.set && s->dims == options->set.dims && s->only == options->set.only)
        return IG_OK;
    close_data(s);
    status = ig_load_open(data, options, error);
    if (status == IG_OK)
        status = ig_load_pairs(data, options, ig_pairing_usual(data->set),
                               &(ig_error){0}, error);
    if (status == IG_OK && (!options->pairs || o->train.set))
        status = ig_load_other(&s->train, data, &o->train, options, error);
    for (size_t i = 0; i < o->tests && status == IG_OK; i++)
        status = ig_load_other(&s->test[i + 1], data, &o->test[i], options, error);
    if (status != IG_OK)
        close_data(s);
    s->test[0] =
        (ig_other){.set = data->set, .pairs = data->pairs, .scores = data->scores};
    s->dims = options->set.dims;
    s->only = options->set.only;
    if (status == IG_OK)
        snprintf(s->data, sizeof s->data, "%s%s", data->set->name,
                 data->set->notes.left_out);
    return status;
}

/* --- one run ---------------------------------------------------------------------- */

/* Copy the figures of a space of a dataset into the columns of a run. */
static ig_status keep_figures(sweep *s, size_t point, size_t set, ig_space space,
                              const ig_evaluation *e, ig_error *error)
{
    float *draw = draws_of(s, point);
    figure *cell = result_of(s, point)->cell;
    ig_status status = IG_OK;

    for (size_t c = MEASURES; c < s->columns - 1 && status == IG_OK; c++) {
        const ig_pivot_title *of = &s->title[c];
        const ig_figure *f;

        if (s->column[c].set != set || of->space != space)
            continue;
        if (c - MEASURES < s->pivot.blocks)
            status =
                ig_pivot_add(&s->pivot, (uint32_t)(c - MEASURES), &e->figures, error);
        f = ig_figures_whole(&e->figures, of->measure->name);
        if (!f)
            continue;
        cell[c][VALUE] = f->value;
        cell[c][LOW] = f->low;
        cell[c][HIGH] = f->high;
        s->column[c].units = f->units;
        for (size_t k = 0; draw && k < IG_DRAWS; k++)
            draw[c * IG_DRAWS + k] = f->draw ? f->draw[k] : (float)NAN;
    }
    return status;
}

/* Measure both spaces of a run on a dataset. `number` 0: DATA, on the held-out ids, or
 * all if there are none or it was trained on another dataset; 1 …: all of a --test. */
static ig_status measure_set(sweep *s, const ig_run *run, size_t point, size_t number,
                             ig_error *error)
{
    const ig_other *d = &s->test[number];
    const ig_split *split = &run->split;
    bool part = !number && !s->train.set && (split->valid || split->holdout);
    ig_rows originals = ig_rows_of_dataset(d->set);
    ig_measured spaces;
    ig_evaluation_spec spec;
    ig_subset subset = {0};
    ig_extractor x = {0};
    size_t unknown;
    ig_status status = ig_subset_take(&subset, d->set, &d->pairs, &d->scores,
                                      part ? split->held_out : NULL,
                                      (ig_subset_limits){0}, 0, error);

    if (status == IG_OK)
        status = ig_extractor_adapt(&x, run->info.extractor, run->set->language, d->set,
                                    d->set->dims, &unknown, error);
    if (status == IG_OK)
        ig_measured_open(&spaces, &x, d->set, &originals);
    spec = ig_evaluation_spec_of(d->set, &subset, DRAWS_SEED);
    spec.intervals = s->options.measure.ci;
    for (size_t space = 0; space < IG_SPACES && status == IG_OK; space++) {
        ig_evaluation e = {0};

        spec.measures = 0;
        for (size_t c = MEASURES; c < s->columns - 1; c++)
            if (s->column[c].set == number && s->title[c].space == space) {
                s->title[c].rows = subset.rows;
                spec.measures |= 1u << s->title[c].measure->group;
            }
        if (!spec.measures || !ig_extractor_serves(&x, (ig_space)space))
            continue;
        spec.part = space == IG_SPACE_MEANING ? spaces.part : NULL;
        status = ig_evaluation_take(&e, &spaces.rows[space], &spec, s->loaded.pool,
                                    &(ig_progress){.stop = ig_interrupt_flag()}, error);
        if (status == IG_OK)
            status = keep_figures(s, point, number, (ig_space)space, &e, error);
        else if (status == IG_VALUE && !s->options.measure.measures &&
                 !s->pivot.blocks && d->set->languages > IG_LANGUAGES_SCANNED) {
            if (!s->left_out && !s->options.quiet)
                ig_complain("note: %s: the usual measures are left out (%s)",
                            d->set->name, error->message);
            s->left_out = true; /* as by eval */
            status = IG_OK;
        }
        ig_evaluation_free(&e);
    }
    ig_extractor_free(&x);
    ig_subset_free(&subset);
    return status;
}

/* Train, measure and save a point. */
static void make_run(sweep *s, size_t point)
{
    const char *out = s->options.out;
    result *made = result_of(s, point);
    figure *cell = made->cell;
    ig_error *error = &made->error;
    ig_pivot *p = &s->pivot;
    char *path = NULL, label[NAME_SIZE + 48]; /* "2/6 seed-s1" */
    ig_options options;
    ig_run *run = NULL;
    ig_dir dir = {0};
    ig_status status = *ig_interrupt_flag() ? IG_INTERRUPTED : IG_OK;

    *made = (result){.first = p->values,
                     .omitted = s->runs_of[point + 1] == s->runs_of[point]};
    name_run(s, point, 0, made->name);
    set_options(s, point, &options);
    for (size_t i = 0; i < PARTS * s->columns; i++)
        cell[i / PARTS][i % PARTS] = i < PARTS ? 0 : NAN; /* dims: not yet known */
    if (made->omitted)
        return;
    if (out && !(path = ig_path_join(out, made->name)))
        status = ig_fail_memory(error, "the name of a run");
    if (status == IG_OK)
        status = open_data(s, &options, error);
    cell[DIMS][VALUE] = s->loaded.set ? (double)s->loaded.set->dims : 0;
    if (status == IG_OK && out)
        status = ig_run_path_open(&dir, path, &ig_run_dir, &s->loaded.inputs,
                                  options.run.overwrite, NULL, error);
    snprintf(label, sizeof label, "%zu/%zu %s", s->runs_of[point + 1],
             s->runs_of[s->points], made->name);
    if (status == IG_OK)
        status = ig_load_new_run(&run, &s->loaded, &s->train, &options, error);
    if (status == IG_OK)
        status = ig_train_loop(run, label, s->options.quiet, NULL, error);
    for (size_t i = 0; i <= s->options.measure.tests && status == IG_OK; i++)
        status = measure_set(s, run, point, i, error);
    if (status == IG_OK && out)
        status = ig_run_write_into(run, &dir, error);
    if (status == IG_OK) {
        made->notes = ig_run_notes(run, made->note);
        cell[EPOCHS][VALUE] = (double)run->info.records - 1;
        cell[BEST][VALUE] = (double)run->info.best;
        cell[TRAIN_LOSS][VALUE] = ig_run_best(&run->info)->epoch.train_loss;
        cell[VALID_LOSS][VALUE] = ig_run_best(&run->info)->epoch.valid_loss;
        cell[s->columns - 1][VALUE] = run->info.seconds;
        if (run->objective.extractor >= IG_RESIDUAL)
            made->training = ig_training_of(&run->info);
    }
    for (size_t i = PARTS * EPOCHS; i < PARTS * s->columns && status != IG_OK; i++)
        cell[i / PARTS][i % PARTS] = NAN;
    p->values = status == IG_OK ? p->values : made->first;
    made->keyed = p->values - made->first;
    made->status = status;
    ig_free(path);
    ig_dir_close(&dir);
    ig_run_delete(run);
}

/* --- all runs --------------------------------------------------------------------- */

/* Put a run into the tables, and print its notes or its error. */
static ig_status record_point(sweep *s, size_t point, ig_error *error)
{
    const result *r = result_of(s, point);
    const char *ended = r->training.value[IG_TRAINING_VALUES - 1];
    bool failed = r->status != IG_OK;

    if (r->status == IG_INTERRUPTED)
        return r->status;
    for (size_t i = 0; i < r->notes && !s->options.quiet; i++)
        ig_complain("note: %s: %s", r->name, r->note[i]);
    if (failed)
        ig_complain("%s: %s", r->name, r->error.message);
    s->failed += failed;
    s->done = point + 1;
    if (*r->training.name)
        s->training[s->trainings++] = r->training;
    means_of(s, point)[DIMS][VALUE] += !failed && !r->omitted;
    for (size_t c = EPOCHS; c < s->columns && s->done % s->seeds == 0; c++)
        take_mean(s, s->done - s->seeds, c);
    if (!s->options.quiet && !failed && !r->omitted)
        fprintf(stderr, "%zu/%zu %s  %.1f s%s%s\n", s->runs_of[s->done],
                s->runs_of[s->points], r->name, r->cell[s->columns - 1][VALUE],
                *ended ? ", " : "", ended);
    return put_rows(s, point, false, error);
}

/* Take the result of a point from the process that makes it: each makes one run, all
 * record them in order, and the root alone prints (cli/machine.c). On the root values
 * of --by are in order: it makes the first of these runs. */
static ig_status take_run(sweep *s, size_t point, ig_error *error)
{
    size_t own = ig_comm_process(s->team), from = point % ig_comm_processes(s->team);
    ig_pivot *p = &s->pivot;
    result *r = result_of(s, point);
    size_t at;

    if (from == 0 && point + own < s->points)
        make_run(s, point + own);
    ig_comm_broadcast(s->team, from, r, s->size);
    at = from == own ? r->first : p->values;
    if (ig_array_grow(&p->value, &p->value_room, at + r->keyed, sizeof *p->value,
                      "a table", error) != IG_OK)
        return IG_NOMEM; /* ends the job (cli/machine.h) */
    ig_comm_broadcast(s->team, from, p->value + at, r->keyed * sizeof *p->value);
    p->values += from == own ? 0 : r->keyed;
    return record_point(s, point, error);
}

static ig_status run_all(sweep *s, ig_error *error)
{
    ig_status status = put_rows(s, 0, true, error), printed;

    ig_interrupt_catch(true);
    for (size_t i = 0; i < s->points && status == IG_OK && !ferror(stdout); i++)
        status = take_run(s, i, error);
    printed = print_tables(s, error);
    if (printed == IG_OK && s->x && s->done && ig_comm_is_root(s->team) &&
        !ferror(stdout))
        printed = write_figure(s, error);
    if (printed != IG_OK)
        return printed;
    if (status == IG_INTERRUPTED)
        return ig_fail(error, status, "interrupted; %zu of %zu runs are done",
                       s->runs_of[s->done], s->runs_of[s->points]);
    if (status == IG_OK && s->failed)
        return ig_fail(error, IG_VALUE, "%zu of %zu runs failed", s->failed,
                       s->runs_of[s->points]);
    return status;
}

/* Make the grid and the columns; report errors that would fail every run. */
static ig_status prepare(sweep *s, ig_error *error)
{
    ig_measure_options *o = &s->options.measure;
    bool out = s->options.out && ig_comm_is_root(s->team), steps = false;
    ig_options first;
    ig_extractor_kind kind;
    ig_status status = make_grid(s, error);

    for (size_t i = 1; i + 1 < s->axes && s->options.project.drawn; i++)
        s->x = s->axis[i].values > 1 ? i : s->x;
    if (status == IG_OK && s->options.project.drawn && !s->x)
        status = ig_fail(error, IG_USAGE,
                         "%s needs an option that varies, as --dims 64,256",
                         s->options.project.drawn);
    if (status == IG_OK)
        status = make_columns(s, error);
    s->pivot.by = (ig_breakdown)o->by;
    if (status == IG_OK && o->groups)
        status = ig_pivot_groups(&s->pivot, o->groups, error);
    for (size_t i = 0; status == IG_OK && i < s->points; i += s->seeds) {
        set_options(s, i, &first);
        status = ig_load_objective(&first, &kind, NULL, error);
        steps |= kind >= IG_RESIDUAL;
        for (size_t n = 0; n < s->seeds; n++)
            s->runs_of[i + n + 1] = s->runs_of[i + n] + (n == 0 || kind >= IG_RANDOM);
    }
    for (size_t i = 0; status == IG_OK && i < s->axes && !steps; i++)
        if (s->axis[i].option && s->axis[i].option->steps)
            status = ig_fail(error, IG_USAGE, "--%s has no effect on closed forms: %s",
                             s->axis[i].key, s->axis[0].value[0]);
    if (status != IG_OK)
        return status;
    set_options(s, 0, &first);
    first.measure = *o; /* all methods are inputs */
    status = open_data(s, &first, error);
    if (status == IG_VALUE && first.set.dims != s->options.set.dims)
        status = IG_OK; /* other dims can work */
    if (status != IG_OK)
        return status;
    /* Check all folders of runs; other processes soon write theirs. */
    for (size_t i = 0; out && i < s->points && status == IG_OK; i++) {
        char name[NAME_SIZE], *path;

        name_run(s, i, 0, name);
        path = ig_path_join(s->options.out, name); /* NULL: make_run checks it, too */
        if (s->runs_of[i + 1] > s->runs_of[i])
            status = ig_output_check(path, &ig_run_dir, &s->loaded.inputs,
                                     s->options.run.overwrite, error);
        ig_free(path);
    }
    ig_comm_broadcast(s->team, 0, &status, sizeof status);
    return status;
}

/* Add the versions of DATA as an axis, if it has some. */
static ig_status add_versions(sweep *s, ig_error *error)
{
    const ig_options *o = &s->options;
    ig_axis axis = {.key = "version", .option = ig_option_named("only", 4)};
    ig_versions all = {0};
    struct stat info;
    ig_status status = IG_OK;

    if (o->set.versions ||
        (o->words == 1 && stat(o->word[0], &info) == 0 && S_ISDIR(info.st_mode)))
        status = ig_versions_open(&all, o->word, o->words, &o->set, error);
    axis.value = ig_arena_array(&s->arena, all.count + 1, sizeof *axis.value);
    for (size_t i = 0; i < all.count && axis.value && all.set[i]->version; i++)
        axis.value[axis.values++] =
            ig_arena_text(&s->arena, all.set[i]->version, strlen(all.set[i]->version));
    if (axis.values)
        s->options.measure.axis[s->options.measure.axes++] = axis;
    ig_versions_free(&all);
    return s->arena.failed ? ig_fail_memory(error, "versions") : status;
}

ig_status ig_sweep_command(const ig_options *given, ig_error *error)
{
    sweep s = {.options = *given,
               .team = given->team,
               .format = (ig_table_format)given->measure.format,
               .shown = given->measure.format != IG_AS_CSV &&
                        given->measure.format != IG_AS_JSON};
    ig_status status;

    s.runs.digits = s.means.digits = 9;
    s.options.team = NULL; /* each process has its own datasets and runs */
    status = add_versions(&s, error);
    if (status == IG_OK)
        status = prepare(&s, error);
    if (status == IG_OK)
        status = run_all(&s, error);
    close_data(&s);
    ig_table_free(&s.runs);
    ig_table_free(&s.means);
    ig_pivot_free(&s.pivot);
    ig_arena_free(&s.arena);
    return status;
}
