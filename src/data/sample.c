/* --limit: a stratified sample of meanings.
 *
 * A unit is an id with all its rows, or a row without an id. Units with the same set of
 * languages form a stratum; each stratum contributes in proportion (largest
 * remainders), which preserves the mix of languages. Row order is kept. */
#include <stdlib.h>

#include "core/random.h"
#include "data/dataset_parts.h"

typedef struct unit {
    uint64_t stratum; /* hash of its set of languages */
    uint32_t number;  /* id number, or ids + row number */
} unit;

typedef struct stratum {
    size_t first; /* first unit */
    size_t count;
    size_t taken;
    double rest; /* fractional part of its share */
} stratum;

static int by_stratum(const void *a, const void *b)
{
    const unit *x = a;
    const unit *y = b;

    if (x->stratum != y->stratum)
        return x->stratum < y->stratum ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

static int by_rest(const void *a, const void *b)
{
    const stratum *x = a;
    const stratum *y = b;

    if (x->rest != y->rest)
        return x->rest > y->rest ? -1 : 1;
    return x->first < y->first ? -1 : 1;
}

/* Hash of one language; hashes are summed over a unit's distinct languages. */
static uint64_t hash_language(uint16_t language)
{
    uint64_t x = (language + 1u) * 0x9e3779b97f4a7c15u;

    x = (x ^ (x >> 29)) * 0xbf58476d1ce4e5b9u;
    return x ^ (x >> 32);
}

/* Collect all units with their strata, unordered; returns their number. */
static size_t gather_units(const ig_columns *c, const ig_by_id *by_id, uint32_t *seen,
                           unit *out)
{
    size_t ids = c->ids.count;
    size_t count = 0;

    for (uint32_t i = 0; i < ids; i++) {
        out[count] = (unit){0, i};
        for (uint32_t k = by_id->start[i]; k < by_id->start[i + 1]; k++) {
            uint16_t language = c->lang[by_id->row[k]];

            if (seen[language] != i + 1)
                out[count].stratum += hash_language(language);
            seen[language] = i + 1;
        }
        count++;
    }
    for (size_t i = 0; i < c->rows; i++) {
        if (c->id[i] == IG_NO_ID)
            out[count++] = (unit){hash_language(c->lang[i]), (uint32_t)(ids + i)};
    }
    return count;
}

/* Allocate sample sizes to strata; afterwards `s` is ordered by remainder. */
static void allocate_sample(stratum *s, size_t strata, size_t units, size_t limit)
{
    size_t left = limit;

    for (size_t k = 0; k < strata; k++) {
        double share = (double)limit * (double)s[k].count / (double)units;

        s[k].taken = (size_t)share;
        s[k].rest = share - (double)s[k].taken;
        left -= s[k].taken;
    }
    qsort(s, strata, sizeof *s, by_rest);
    for (size_t k = 0; left > 0; k = (k + 1) % strata) {
        if (s[k].taken < s[k].count) {
            s[k].taken++;
            left--;
        }
    }
}

/* Draw the sample: mark[number] = 1. */
static ig_status draw_sample(unit *units, size_t count, size_t limit, uint64_t seed,
                             uint8_t *mark, ig_error *error)
{
    enum { STREAM = 0x53414d50 };
    stratum *s = ig_alloc(count, sizeof *s);
    size_t strata = 0;
    ig_random random;

    if (!s)
        return ig_fail_memory(error, "the sample");
    qsort(units, count, sizeof *units, by_stratum);
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || units[i].stratum != units[i - 1].stratum)
            s[strata++] = (stratum){.first = i};
        s[strata - 1].count++;
    }
    allocate_sample(s, strata, count, limit);
    ig_random_init(&random, seed, STREAM);
    for (size_t k = 0; k < strata; k++) {
        unit *first = units + s[k].first;

        /* The first `taken` steps of a Fisher–Yates shuffle. */
        for (size_t i = 0; i < s[k].taken; i++) {
            size_t j = i + ig_random_below(&random, s[k].count - i);
            unit chosen = first[j];

            first[j] = first[i];
            first[i] = chosen;
            mark[chosen.number] = 1;
        }
    }
    ig_free(s);
    return IG_OK;
}

static ig_status keep_marked(ig_dataset *set, const uint8_t *mark, ig_error *error)
{
    ig_columns *c = &set->inside->columns;
    uint32_t *keep = ig_alloc(c->rows, sizeof *keep);
    size_t before = c->rows;
    size_t count = 0;
    ig_status status;

    if (!keep)
        return ig_fail_memory(error, "the sample");
    for (size_t i = 0; i < c->rows; i++) {
        if (mark[c->id[i] == IG_NO_ID ? c->ids.count + i : c->id[i]])
            keep[count++] = (uint32_t)i;
    }
    status = ig_columns_keep(c, keep, count, error);
    if (status != IG_OK) {
        ig_free(keep);
        return status;
    }
    set->inside->pick = keep;
    set->notes.sampled_from = before;
    return IG_OK;
}

ig_status ig_dataset_sample(ig_dataset *set, size_t limit, uint64_t seed,
                            ig_error *error)
{
    ig_columns *c = &set->inside->columns;
    size_t max_units = c->ids.count + c->rows;
    unit *units = ig_alloc(max_units, sizeof *units);
    uint32_t *seen = ig_alloc(c->languages.count, sizeof *seen);
    uint8_t *mark = ig_alloc(max_units, 1);
    ig_by_id by_id = {0};
    ig_status status;
    size_t count;

    if (!units || !seen || !mark)
        status = ig_fail_memory(error, "the sample");
    else
        status = ig_by_id_init(&by_id, c->id, c->ids.count, c->lang, c->languages.count,
                               c->rows, error);
    if (status != IG_OK)
        goto done;
    count = gather_units(c, &by_id, seen, units);
    if (limit >= count)
        goto done;
    status = draw_sample(units, count, limit, seed, mark, error);
    if (status == IG_OK)
        status = keep_marked(set, mark, error);
done:
    ig_by_id_free(&by_id);
    IG_FREE(units, seen, mark);
    return status;
}
