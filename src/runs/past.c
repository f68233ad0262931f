/* Weights of past epochs. */
#include "runs/past.h"

#include <string.h>

#include "base/array.h"
#include "base/memory.h"

void ig_past_init(ig_past *past, size_t budget, size_t size)
{
    *past = (ig_past){.budget = budget, .size = size, .every = 1};
}

void ig_past_free(ig_past *past)
{
    for (size_t i = 0; i < past->count; i++)
        ig_free(past->kept[i].weights);
    ig_free(past->kept);
    *past = (ig_past){0};
}

/* Drop what is no multiple of `every`. */
static void thin(ig_past *past)
{
    size_t left = 0;

    for (size_t i = 0; i < past->count; i++)
        if (past->kept[i].epoch % past->every == 0)
            past->kept[left++] = past->kept[i];
        else
            ig_free(past->kept[i].weights);
    past->count = left;
}

void ig_past_add(ig_past *past, size_t epoch, const float *weights)
{
    size_t bytes = past->size * sizeof *weights;
    float *copy;

    thin(past); /* the epoch that was the newest */
    while (past->count > 1 && (past->count + 1) * bytes > past->budget) {
        past->every *= 2;
        thin(past);
    }
    if (ig_array_grow(&past->kept, &past->capacity, past->count + 1, sizeof *past->kept,
                      "past epochs", NULL) != IG_OK)
        return;
    copy = ig_alloc(past->size, sizeof *copy);
    if (!copy)
        return;
    if (past->size)
        memcpy(copy, weights, bytes);
    past->kept[past->count++] = (struct ig_past_epoch){epoch, copy};
}

const float *ig_past_find(const ig_past *past, size_t *epoch)
{
    for (size_t i = past->count; i-- > 0;)
        if (past->kept[i].epoch <= *epoch) {
            *epoch = past->kept[i].epoch;
            return past->kept[i].weights;
        }
    return NULL;
}
