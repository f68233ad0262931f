/* Parallel pairs from equal ids. Two passes over the ids: the first counts, the second
 * fills arrays of that size. */
#include "data/pairs.h"

#include <string.h>

#include "base/array.h"
#include "data/columns.h"
#include "data/quote.h"

/* Which languages are paired. */
typedef enum mode { PAIR_PIVOT, PAIR_ALL, PAIR_LIST } mode;

typedef struct language_pair {
    uint32_t left, right;
} language_pair;

typedef struct pairing {
    mode mode;
    uint32_t pivot;
    language_pair *list; /* (count) */
    size_t count;
    size_t capacity;
} pairing;

/* The rows of one id, cut by language: run k is row[first[k]] … row[first[k + 1] − 1].
 * */
typedef struct runs {
    const ig_set *set;
    const uint32_t *row;
    uint32_t *first; /* (languages + 1) */
    size_t count;
} runs;

/* True for en, eng, en-US, eng_Latn. */
static bool is_english(const char *code)
{
    size_t length = strcspn(code, "-_");

    return (length == 2 && strncmp(code, "en", 2) == 0) ||
           (length == 3 && strncmp(code, "eng", 3) == 0);
}

size_t ig_pairs_pivot(const ig_set *set)
{
    size_t best = 0;

    for (size_t k = 0; k < set->languages; k++) {
        if (is_english(set->language[k]))
            return k;
        if (set->language_rows[k] > set->language_rows[best])
            best = k;
    }
    return best;
}

/* Number of the language named by `length` bytes, or -1. */
static int find_language(const ig_set *set, const char *code, size_t length)
{
    for (size_t k = 0; k < set->languages; k++) {
        if (strlen(set->language[k]) == length &&
            memcmp(set->language[k], code, length) == 0)
            return (int)k;
    }
    return -1;
}

/* One LANG-LANG; codes may hold a dash themselves (zh-Hans-en). */
static ig_status add_named(pairing *p, const ig_set *set, const char *text,
                           size_t length, ig_error *error)
{
    char quoted[IG_QUOTE_SIZE];
    char list[IG_LIST_SIZE];

    for (size_t dash = 1; dash + 1 < length; dash++) {
        int left, right;
        ig_status status;

        if (text[dash] != '-')
            continue;
        left = find_language(set, text, dash);
        right = find_language(set, text + dash + 1, length - dash - 1);
        if (left < 0 || right < 0)
            continue;
        if (left == right)
            return ig_fail(error, IG_VALUE, "pairing %s: a language with itself",
                           ig_quote(quoted, text, length));
        for (size_t i = 0; i < p->count; i++) {
            if (p->list[i].left == (uint32_t)left &&
                p->list[i].right == (uint32_t)right)
                return IG_OK;
        }
        status = ig_array_grow(&p->list, &p->capacity, p->count + 1, sizeof *p->list,
                               "the pairing", error);
        if (status == IG_OK)
            p->list[p->count++] = (language_pair){(uint32_t)left, (uint32_t)right};
        return status;
    }
    return ig_fail(error, IG_VALUE,
                   "pairing %s is not pivot, all or LANG-LANG,… (languages: %s)",
                   ig_quote(quoted, text, length),
                   ig_quote_list(list, set->language, set->languages));
}

static ig_status read_pairing(pairing *p, const ig_set *set, const char *text,
                              ig_error *error)
{
    ig_status status = IG_OK;

    *p = (pairing){0};
    if (!text || strcmp(text, "pivot") == 0) {
        p->pivot = (uint32_t)ig_pairs_pivot(set);
        return IG_OK;
    }
    if (strcmp(text, "all") == 0) {
        p->mode = PAIR_ALL;
        return IG_OK;
    }
    p->mode = PAIR_LIST;
    while (status == IG_OK) {
        size_t length = strcspn(text, ",");

        status = add_named(p, set, text, length, error);
        if (text[length] == '\0')
            break;
        text += length + 1;
    }
    return status;
}

/* Pairs while they are gathered; arrays NULL: only counted. */
typedef struct gathered {
    ig_pairs *pairs;
    uint64_t count;
    size_t group;
} gathered;

/* Every combination of two runs. */
static void add_runs(gathered *g, const runs *r, size_t a, size_t b)
{
    ig_pairs *pairs = g->pairs;

    if (!pairs->left) {
        g->count += (uint64_t)(r->first[a + 1] - r->first[a]) *
                    (r->first[b + 1] - r->first[b]);
        return;
    }
    for (uint32_t i = r->first[a]; i < r->first[a + 1]; i++) {
        for (uint32_t k = r->first[b]; k < r->first[b + 1]; k++) {
            pairs->left[g->count] = r->row[i];
            pairs->right[g->count] = r->row[k];
            pairs->group[g->count] = (uint32_t)g->group;
            g->count++;
        }
    }
}

/* The runs of an id are in the order of their languages. */
struct wanted {
    const runs *runs;
    uint32_t language;
};

static uint32_t language_of(const runs *r, size_t run)
{
    return r->set->lang[r->row[r->first[run]]];
}

static bool run_before(const void *context, size_t i)
{
    const struct wanted *w = context;

    return language_of(w->runs, i) < w->language;
}

/* The run of a language, or r->count. */
static size_t find_run(const runs *r, uint32_t language)
{
    const struct wanted wanted = {r, language};
    size_t run = ig_array_bisect(r->count, run_before, &wanted);

    return run < r->count && language_of(r, run) == language ? run : r->count;
}

/* The pairs of one id. */
static void add_id(gathered *g, const runs *r, const pairing *p)
{
    if (p->mode == PAIR_PIVOT) {
        size_t pivot = find_run(r, p->pivot);

        for (size_t b = 0; b < r->count && pivot < r->count; b++) {
            if (b != pivot)
                add_runs(g, r, pivot, b);
        }
    } else if (p->mode == PAIR_ALL) {
        for (size_t a = 0; a < r->count; a++) {
            for (size_t b = a + 1; b < r->count; b++)
                add_runs(g, r, a, b);
        }
    } else {
        for (size_t k = 0; k < p->count; k++) {
            size_t a = find_run(r, p->list[k].left);
            size_t b = find_run(r, p->list[k].right);

            if (a < r->count && b < r->count)
                add_runs(g, r, a, b);
        }
    }
}

/* One pass over all ids. */
static void gather(gathered *g, runs *r, const ig_by_id *by_id, const pairing *p)
{
    const ig_set *set = r->set;

    g->count = 0;
    g->group = 0;
    for (size_t i = 0; i < set->ids && g->count <= IG_MAX_ROWS; i++) {
        uint64_t before = g->count;

        r->count = 0;
        for (uint32_t k = by_id->start[i]; k < by_id->start[i + 1]; k++) {
            if (k == by_id->start[i] ||
                set->lang[by_id->row[k]] != set->lang[by_id->row[k - 1]])
                r->first[r->count++] = k;
        }
        r->first[r->count] = by_id->start[i + 1];
        add_id(g, r, p);
        g->group += g->count > before;
    }
}

static ig_status make_arrays(ig_pairs *pairs, size_t count, ig_error *error)
{
    pairs->left = ig_alloc(count, sizeof *pairs->left);
    pairs->right = ig_alloc(count, sizeof *pairs->right);
    pairs->group = ig_alloc(count, sizeof *pairs->group);
    if (pairs->left && pairs->right && pairs->group)
        return IG_OK;
    ig_pairs_free(pairs);
    return ig_fail_memory(error, "pairs");
}

ig_status ig_pairs_derive(ig_pairs *pairs, const ig_set *set, const char *text,
                          ig_error *error)
{
    gathered g = {.pairs = pairs};
    ig_by_id by_id = {0};
    runs r = {.set = set};
    pairing p;
    ig_status status;

    *pairs = (ig_pairs){0};
    if (!set->has_ids)
        return ig_fail(
            error, IG_VALUE,
            "%s has no ids, from which pairs follow; --pairs FILE names them",
            set->name);
    status = read_pairing(&p, set, text, error);
    if (status == IG_OK)
        status = ig_by_id_init(&by_id, set->id, set->ids, set->lang, set->languages,
                               set->rows, error);
    r.row = by_id.row;
    r.first = ig_alloc(set->languages + 1, sizeof *r.first);
    if (status == IG_OK && !r.first)
        status = ig_fail_memory(error, "pairs");
    if (status != IG_OK)
        goto done;
    gather(&g, &r, &by_id, &p);
    if (g.count > IG_MAX_ROWS)
        status = ig_fail(error, IG_VALUE, "%s has more than %zu pairs", set->name,
                         IG_MAX_ROWS);
    else if (g.count == 0)
        status =
            ig_fail(error, IG_VALUE,
                    "%s has no pairs: no id occurs in two languages of the pairing "
                    "%s",
                    set->name, text ? text : "pivot");
    else
        status = make_arrays(pairs, (size_t)g.count, error);
    if (status != IG_OK)
        goto done;
    gather(&g, &r, &by_id, &p);
    pairs->count = (size_t)g.count;
    pairs->groups = g.group;
done:
    ig_free(p.list);
    ig_free(r.first);
    ig_by_id_free(&by_id);
    return status;
}

uint64_t ig_pairs_checksum(const ig_pairs *pairs)
{
    uint64_t hash = 0xcbf29ce484222325u;

    for (size_t i = 0; i < pairs->count; i++) {
        uint64_t pair = (uint64_t)pairs->left[i] << 32 | pairs->right[i];

        for (int byte = 0; byte < 8; byte++)
            hash = (hash ^ (pair >> 8 * byte & 0xff)) * 0x100000001b3u;
    }
    return hash;
}

void ig_pairs_free(ig_pairs *pairs)
{
    ig_free(pairs->left);
    ig_free(pairs->right);
    ig_free(pairs->group);
    *pairs = (ig_pairs){0};
}
