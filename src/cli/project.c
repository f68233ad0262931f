/* isogloss project: exact principal components of all rows: CSV, JSON or pictures. */
#include <math.h>
#include <string.h>

#include "base/decimal.h"
#include "base/file.h"
#include "cli/commands.h"
#include "cli/load.h"
#include "cli/output.h"
#include "draw/axes.h"
#include "draw/picture.h"
#include "map/map_axis.h"

/* What is asked for, and the coordinates of the rows in each space that is shown. */
typedef struct projection {
    ig_loaded loaded;
    int fit;  /* ig_space, or IG_FIT_JOINT */
    size_t k; /* coordinates: axes that are laid, then components */
    bool unit;
    size_t laids;
    ig_map_axis laid[IG_LAID_MAX];
    ig_projection map;
    struct scaled {
        bool tried;
        float *scale;          /* (rows) 1/length, or NULL: it is not had so */
        ig_rows_scaled source; /* the originals times that, and it itself … */
        ig_rows rows;          /* … as rows of d + 1 … */
        float *w; /* (d, d + 1) … by which they are the space's unit rows */
    } scaled[IG_SPACES];
    size_t spaces;
    ig_space space[IG_SPACES];
    float *at[IG_SPACES]; /* (rows, k) of each shown space */
} projection;

/* --- what is fitted and shown ---------------------------------------------------- */

/* Whether a picture is called otherwise than its form: a slip of the hand that would
 * put it over something else. */
static bool misnamed(const char *path, const char *ending)
{
    if (!path || ig_path_ends(path, ending) || ig_path_is_stream(path))
        return false;
    ig_complain("--%s %s: its name does not end in %s", ending + 1, path, ending);
    return true;
}

static int check_usage(const ig_options *options)
{
    bool picture = options->svg || options->pdf || options->png;

    if (options->components && options->components < options->laids) {
        ig_complain("%zu axes are laid, and --components is %zu: it counts them",
                    options->laids, options->components);
        return IG_EXIT_USAGE;
    }
    if (options->fit == IG_FIT_XY &&
        (options->run || options->laids || options->components)) {
        ig_complain(
            "--fit xy takes the map as the table has it: no --run, no --axis, no "
            "--components");
        return IG_EXIT_USAGE;
    }
    if (options->fit > IG_SPACE_ORIGINAL && options->fit != IG_FIT_XY && !options->run)
        ig_complain("--fit %s needs --run RUN",
                    options->fit == IG_FIT_JOINT
                        ? "joint"
                        : ig_space_name((ig_space)options->fit));
    else if (picture && options->components == 1)
        ig_complain("a picture needs 2 components, not 1");
    else if (!misnamed(options->svg, ".svg") && !misnamed(options->pdf, ".pdf") &&
             !misnamed(options->png, ".png"))
        return IG_EXIT_OK;
    return IG_EXIT_USAGE;
}

static bool serves(const projection *p, ig_space space)
{
    return space == IG_SPACE_ORIGINAL ||
           (p->loaded.has_model &&
            ig_extractor_serves(&p->loaded.model.extractor, space));
}

/* Dimensions of a space: the set's, but for the meanings of a head. */
static size_t width_of(const projection *p, ig_space space)
{
    return p->loaded.has_model && space != IG_SPACE_ORIGINAL
               ? p->loaded.model.extractor.width
               : p->loaded.set->dims;
}

/* With a run its meaning and language rows are shown, else the original ones. */
static ig_status choose(projection *p, const ig_options *options, ig_error *error)
{
    const ig_set *set = p->loaded.set;
    size_t dims; /* of the rows that components are fitted to */
    bool picture = options->svg || options->pdf || options->png;

    if (options->fit == IG_FIT_XY) {
        p->fit = IG_FIT_XY;
        p->k = 2;
        p->space[p->spaces++] = IG_SPACE_ORIGINAL;
        return set->xy[0]
                   ? IG_OK
                   : ig_fail(error, IG_VALUE,
                             "%s: no columns x and y with a number in every row; "
                             "--column x=NAME and y=NAME name others",
                             set->name);
    }
    p->fit = options->fit != IG_FIT_UNSAID ? options->fit
             : p->loaded.has_model         ? IG_FIT_JOINT
                                           : IG_SPACE_ORIGINAL;
    for (int s = p->loaded.has_model ? IG_SPACE_MEANING : IG_SPACE_ORIGINAL;
         s < IG_SPACES; s++)
        if (serves(p, (ig_space)s))
            p->space[p->spaces++] = (ig_space)s;
    if (p->fit != IG_FIT_JOINT && !serves(p, (ig_space)p->fit))
        return ig_fail(error, IG_VALUE, "the run %s (%s) has no %s space", options->run,
                       ig_extractor_name(p->loaded.model.extractor.kind),
                       ig_space_name((ig_space)p->fit));
    dims = width_of(p, p->fit == IG_FIT_JOINT ? IG_SPACE_MEANING : (ig_space)p->fit);
    p->k = options->components ? options->components : dims < 2 ? dims : 2;
    if (p->k < options->laids)
        return ig_fail(error, IG_VALUE, "%zu axes are laid in %zu dimension%s",
                       options->laids, p->k, p->k == 1 ? "" : "s");
    if (p->k > dims || (picture && p->k < 2))
        return ig_fail(error, IG_VALUE, "%s has %zu dimension%s, not %zu components",
                       set->name, dims, dims == 1 ? "" : "s",
                       picture && p->k < 2 ? 2 : p->k);
    if (dims != width_of(p, p->space[0]))
        return ig_fail(error, IG_SHAPE,
                       "the %s rows have %zu dimensions but components of the %s rows "
                       "have %zu",
                       ig_space_name(p->space[0]), width_of(p, p->space[0]),
                       ig_space_name((ig_space)p->fit), dims);
    return IG_OK;
}

/* --- fitting --------------------------------------------------------------------- */

/* (W b), or (I − W, −b) of a residual one: (d, d + 1). NULL when memory is short. */
static float *join_weights(const ig_image *image)
{
    size_t d = image->w.rows, e = image->w.cols;
    float sign = image->residual ? -1 : 1;
    float *out = ig_alloc(d, (e + 1) * sizeof *out);

    for (size_t i = 0; out && i < d; i++) {
        float *row = out + i * (e + 1);

        for (size_t j = 0; j < e; j++)
            row[j] = sign * image->w.a[i * image->w.stride + j] +
                     (image->residual && i == j ? 1 : 0);
        row[e] = image->b ? sign * image->b[i] : 0;
    }
    return out;
}

/* Unit rows of a linear space as an image of scaled originals, when their lengths are
 * had: no row of the space is computed then. */
static ig_status scale_space(projection *p, const ig_options *options, ig_space space,
                             const ig_map_source *source, ig_error *error)
{
    struct scaled *s = &p->scaled[space];
    ig_status status;

    if (s->tried)
        return IG_OK;
    s->tried = true;
    status = ig_load_scale(&p->loaded, options, space, &source->rows, &s->scale, error);
    if (status != IG_OK || !s->scale)
        return status;
    s->w = join_weights(&source->image);
    s->source = (ig_rows_scaled){&p->loaded.originals, s->scale};
    s->rows = ig_rows_of_scaled(&s->source);
    return s->w ? IG_OK : ig_fail_memory(error, "the lengths");
}

/* Spaces of the map, as linear images of the originals where they are such; *unit:
 * whether their rows are to be scaled to length 1 as they are read. */
static ig_status map_spaces(projection *p, const ig_options *options,
                            const ig_space *which, size_t n, ig_map_source *out,
                            bool *unit, ig_error *error)
{
    ig_status status = IG_OK;
    size_t scaled = 0;

    *unit = p->unit;
    for (size_t i = 0; i < n && status == IG_OK; i++) {
        out[i] = (ig_map_source){0};
        ig_load_space(&p->loaded, which[i], &out[i].rows);
        if (!p->loaded.has_model ||
            !ig_load_image(&p->loaded, which[i], &out[i].image) || !p->unit)
            continue;
        status = scale_space(p, options, which[i], &out[i], error);
        scaled += p->scaled[which[i]].w != NULL;
    }
    if (scaled < n)
        return status;
    *unit = false;
    for (size_t i = 0; i < n; i++) {
        const struct scaled *s = &p->scaled[which[i]];

        out[i].image = (ig_image){
            .of = &s->rows, .w = ig_matrix_of(s->w, out[i].rows.dims, s->rows.dims)};
    }
    return status;
}

static bool is_fitted(const projection *p, ig_space space)
{
    return serves(p, space) &&
           (p->fit == IG_FIT_JOINT ? space != IG_SPACE_ORIGINAL : (int)space == p->fit);
}

/* Lay an axis through the rows that were summed. */
static ig_status lay(projection *p, const ig_map_axis *axis, const ig_map_source *space,
                     size_t spaces, ig_error *error)
{
    const ig_set *set = p->loaded.set;
    const ig_rows *all[IG_SPACES];
    ig_map_group from = {0}, to = {0};
    char name[IG_MAP_AXIS_SIZE];
    ig_error why;
    ig_status status = ig_map_end_rows(&to, set, &axis->to, 0, &why);

    for (size_t s = 0; s < spaces; s++)
        all[s] = &space[s].rows;
    if (status == IG_OK && axis->kind == IG_AXIS_BETWEEN)
        status = ig_map_end_rows(&from, set, &axis->from, 0, &why);
    if (status == IG_OK)
        status = ig_map_axis_lay(&p->map, axis, &from, &to, space, all, spaces, p->unit,
                                 p->loaded.pool, NULL, &why);
    ig_free(from.row);
    ig_free(to.row);
    return status == IG_OK
               ? IG_OK
               : ig_fail(error, status, "--axis %s: %s",
                         ig_map_axis_format(name, axis, set, "to"), why.message);
}

static ig_status fit(projection *p, const ig_options *options, ig_error *error)
{
    ig_map_source space[IG_SPACES];
    ig_space which[IG_SPACES];
    size_t spaces = 0;
    bool unit;
    ig_status status;

    for (int s = 0; s < IG_SPACES; s++)
        if (is_fitted(p, (ig_space)s))
            which[spaces++] = (ig_space)s;
    status = map_spaces(p, options, which, spaces, space, &unit, error);
    if (status == IG_OK)
        status = ig_projection_sum(&p->map, space, spaces, unit, p->loaded.pool, NULL,
                                   error);
    for (size_t i = 0; i < p->laids && status == IG_OK; i++)
        status = lay(p, &p->laid[i], space, spaces, error);
    if (status != IG_OK)
        return status;
    return ig_projection_solve(&p->map, p->k > p->laids ? p->k - p->laids : 1, error);
}

/* The coordinates that the set has itself. */
static ig_status take_coordinates(projection *p, ig_error *error)
{
    const ig_set *set = p->loaded.set;

    p->at[0] = ig_alloc(set->rows, 2 * sizeof *p->at[0]);
    if (!p->at[0])
        return ig_fail_memory(error, "the coordinates");
    for (size_t i = 0; i < 2 * set->rows; i++)
        p->at[0][i] = (float)set->xy[i % 2]->number[i / 2];
    return IG_OK;
}

/* Coordinates of all rows of the spaces shown. */
static ig_status place(projection *p, const ig_options *options, ig_error *error)
{
    ig_map_source space[IG_SPACES];
    bool unit;
    ig_status status = map_spaces(p, options, p->space, p->spaces, space, &unit, error);

    if (status != IG_OK)
        return status;
    for (size_t i = 0; i < p->spaces; i++) {
        p->at[i] = ig_alloc(p->loaded.set->rows, p->k * sizeof *p->at[i]);
        if (!p->at[i])
            return ig_fail_memory(error, "the coordinates");
    }
    return ig_projection_place(&p->map, space, p->spaces, NULL, p->k, unit,
                               p->loaded.pool, NULL, p->at, p->k, error);
}

/* --- output ---------------------------------------------------------------------- */

/* Of the map's own coordinates "xy", for they are none of a space. */
static const char *space_name(const projection *p, size_t s)
{
    return p->fit == IG_FIT_XY ? "xy" : ig_space_name(p->space[s]);
}

static void put_csv(const projection *p)
{
    const ig_set *set = p->loaded.set;
    char number[IG_SHORTEST_SIZE], name[IG_MAP_AXIS_SIZE];

    fputs("row,lang,space", stdout);
    for (size_t j = 0; j < p->laids; j++) {
        putchar(',');
        ig_field_put(stdout, ig_map_axis_format(name, &p->laid[j], set, "to"), ',');
    }
    for (size_t j = p->laids; j < p->k; j++)
        if (p->fit == IG_FIT_XY)
            printf(",%c", "xy"[j]);
        else
            printf(",pc%zu", j - p->laids + 1);
    putchar('\n');
    for (size_t s = 0; s < p->spaces; s++)
        for (size_t i = 0; i < p->loaded.set->rows && !ferror(stdout); i++) {
            printf("%zu,", i);
            ig_field_put(stdout, set->language[set->lang[i]], ',');
            printf(",%s", space_name(p, s));
            for (size_t j = 0; j < p->k; j++) {
                putchar(',');
                fputs(ig_shortest_float(number, p->at[s][i * p->k + j]), stdout);
            }
            putchar('\n');
        }
}

static const char *fit_name(const projection *p)
{
    return p->fit == IG_FIT_XY      ? "xy"
           : p->fit == IG_FIT_JOINT ? "joint"
                                    : ig_space_name((ig_space)p->fit);
}

static int put_json(const projection *p)
{
    const ig_set *set = p->loaded.set;
    ig_json *out = ig_json_object();
    ig_json *ratio = ig_json_array();
    ig_json *variance = ig_json_array();
    ig_json *lang = ig_json_array();
    ig_json *spaces = ig_json_object();
    ig_json *axes = p->laids ? ig_json_array() : NULL;
    char name[IG_MAP_AXIS_SIZE];

    for (size_t j = 0; j < p->k && p->fit != IG_FIT_XY; j++) {
        double share = ig_projection_share(&p->map, j);

        ig_json_push(ratio, ig_json_real(share));
        ig_json_push(variance,
                     ig_json_real(j < p->laids ? share * p->map.pca.total
                                               : p->map.pca.variance[j - p->laids]));
    }
    for (size_t j = 0; j < p->laids; j++)
        ig_json_push(axes,
                     ig_json_text(ig_map_axis_format(name, &p->laid[j], set, "to")));
    for (size_t i = 0; i < p->loaded.set->rows; i++)
        ig_json_push(lang, ig_json_text(set->language[set->lang[i]]));
    for (size_t s = 0; s < p->spaces; s++) {
        ig_json *list = ig_json_array();

        for (size_t i = 0; i < p->loaded.set->rows; i++) {
            ig_json *point = ig_json_array();

            for (size_t j = 0; j < p->k; j++)
                ig_json_push(point, ig_json_float(p->at[s][i * p->k + j]));
            ig_json_push(list, point);
        }
        ig_json_put(spaces, space_name(p, s), list);
    }
    ig_json_put(out, "rows", ig_json_count(p->loaded.set->rows));
    ig_json_put(out, "dims", ig_json_count(set->dims));
    ig_json_put(out, "fit", ig_json_text(fit_name(p)));
    ig_json_put(out, "fitted_rows", ig_json_count(p->map.pca.rows)); /* 0: none */
    if (axes)
        ig_json_put(out, "axes", axes);
    ig_json_put(out, "explained_variance_ratio", ratio);
    ig_json_put(out, "explained_variance", variance);
    ig_json_put(out, "lang", lang);
    ig_json_put(out, "spaces", spaces);
    return ig_json_print(out);
}

enum { LABEL = IG_MAP_AXIS_SIZE + 16 };

static void axis_label(const projection *p, size_t axis, char out[LABEL])
{
    char name[IG_MAP_AXIS_SIZE];

    if (p->fit == IG_FIT_XY) {
        snprintf(out, LABEL, "%.60s", p->loaded.set->xy[axis]->name);
        return;
    }
    if (axis < p->laids)
        ig_map_axis_format(name, &p->laid[axis], p->loaded.set, "→");
    else
        snprintf(name, sizeof name, "%sPC%zu", p->laids ? "⊥" : "",
                 axis - p->laids + 1);
    snprintf(out, LABEL, "%s  %.1f%%", name, 100 * ig_projection_share(&p->map, axis));
}

static ig_status put_pictures(const projection *p, const ig_options *options,
                              ig_error *error)
{
    const ig_set *set = p->loaded.set;
    const char *path[] = {
        [IG_SVG] = options->svg, [IG_PDF] = options->pdf, [IG_PNG] = options->png};
    char title[320], x[LABEL], y[LABEL], rows[IG_NUMBER_SIZE];
    ig_picture picture = {.title = title,
                          .x_label = x,
                          .y_label = y,
                          .group = set->language,
                          .groups = set->languages,
                          .of = set->lang,
                          .rows = p->loaded.set->rows,
                          .series = p->spaces};
    ig_status status = IG_OK;

    axis_label(p, 0, x);
    axis_label(p, 1, y);
    ig_count_format(rows, p->loaded.set->rows);
    if (p->loaded.has_model)
        snprintf(title, sizeof title, "%.100s, %s rows: %.100s, epoch %zu (%s fit)",
                 set->name, rows, p->loaded.model.method, p->loaded.model.epoch,
                 fit_name(p));
    else
        snprintf(title, sizeof title, "%.100s, %s rows", set->name, rows);
    for (size_t s = 0; s < p->spaces; s++)
        picture.of_series[s] = (ig_picture_series){space_name(p, s), p->at[s], p->k};
    for (int f = 0; f <= IG_PNG && status == IG_OK; f++)
        if (path[f])
            status = ig_picture_write(&picture, (ig_picture_format)f, path[f], error);
    return status;
}

/* --- the command ----------------------------------------------------------------- */

static ig_status project(projection *p, const ig_options *options, ig_error *error)
{
    ig_status status = ig_load_with_run(&p->loaded, options, error);
    ig_error why;

    p->unit = options->unit;
    p->laids = options->laids;
    for (size_t i = 0; i < p->laids && status == IG_OK; i++) {
        status = ig_map_axis_parse(&p->laid[i], options->laid[i], p->loaded.set, NULL,
                                   NULL, &why);
        if (status != IG_OK)
            ig_fail(error, status, "--axis: %s", why.message);
    }
    if (status == IG_OK)
        status = choose(p, options, error);
    if (status == IG_OK && p->fit == IG_FIT_XY) {
        status = take_coordinates(p, error);
    } else {
        if (status == IG_OK)
            status = fit(p, options, error);
        if (status == IG_OK)
            status = place(p, options, error);
    }
    return status;
}

int ig_project_command(const ig_options *options)
{
    projection p = {0};
    ig_error error = {0};
    bool pictures = options->svg || options->pdf || options->png;
    ig_status status;
    int code = check_usage(options);

    if (code != IG_EXIT_OK)
        return code;
    status = project(&p, options, &error);
    if (status == IG_OK && pictures)
        status = put_pictures(&p, options, &error);
    if (status != IG_OK)
        code = ig_fail_exit(&error);
    else if (options->json)
        code = put_json(&p);
    else if (!pictures)
        put_csv(&p);
    for (size_t s = 0; s < p.spaces; s++)
        ig_free(p.at[s]);
    for (int s = 0; s < IG_SPACES; s++) {
        ig_free(p.scaled[s].scale);
        ig_free(p.scaled[s].w);
    }
    ig_projection_free(&p.map);
    ig_load_free(&p.loaded);
    return code;
}
