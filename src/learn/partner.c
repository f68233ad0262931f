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
    if (work->start && work->row && work->place)
        return IG_OK;
    ig_partner_free(work);
    return ig_fail_memory(error, "a mini-batch");
}

void ig_partner_free(ig_partner_work *work)
{
    ig_free(work->start);
    ig_free(work->row);
    ig_free(work->place);
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
    size_t rows = 2 * b->size;

    ig_array_order(rows, rows, partner_of, b->partner, b->first, b->user);
}

size_t ig_partner_draw(ig_partner_work *w, ig_batch *b, ig_random *random)
{
    size_t n = b->size;
    size_t alone = draw_side(w, b->lang, b->partner, 0, n, random);

    alone += draw_side(w, b->lang + n, b->partner + n, n, n, random);
    list_users(b);
    return alone;
}
