/* Weights of past epochs. */
#include "runs/history.h"

#include <string.h>

#include "base/array.h"
#include "base/memory.h"

void ig_history_init(ig_history *history, size_t budget, size_t size)
{
    *history = (ig_history){.budget = budget, .size = size, .every = 1};
}

void ig_history_free(ig_history *history)
{
    for (size_t i = 0; i < history->count; i++)
        ig_free(history->kept[i].weights);
    ig_free(history->kept);
    *history = (ig_history){0};
}

/* Drop what is no multiple of `every`. */
static void thin(ig_history *history)
{
    size_t left = 0;

    for (size_t i = 0; i < history->count; i++)
        if (history->kept[i].epoch % history->every == 0)
            history->kept[left++] = history->kept[i];
        else
            ig_free(history->kept[i].weights);
    history->count = left;
}

void ig_history_add(ig_history *history, size_t epoch, const float *weights)
{
    size_t bytes = history->size * sizeof *weights;
    float *copy;

    thin(history); /* the epoch that was the newest */
    while (history->count > 1 && (history->count + 1) * bytes > history->budget) {
        history->every *= 2;
        thin(history);
    }
    if (ig_array_grow(&history->kept, &history->capacity, history->count + 1,
                      sizeof *history->kept, "past epochs", NULL) != IG_OK)
        return;
    copy = ig_alloc(history->size, sizeof *copy);
    if (!copy)
        return;
    if (history->size)
        memcpy(copy, weights, bytes);
    history->kept[history->count++] = (struct ig_history_epoch){epoch, copy};
}

const float *ig_history_find(const ig_history *history, size_t *epoch)
{
    for (size_t i = history->count; i-- > 0;)
        if (history->kept[i].epoch <= *epoch) {
            *epoch = history->kept[i].epoch;
            return history->kept[i].weights;
        }
    return NULL;
}
