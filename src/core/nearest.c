/* Candidates by floats, decided in double. */
#include "core/scan.h"

#include <float.h>
#include <math.h>

#include "core/array.h"
#include "core/kernels.h"

enum { GROUPS = IG_MAXIMA, ROOM = IG_NEAR_ROOM };

static bool is_alike(const ig_scan *s, uint32_t a, uint32_t b)
{
    return s->same && s->same[a] == s->same[b] && s->lang[a] == s->lang[b];
}

/* A total order, so that what a full list keeps does not depend on who comes first. */
static bool is_above(const ig_scan *s, float score, uint32_t row, const ig_near *near,
                     size_t at)
{
    return score > near->score[at] ||
           (score == near->score[at] && ig_scan_before(s, row, near->row[at]));
}

static void insert(ig_near *near, const ig_scan *s, float score, uint32_t row)
{
    size_t at = near->count;

    for (size_t i = 0; s->same && i < near->count; i++)
        at = is_alike(s, near->row[i], row) ? i : at;
    if (at == near->count && at < ROOM)
        near->count++;
    else if (!is_above(s, score, row, near, at -= at == ROOM))
        return;
    for (; at > 0 && is_above(s, score, row, near, at - 1); at--) {
        near->score[at] = near->score[at - 1];
        near->row[at] = near->row[at - 1];
    }
    near->score[at] = score;
    near->row[at] = row;
}

/* What a score must reach to be among the k nearest. */
static float limit_of(const ig_near *near, size_t k)
{
    return near->count < k ? -FLT_MAX : near->score[k - 1] - 2 * near->blur;
}

/* The k-th of the maxima of groups, which k rows reach. */
static float bound_of(const float *top, size_t k)
{
    float best[IG_NEAR_MAX];

    for (size_t g = 0; g < GROUPS; g++) {
        size_t at = g < k ? g : k;

        for (; at > 0 && top[g] > best[at - 1]; at--)
            if (at < k)
                best[at] = best[at - 1];
        if (at < k)
            best[at] = top[g];
    }
    return best[k - 1];
}

void ig_near_offer(ig_near *near, size_t k, const ig_face *face, size_t i,
                   const float *product, float most, double base)
{
    const ig_scan *s = face->scan;
    float shift = (float)(face->base - base), limit, top[GROUPS];
    float blur = (float)(face->blur + (shift != 0 ? IG_COSINE_EQUAL : 0));

    near->blur = blur > near->blur ? blur : near->blur;
    limit = limit_of(near, k);
    if (!(most + shift >= limit))
        return;
    ig_maxima(product, face->n, top);
    if (near->count < k && !s->same) /* identical rows count once */
        limit = fmaxf(limit, bound_of(top, k) + shift - 2 * near->blur);
    for (size_t g = 0; g < GROUPS; g++)
        for (size_t j = g; top[g] + shift >= limit && j < face->n; j += GROUPS) {
            float score = product[j] + shift;

            if (!(score >= limit))
                continue;
            /* A zero row is equally near to the rows of all languages. */
            insert(near, s, s->zero[face->query[i]] ? (float)-base : score,
                   face->first + (uint32_t)j);
            limit = fmaxf(limit, limit_of(near, k));
        }
}

void ig_near_join(ig_near *near, const ig_scan *s, const ig_near *other)
{
    near->blur = fmaxf(near->blur, other->blur);
    for (uint32_t i = 0; i < other->count; i++)
        insert(near, s, other->score[i], other->row[i]);
}

bool ig_candidate_insert(ig_candidate *near, size_t *count, size_t most,
                         ig_candidate item, const ig_scan *s)
{
    size_t at = *count;

    for (; at > 0 && (item.cosine > near[at - 1].cosine ||
                      (item.cosine == near[at - 1].cosine &&
                       ig_scan_before(s, item.row, near[at - 1].row)));
         at--)
        if (at < most)
            near[at] = near[at - 1];
    if (at >= most)
        return false;
    near[at] = item;
    *count += *count < most;
    return true;
}

size_t ig_near_take(const ig_near *near, size_t k, const ig_scan *s, uint32_t query,
                    bool (*counts)(const void *context, uint32_t row),
                    const void *context, ig_candidate *out)
{
    float least = limit_of(near, k);
    size_t count = 0;

    for (uint32_t i = 0; i < near->count && near->score[i] >= least; i++) {
        uint32_t row = near->row[i], is = s->same ? s->same[row] : row;
        double cosine = ig_scan_cosine(s, query, row);

        for (; is != UINT32_MAX && s->lang[is] <= s->lang[row]; is = s->next[is])
            if (s->lang[is] == s->lang[row] && is != query &&
                (is == row || !counts || counts(context, is)) &&
                !ig_candidate_insert(out, &count, k, (ig_candidate){cosine, is}, s))
                break;
    }
    return count;
}

uint32_t ig_face_nearer(const ig_face *face, size_t i, const float *product, float most,
                        double cosine, uint32_t best, const uint32_t *target,
                        size_t targets, bool *tied)
{
    const ig_scan *s = face->scan;
    double limit = cosine - face->base, by = IG_COSINE_EQUAL + face->blur;
    float high = (float)(limit + by), low = (float)(limit - by);
    uint32_t nearer;

    if (!(most > low))
        return 0;
    nearer = ig_count_gt(product, high, face->n);
    if (ig_count_gt(product, low, face->n) == nearer)
        return nearer;
    for (uint32_t j = 0; j < face->n; j++) {
        uint32_t row = face->first + j;
        size_t at;
        double more = 0;

        if (!(product[j] > low) || product[j] > high)
            continue;
        at = ig_array_find(target, targets, row);
        if (at < targets && target[at] == row) /* none is nearer than the nearest */
            continue;
        if (!(s->same && s->same[row] == s->same[best]) &&
            fabs((double)product[j] - limit) + face->blur >= IG_COSINE_EQUAL)
            more = ig_scan_cosine(s, face->query[i], row) - cosine;
        nearer += more > IG_COSINE_EQUAL;
        *tied |= fabs(more) <= IG_COSINE_EQUAL;
    }
    return nearer;
}
