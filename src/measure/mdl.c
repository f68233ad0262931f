/* Online coding [Voita, Titov 2020]. Legend: n rows, d dims, K languages.
 *
 * Blocks end after 1, 2, 4, 8, … ids and at the last. The first costs log2 K a row;
 * each other one −log2((1 − ε) p + ε / K), p of a multinomial logistic regression
 * trained on
 * all rows before it, ε = 1 / (1 + these rows), p = 0 of a language not yet seen.
 *
 * The regression minimises ½|W|² + C Σ −log p over rows that are standardised by those
 * it is trained on, with a bias that is not penalised, by L-BFGS: convex, so the result
 * does not depend on the path. C is 1e-3 under 8 training ids, else that of the grid
 * which codes the last quarter of the training ids best when trained on the others. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/blas.h"
#include "core/kernels.h"
#include "core/memory.h"
#include "core/random.h"
#include "measure/results.h"

enum {
    CHUNK = 512, /* rows whose gradient is summed by itself, at least */
    MAX_CHUNKS = 64,
    HISTORY = 10,     /* of L-BFGS */
    MAX_STEPS = 1000, /* of L-BFGS */
    IDS_FOR_GRID = 8
};

static const double GRID[] = {1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1};
static const double FIXED_C = 1e-3;
static const double LEAST_DEVIATION = 1e-6;
static const double TOLERANCE = 1e-6; /* of the gradient, by C · n */

struct regression {
    ig_matrix x;          /* (n, d) unit rows */
    const uint16_t *lang; /* (n) */
    size_t languages;     /* K */
    size_t parameters;    /* P = K · (d + 1): weights (K, d), then biases (K) */
    ig_pool *pool;
    ig_progress *watch;

    size_t trained;    /* rows 0 … trained − 1 */
    uint8_t *seen;     /* (K) languages among them */
    float *mean;       /* (d) of the training rows */
    float *inverse;    /* (d) 1 / deviation */
    float *z;          /* (n, d) standardised rows */
    float *weights;    /* (K, d) at the current point */
    double *bias;      /* (K) */
    float *logit;      /* (n, K): logits, then p − target */
    float *gradient;   /* (MAX_CHUNKS, K, d) of the weights, by chunk */
    double *chunk_sum; /* (MAX_CHUNKS, 1 + K) loss and gradient of the biases */
    size_t chunk;      /* rows of a chunk */

    double *point, *slope, *next, *next_slope, *direction; /* (P) */
    double *steps, *changes;                               /* (HISTORY, P) */
    ig_arena arena;
};

static ig_status init_regression(struct regression *r, ig_error *error)
{
    size_t n = r->x.rows, d = r->x.cols, k = r->languages, p = k * (d + 1);
    ig_arena *a = &r->arena;

    r->parameters = p;
    r->seen = ig_arena_array(a, k, sizeof *r->seen);
    r->mean = ig_arena_array(a, d, sizeof *r->mean);
    r->inverse = ig_arena_array(a, d, sizeof *r->inverse);
    r->z = ig_arena_array(a, n, d * sizeof *r->z);
    r->weights = ig_arena_array(a, k, d * sizeof *r->weights);
    r->bias = ig_arena_array(a, k, sizeof *r->bias);
    r->logit = ig_arena_array(a, n, k * sizeof *r->logit);
    r->gradient = ig_arena_array(a, MAX_CHUNKS * k, d * sizeof *r->gradient);
    r->chunk_sum = ig_arena_array(a, MAX_CHUNKS, (1 + k) * sizeof *r->chunk_sum);
    r->point = ig_arena_array(a, 5 + 2 * HISTORY, p * sizeof *r->point);
    if (a->failed)
        return ig_fail_memory(error, "the code length");
    r->slope = r->point + p;
    r->next = r->slope + p;
    r->next_slope = r->next + p;
    r->direction = r->next_slope + p;
    r->steps = r->direction + p;
    r->changes = r->steps + HISTORY * p;
    return IG_OK;
}

/* Standardise rows 0 … `rows` − 1 by the first `trained`. */
static void standardise(struct regression *r, size_t trained, size_t rows)
{
    size_t d = r->x.cols;

    r->trained = trained;
    memset(r->seen, 0, r->languages);
    for (size_t i = 0; i < trained; i++)
        r->seen[r->lang[i]] = 1;
    for (size_t j = 0; j < d; j++) {
        double sum = 0, squares = 0;

        for (size_t i = 0; i < trained; i++)
            sum += (double)ig_matrix_row(r->x, i)[j];
        sum /= (double)trained;
        for (size_t i = 0; i < trained; i++) {
            double delta = (double)ig_matrix_row(r->x, i)[j] - sum;

            squares += delta * delta;
        }
        squares = sqrt(squares / (double)trained);
        r->mean[j] = (float)sum;
        r->inverse[j] = squares < LEAST_DEVIATION ? 1.0F : (float)(1 / squares);
    }
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < d; j++)
            r->z[i * d + j] = (ig_matrix_row(r->x, i)[j] - r->mean[j]) * r->inverse[j];
}

static void load_point(struct regression *r, const double *point)
{
    size_t weights = r->languages * r->x.cols;

    for (size_t i = 0; i < weights; i++)
        r->weights[i] = (float)point[i];
    memcpy(r->bias, point + weights, r->languages * sizeof *r->bias);
}

/* Probabilities of a row from its logits without biases; returns log p of its
 * language, −∞ where that was not seen. */
static double soften_row(const struct regression *r, size_t row)
{
    size_t k = r->languages, own = r->lang[row];
    float *z = r->logit + row * k;
    double top = -(double)INFINITY, sum = 0, mine = -(double)INFINITY;

    for (size_t j = 0; j < k; j++)
        if (r->seen[j])
            top = fmax(top, (double)z[j] + r->bias[j]);
    for (size_t j = 0; j < k; j++) {
        double value = (double)z[j] + r->bias[j] - top;
        double weight = r->seen[j] ? exp(value) : 0;

        if (j == own && r->seen[j])
            mine = value;
        sum += weight;
        z[j] = (float)weight;
    }
    for (size_t j = 0; j < k; j++)
        z[j] = (float)((double)z[j] / sum);
    return mine - log(sum);
}

static void differentiate_chunks(void *context, size_t thread, size_t first,
                                 size_t last)
{
    struct regression *r = context;
    size_t d = r->x.cols, k = r->languages;
    ig_matrix weights = ig_matrix_of(r->weights, k, d);

    (void)thread;
    for (size_t c = first; c < last; c++) {
        size_t from = c * r->chunk;
        size_t count = r->trained - from < r->chunk ? r->trained - from : r->chunk;
        ig_matrix z = ig_matrix_of(r->z + from * d, count, d);
        ig_matrix logit = ig_matrix_of(r->logit + from * k, count, k);
        double *sum = r->chunk_sum + c * (1 + k);

        ig_gemm(false, true, 1, z, weights, 0, logit);
        memset(sum, 0, (1 + k) * sizeof *sum);
        for (size_t i = from; i < from + count; i++) {
            float *row = r->logit + i * k;

            sum[0] -= soften_row(r, i);
            row[r->lang[i]] -= 1;
            for (size_t j = 0; j < k; j++)
                sum[1 + j] += (double)row[j];
        }
        ig_gemm(true, false, 1, logit, z, 0,
                ig_matrix_of(r->gradient + c * k * d, k, d));
    }
}

/* ½|W|² + C Σ −log p at a point, and its gradient. */
static double differentiate(struct regression *r, double c, const double *point,
                            double *slope)
{
    size_t d = r->x.cols, k = r->languages, weights = k * d;
    size_t chunks = (r->trained + r->chunk - 1) / r->chunk;
    double loss = 0, penalty = 0;

    load_point(r, point);
    ig_parallel_for(r->pool, chunks, 1, differentiate_chunks, r);
    memset(slope, 0, r->parameters * sizeof *slope);
    for (size_t i = 0; i < chunks; i++) {
        const double *sum = r->chunk_sum + i * (1 + k);
        const float *gradient = r->gradient + i * weights;

        loss += sum[0];
        for (size_t j = 0; j < k; j++)
            slope[weights + j] += c * sum[1 + j];
        for (size_t j = 0; j < weights; j++)
            slope[j] += c * (double)gradient[j];
    }
    for (size_t j = 0; j < weights; j++) {
        penalty += point[j] * point[j];
        slope[j] += point[j];
    }
    return penalty / 2 + c * loss;
}

static double product(const double *a, const double *b, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static void add_scaled(double *to, double by, const double *what, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to[i] += by * what[i];
}

/* direction = −H slope, H from the last `count` steps, the newest at `newest`. */
static void find_direction(struct regression *r, size_t count, size_t newest)
{
    size_t p = r->parameters;
    double alpha[HISTORY], scale = 1;

    for (size_t i = 0; i < p; i++)
        r->direction[i] = -r->slope[i];
    for (size_t i = 0; i < count; i++) {
        size_t at = (newest + HISTORY - i) % HISTORY;
        const double *s = r->steps + at * p, *y = r->changes + at * p;

        alpha[at] = product(s, r->direction, p) / product(s, y, p);
        add_scaled(r->direction, -alpha[at], y, p);
        if (i == 0)
            scale = product(s, y, p) / product(y, y, p);
    }
    for (size_t i = 0; i < p; i++)
        r->direction[i] *= scale;
    for (size_t i = count; i-- > 0;) {
        size_t at = (newest + HISTORY - i) % HISTORY;
        const double *s = r->steps + at * p, *y = r->changes + at * p;

        add_scaled(r->direction,
                   alpha[at] - product(y, r->direction, p) / product(s, y, p), s, p);
    }
}

/* Minimise from r->point, which gets the minimum. IG_OK or IG_INTERRUPTED. */
static ig_status fit_regression(struct regression *r, double c)
{
    size_t p = r->parameters, count = 0, newest = HISTORY - 1;
    double limit = TOLERANCE * c * (double)r->trained;
    double value;

    r->chunk = (r->trained + MAX_CHUNKS - 1) / MAX_CHUNKS;
    r->chunk = r->chunk > CHUNK ? r->chunk : CHUNK;
    value = differentiate(r, c, r->point, r->slope);
    for (int step = 0; step < MAX_STEPS; step++) {
        double largest = 0, along, length = 1, reached;
        double *s, *y;

        if (ig_progress_cancelled(r->watch))
            return IG_INTERRUPTED;
        ig_progress_add(r->watch, 0, 0);
        for (size_t i = 0; i < p; i++)
            largest = fmax(largest, fabs(r->slope[i]));
        if (largest <= limit)
            break;
        find_direction(r, count, newest);
        along = product(r->direction, r->slope, p);
        if (count == 0)
            length = 1 / sqrt(product(r->slope, r->slope, p));
        for (;; length /= 2) {
            memcpy(r->next, r->point, p * sizeof *r->next);
            add_scaled(r->next, length, r->direction, p);
            reached = differentiate(r, c, r->next, r->next_slope);
            if (reached <= value + 1e-4 * length * along || length < 1e-9)
                break;
        }
        if (!(reached < value))
            break; /* rounding: there is no lower point along the way */
        newest = (newest + 1) % HISTORY;
        s = r->steps + newest * p;
        y = r->changes + newest * p;
        for (size_t i = 0; i < p; i++) {
            s[i] = r->next[i] - r->point[i];
            y[i] = r->next_slope[i] - r->slope[i];
        }
        memcpy(r->point, r->next, p * sizeof *r->point);
        memcpy(r->slope, r->next_slope, p * sizeof *r->slope);
        value = reached;
        if (product(s, y, p) > 0)
            count = count < HISTORY ? count + 1 : HISTORY;
        else
            count = 0;
    }
    return IG_OK;
}

/* The bits of rows first … last − 1 by the classifier at r->point. */
static double code_length(struct regression *r, size_t first, size_t last)
{
    double smoothing = 1 / (1 + (double)r->trained), bits = 0;
    size_t d = r->x.cols, k = r->languages;

    load_point(r, r->point);
    ig_gemm(false, true, 1, ig_matrix_of(r->z + first * d, last - first, d),
            ig_matrix_of(r->weights, k, d), 0,
            ig_matrix_of(r->logit + first * k, last - first, k));
    for (size_t i = first; i < last; i++)
        bits -= log2((1 - smoothing) * exp(soften_row(r, i)) +
                     smoothing / (double)r->languages);
    return bits;
}

/* Choose C for the first `ids` ids, whose rows end at end[ids − 1]. */
static ig_status choose_penalty(struct regression *r, const size_t *end, size_t ids,
                                double *c)
{
    size_t fitted = ids - ids / 4, rows = end[ids - 1];
    double best = INFINITY;
    ig_status status = IG_OK;

    *c = FIXED_C;
    if (ids < IDS_FOR_GRID)
        return IG_OK;
    standardise(r, end[fitted - 1], rows);
    memset(r->point, 0, r->parameters * sizeof *r->point);
    for (size_t i = 0; status == IG_OK && i < sizeof GRID / sizeof *GRID; i++) {
        double bits;

        status = fit_regression(r, GRID[i]);
        bits = code_length(r, end[fitted - 1], rows);
        if (bits < best) {
            best = bits;
            *c = GRID[i];
        }
    }
    return status;
}

/* The bits of all rows of r->x; row end[i] is the first behind id i. */
static ig_status code_blocks(struct regression *r, const size_t *end, size_t ids,
                             double *bits, ig_error *error)
{
    double c;
    ig_status status = init_regression(r, error);

    *bits = (double)end[0] * log2((double)r->languages);
    for (size_t sent = 1; status == IG_OK && sent < ids;) {
        size_t next = 2 * sent < ids ? 2 * sent : ids;

        status = choose_penalty(r, end, sent, &c);
        if (status != IG_OK)
            break;
        standardise(r, end[sent - 1], end[next - 1]);
        memset(r->point, 0, r->parameters * sizeof *r->point);
        status = fit_regression(r, c);
        *bits += code_length(r, end[sent - 1], end[next - 1]);
        sent = next;
    }
    ig_arena_free(&r->arena);
    return status == IG_INTERRUPTED ? ig_fail(error, status, "interrupted") : status;
}

/* --- the group -------------------------------------------------------------------- */

/* Rows in the order in which they are sent: ids shuffled, a row without one by
 * itself. */
struct order {
    uint32_t *row; /* (n) */
    size_t *end;   /* (ids) */
    size_t ids;
};

struct keyed_row {
    uint64_t key; /* random, of its id */
    uint32_t id, row;
};

static int compare_keyed_rows(const void *a, const void *b)
{
    const struct keyed_row *p = a, *q = b;

    if (p->key != q->key)
        return p->key < q->key ? -1 : 1;
    if (p->id != q->id)
        return p->id < q->id ? -1 : 1;
    return p->row < q->row ? -1 : p->row > q->row;
}

static uint64_t key_of(uint64_t seed, uint64_t stream)
{
    ig_random random;

    ig_random_init(&random, seed, stream);
    return ig_random_next(&random);
}

/* Needs n > 0. The arrays are the arena's. */
static ig_status order_rows(struct order *order, const uint32_t *id, size_t n,
                            uint64_t seed, ig_arena *arena, ig_error *error)
{
    struct keyed_row *rows = ig_arena_array(arena, n, sizeof *rows);

    order->row = ig_arena_array(arena, n, sizeof *order->row);
    order->end = ig_arena_array(arena, n, sizeof *order->end);
    if (arena->failed)
        return ig_fail_memory(error, "the code length");
    for (size_t i = 0; i < n; i++) {
        bool alone = id[i] == IG_NO_ID;

        rows[i] =
            (struct keyed_row){key_of(seed, alone ? (uint64_t)IG_NO_ID + 1 + i : id[i]),
                               alone ? IG_NO_ID : id[i], (uint32_t)i};
    }
    qsort(rows, n, sizeof *rows, compare_keyed_rows);
    for (size_t i = 0; i < n; i++) {
        order->row[i] = rows[i].row;
        if (i + 1 == n || rows[i + 1].key != rows[i].key)
            order->end[order->ids++] = i + 1;
    }
    return IG_OK;
}

static ig_status code_rows(ig_mdl *mdl, const ig_measure_input *in, ig_arena *arena,
                           ig_error *error)
{
    size_t n = in->some->rows, d = in->some->dims;
    struct order order = {0};
    float *x = ig_arena_array(arena, n, d * sizeof *x);
    float *scratch = ig_arena_array(arena, in->some->scratch, sizeof *scratch);
    uint16_t *lang = ig_arena_array(arena, n, sizeof *lang);
    struct regression r = {.x = ig_matrix_of(x, n, d),
                           .lang = lang,
                           .languages = in->languages,
                           .pool = in->pool,
                           .watch = in->watch};
    double bits;
    ig_status status = order_rows(&order, in->id, n, in->seed, arena, error);

    if (status != IG_OK)
        return status;
    ig_rows_gather(in->some, order.row, n, x, d, scratch);
    ig_rows_unit(x, d, x, d, n, d);
    for (size_t i = 0; i < n; i++)
        lang[i] = in->lang[order.row[i]];
    status = code_blocks(&r, order.end, order.ids, &bits, error);
    mdl->uniform = log2((double)in->languages);
    mdl->bits = bits / (double)n;
    mdl->compression = mdl->uniform / mdl->bits;
    return status;
}

static ig_status group_take(const ig_measure_input *in, void *result, ig_error *error)
{
    ig_mdl *mdl = result;
    size_t n = in->some->rows;
    ig_arena arena = {0};
    ig_status status = IG_OK;

    *mdl = (ig_mdl){.bits = (double)NAN, .compression = (double)NAN, .rows = n};
    if (in->languages < 2)
        mdl->reason = "only one language";
    else if (n == 0)
        mdl->reason = "no rows";
    else
        status = code_rows(mdl, in, &arena, error);
    ig_arena_free(&arena);
    return status;
}

static const ig_figure_line lines[] = {
    {"mdl", .at = offsetof(ig_mdl, bits), .chance_at = offsetof(ig_mdl, uniform),
     .reason_at = offsetof(ig_mdl, reason)},
    {"mdl_compression", .at = offsetof(ig_mdl, compression),
     .reason_at = offsetof(ig_mdl, reason)},
};

static void group_append(const void *result, ig_figures *figures)
{
    const ig_mdl *mdl = result;

    ig_figures_add_lines(figures, lines, sizeof lines / sizeof *lines, mdl, mdl->rows,
                         0, mdl->reason);
}

static double group_work(const ig_measure_input *in)
{
    (void)in;
    return 0;
}

IG_GROUP(mdl, "language code length", IG_NEEDS_ROWS, .word = "mdl");
