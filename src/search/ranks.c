/* Where rows stand in a searcher's last query among those of their language. Legend: N
 * rows, n targets. */
#include "base/memory.h"
#include "search/searcher_state.h"

size_t ig_searcher_rank(const ig_searcher *s, uint32_t target, uint32_t skip)
{
    size_t rank = 1;
    float least;

    if (!s->queried || target >= s->rows->rows)
        return 0;
    least = s->cosine[target] + IG_COSINE_EQUAL;
    for (size_t i = 0; i < s->rows->rows; i++)
        rank += s->cosine[i] > least && i != skip &&
                (!s->lang || s->lang[i] == s->lang[target]);
    return rank;
}

/* Targets by language: next[i] is another one of target i's. n ends a list. */
struct targets {
    uint32_t *first, *next;
    size_t languages;
};

static size_t lang_of(const ig_searcher *s, size_t row)
{
    return s->lang ? s->lang[row] : 0;
}

static bool list_targets(const ig_searcher *s, const uint32_t *target, size_t n,
                         struct targets *t)
{
    *t = (struct targets){0};
    for (size_t i = 0; i < n; i++)
        if (lang_of(s, target[i]) >= t->languages)
            t->languages = lang_of(s, target[i]) + 1;
    t->first = ig_alloc(t->languages, sizeof *t->first);
    t->next = ig_alloc(n, sizeof *t->next);
    if (!t->first || !t->next)
        return false;
    for (size_t l = 0; l < t->languages; l++)
        t->first[l] = (uint32_t)n;
    for (size_t i = 0; i < n; i++) {
        t->next[i] = t->first[lang_of(s, target[i])];
        t->first[lang_of(s, target[i])] = (uint32_t)i;
    }
    return true;
}

/* What a row is to the targets of its language. */
static void compare(const ig_searcher *s, const struct targets *t, size_t row,
                    const uint32_t *target, size_t n, ig_rank *rank)
{
    float cosine = s->cosine[row];

    for (size_t i = t->first[lang_of(s, row)]; i < n; i = t->next[i]) {
        float own = s->cosine[target[i]];

        rank[i].among++;
        if (cosine > own + IG_COSINE_EQUAL)
            rank[i].rank++;
        else if (row != target[i] && cosine >= own - IG_COSINE_EQUAL)
            rank[i].equal++;
    }
}

ig_status ig_searcher_ranks(const ig_searcher *s, const uint32_t *target, size_t n,
                            uint32_t skip, ig_rank *rank, ig_error *error)
{
    struct targets t;
    ig_status status = IG_OK;

    for (size_t i = 0; i < n; i++)
        rank[i] = (ig_rank){s->queried, 0, 0};
    if (!s->queried || n == 0)
        return IG_OK;
    if (!list_targets(s, target, n, &t))
        status = ig_fail_memory(error, "the ranks");
    for (size_t i = 0; i < s->rows->rows && status == IG_OK; i++)
        if (i != skip && lang_of(s, i) < t.languages)
            compare(s, &t, i, target, n, rank);
    ig_free(t.first);
    ig_free(t.next);
    return status;
}
