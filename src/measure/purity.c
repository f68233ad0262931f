/* Purity of neighbourhoods, by all products of the rows with themselves. */
#include "measure/purity.h"

#include <math.h>

#include "base/memory.h"
#include "linear/knn.h"
#include "measure/units.h"

/* Pairs of neighbours, and how many of them would be of one language by chance. */
static void conclude(ig_purity *purity, const ig_knn_side *side, const uint16_t *lang,
                     const size_t *rows)
{
    double n = (double)purity->rows, chance = 0;
    size_t same = 0;

    for (size_t i = 0; i < purity->rows; i++) {
        for (size_t j = 0; j < side->k; j++)
            same += lang[side->nearest[i * side->k + j].row] == lang[i];
        chance += (double)rows[lang[i]] - 1;
    }
    purity->purity = (double)same / (n * (double)side->k);
    purity->expected = chance / (n * (n - 1));
}

/* The units of all rows are had, and finite; they are moved to their centre. */
static ig_status measure(ig_purity *purity, ig_units *u, const uint16_t *lang,
                         size_t languages, ig_pool *pool, ig_watch *watch,
                         ig_error *error)
{
    size_t *rows = ig_alloc(languages, sizeof *rows);
    ig_block block = {0};
    ig_products products = {0};
    ig_knn knn = {0};
    ig_consumer consumer = ig_knn_consumer(&knn);
    ig_status status = rows ? IG_OK : ig_fail_memory(error, "purity");

    if (status == IG_OK)
        status = ig_block_init(&block, u->unit, u->count, u->dims, u->zero, error);
    if (status == IG_OK)
        status = ig_products_init(&products, u->count, 0, u->dims,
                                  ig_pool_threads(pool), error);
    if (status == IG_OK)
        status = ig_knn_init(&knn, &products, IG_PURITY_NEAR, error);
    if (status != IG_OK)
        goto done;
    for (size_t i = 0; i < u->count; i++)
        rows[lang[i]]++;
    products.self = true;
    products.side[0] = block;
    if (ig_products_run_pool(&products, &consumer, 1, pool, watch))
        conclude(purity, &knn.side[0], lang, rows);
    else
        status = ig_fail(error, IG_INTERRUPTED, "interrupted");
done:
    ig_knn_free(&knn);
    ig_products_free(&products);
    ig_block_free(&block);
    ig_free(rows);
    return status;
}

ig_status ig_purity_measure(ig_purity *purity, const ig_rows *rows,
                            const uint16_t *lang, size_t languages, ig_pool *pool,
                            ig_watch *watch, ig_error *error)
{
    ig_purity result = {.purity = NAN, .expected = NAN, .rows = rows->rows};
    ig_units u = {.count = rows->rows};
    ig_status status = IG_OK;

    if (rows->rows < 2) {
        result.reason = rows->rows ? "only one row" : "no rows";
        *purity = result;
        return IG_OK;
    }
    u.row = ig_alloc(u.count, sizeof *u.row);
    if (!u.row)
        return ig_fail_memory(error, "purity");
    for (size_t i = 0; i < u.count; i++)
        u.row[i] = (uint32_t)i;
    status = ig_units_gather(&u, rows, pool, watch, error);
    if (status == IG_OK && u.odd_rows)
        result.reason = "a value is not finite";
    else if (status == IG_OK)
        status = measure(&result, &u, lang, languages, pool, watch, error);
    ig_units_free(&u);
    if (status == IG_OK)
        *purity = result;
    return status;
}

/* --- the family ------------------------------------------------------------------ */

static const ig_measure_entry entries[] = {
    {.family = &ig_purity_family,
     .key = "purity10",
     .name = "purity@10",
     .brief = "purity",
     .about = "Share of a row's ten nearest rows, over all languages, that have its "
              "own language.",
     .unit = IG_UNIT_SHARE,
     .decimals = 1,
     .better = {-1, -1, 1},
     .at = offsetof(ig_purity, purity),
     .chance_at = offsetof(ig_purity, expected)},
};

static double family_work(const ig_measure_input *in)
{
    return (double)in->some->rows * (double)in->some->rows * (double)in->some->dims;
}

static ig_status family_take(const ig_measure_input *in, void *result, ig_error *error)
{
    return ig_purity_measure(result, in->some, in->lang, in->languages, in->pool,
                             in->watch, error);
}

const ig_family ig_purity_family = {.name = "purity",
                                    .needs = IG_NEEDS_ROWS,
                                    .work = family_work,
                                    .take = family_take,
                                    .reason_at = offsetof(ig_purity, reason),
                                    .entry = entries,
                                    .entries = sizeof entries / sizeof *entries};
