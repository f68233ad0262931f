/* Draws partners: rows sorted by language once, then one draw a row. */
#include "learn/partner.h"

#include "base/array.h"
#include <string.h>

ig_status ig_partner_init(ig_partner_work *work, size_t languages, size_t capacity,
                          ig_error *error)
{
    *work = (ig_partner_work){.languages = languages};
    work->start = ig_alloc(languages + 2, sizeof *work->start);
    work->row = ig_alloc(capacity, sizeof *work->row);
    work->place = ig_alloc(capacity, sizeof *work->place);
    work->drawn = ig_alloc(2 * capacity, sizeof *work->drawn);
    work->ghost = ig_alloc(2 * capacity, sizeof *work->ghost);
    if (work->start && work->row && work->place && work->drawn && work->ghost)
        return IG_OK;
    ig_partner_free(work);
    return ig_fail_memory(error, "a mini-batch");
}

void ig_partner_free(ig_partner_work *work)
{
    ig_free(work->start);
    ig_free(work->row);
    ig_free(work->place);
    ig_free(work->drawn);
    ig_free(work->ghost);
    *work = (ig_partner_work){0};
}

static size_t language_of(const void *lang, size_t i)
{
    return ((const uint16_t *)lang)[i];
}

/* Rows 0 … n−1 in the order of their languages, each language in its own order. */
static void sort_by_language(ig_partner_work *w, const uint16_t *lang, size_t n)
{
    ig_array_order(n, w->languages, language_of, lang, w->start, w->row);
    for (size_t i = 0; i < n; i++)
        w->place[w->row[i]] = (uint32_t)i;
}

static size_t draw_side(ig_partner_work *w, const uint16_t *lang, uint32_t *partner,
                        size_t base, size_t n, ig_random *random)
{
    size_t alone = 0;

    sort_by_language(w, lang, n);
    for (size_t i = 0; i < n; i++) {
        size_t first = w->start[lang[i]];
        size_t count = w->start[lang[i] + 1] - first;
        size_t place = w->place[i] - first;

        if (count == 1)
            alone++;
        else if (random)
            place += 1 + ig_random_below(random, count - 1);
        else
            place++;
        partner[i] = (uint32_t)(base + w->row[first + place % count]);
    }
    return alone;
}

static size_t partner_of(const void *partner, size_t i)
{
    return ((const uint32_t *)partner)[i];
}

/* The reverse: which rows have row r as their partner. */
static void list_users(ig_batch *b)
{
    ig_array_order(2 * b->size, ig_batch_rows(b), partner_of, b->partner, b->first,
                   b->user);
}

size_t ig_partner_draw(ig_partner_work *w, ig_batch *b, ig_random *random)
{
    size_t n = b->size;
    size_t alone = draw_side(w, b->lang, b->partner, 0, n, random);

    alone += draw_side(w, b->lang + n, b->partner + n, n, n, random);
    list_users(b);
    return alone;
}

/* Whether a side's partners are any term's. */
static bool has_partners(const ig_batch *b, size_t side)
{
    for (size_t k = 0; k < b->plan->bases; k++)
        if ((b->plan->base[k] & 1) && (b->plan->base[k] >> 1 & 1u) == side)
            return true;
    return false;
}

/* The share's partners of one side; those outside of it become ghosts. */
static void share_side(ig_partner_work *w, ig_batch *b, size_t side, size_t from,
                       uint32_t *ghost)
{
    size_t base = side * b->size, whole = side * b->whole;
    bool used = has_partners(b, side);

    for (size_t i = 0; i < b->size; i++) {
        size_t p = used ? w->drawn[whole + from + i] : whole + from + i;
        size_t at = p - whole - from; /* a row before `from` is a very high number */

        if (at < b->size) {
            b->partner[base + i] = (uint32_t)(base + at);
            continue;
        }
        if (w->ghost[p] == UINT32_MAX) {
            size_t ghosts = b->ghosts[0] + b->ghosts[1];

            w->ghost[p] = (uint32_t)(2 * b->size + ghosts);
            ghost[ghosts] = (uint32_t)p;
            b->ghosts[side]++;
        }
        b->partner[base + i] = w->ghost[p];
    }
}

size_t ig_partner_draw_share(ig_partner_work *w, ig_batch *b, const uint16_t *lang,
                             size_t from, ig_random *random, uint32_t *ghost)
{
    size_t n = b->whole;
    size_t alone = draw_side(w, lang, w->drawn, 0, n, random);

    alone += draw_side(w, lang + n, w->drawn + n, n, n, random);
    memset(w->ghost, 0xff, 2 * n * sizeof *w->ghost);
    b->ghosts[0] = b->ghosts[1] = 0;
    for (size_t side = 0; side < 2; side++)
        share_side(w, b, side, from, ghost);
    list_users(b);
    return alone;
}
