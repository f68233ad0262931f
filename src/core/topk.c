/* The k best scores: a min-heap, so that most offers end after one comparison. */
#include "core/topk.h"

#include <stdbool.h>

/* A total order: the result does not depend on the order of offers. */
static bool is_better(ig_scored a, ig_scored b)
{
    return a.score > b.score || (a.score == b.score && a.row < b.row);
}

static void sift_down(ig_scored *items, size_t n, size_t i)
{
    ig_scored item = items[i];

    for (;;) {
        size_t child = 2 * i + 1;

        if (child >= n)
            break;
        if (child + 1 < n && is_better(items[child], items[child + 1]))
            child++;
        if (!is_better(item, items[child]))
            break;
        items[i] = items[child];
        i = child;
    }
    items[i] = item;
}

static void sift_up(ig_scored *items, size_t i)
{
    ig_scored item = items[i];

    while (i > 0 && is_better(items[(i - 1) / 2], item)) {
        items[i] = items[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    items[i] = item;
}

void ig_topk_init(ig_topk *top, ig_scored *storage, size_t k)
{
    *top = (ig_topk){storage, k, 0};
}

void ig_topk_offer(ig_topk *top, float score, uint32_t row)
{
    ig_scored item = {score, row};

    if (score != score || top->k == 0)
        return;
    if (top->count < top->k) {
        top->items[top->count] = item;
        sift_up(top->items, top->count++);
    } else if (is_better(item, top->items[0])) {
        top->items[0] = item;
        sift_down(top->items, top->count, 0);
    }
}

void ig_topk_offer_run(ig_topk *top, const float *scores, size_t n, uint32_t first)
{
    enum { RUN = 16 };
    size_t i = 0;

    while (i < n && top->count < top->k) {
        ig_topk_offer(top, scores[i], first + (uint32_t)i);
        i++;
    }
    if (top->k == 0)
        return;
    /* Skip runs of scores below the minimum without branches. */
    while (i < n) {
        size_t end = n - i < RUN ? n : i + RUN;
        float least = top->items[0].score;
        int any = 0;

        for (size_t j = i; j < end; j++)
            any |= scores[j] >= least;
        if (any)
            for (size_t j = i; j < end; j++)
                ig_topk_offer(top, scores[j], first + (uint32_t)j);
        i = end;
    }
}

void ig_topk_sort(ig_topk *top)
{
    for (size_t n = top->count; n > 1; n--) {
        ig_scored worst = top->items[0];

        top->items[0] = top->items[n - 1];
        top->items[n - 1] = worst;
        sift_down(top->items, n - 1, 0);
    }
}
