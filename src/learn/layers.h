/* The layers of an extractor in training: the head's way forward and back, gradients of
 * the weights, and Adam's step by them. */
#ifndef LEARN_LAYERS_H
#define LEARN_LAYERS_H

#include "learn/trainer_state.h"

/* The head on stacked rows first … last−1, scaled to length 1; and back through the
 * unit scale, the second layer and max(0, ·), from ∂ by its outputs. */
void ig_layers_forward_head(ig_trainer *trainer, size_t first, size_t last);
void ig_layers_backward_head(ig_trainer *trainer, size_t first, size_t last);

/* Gradients of all layers by those of their outputs, and with `step` Adam's step,
 * handed out by outputs. After all rows have theirs. */
void ig_layers_step(ig_trainer *trainer, bool step);

/* Adam's step of n parameters from `offset` on. */
void ig_layers_adam(ig_trainer *trainer, size_t offset, size_t n);

/* Whether a term that counts uses the classifier so (IG_TRAINS_CLASSIFIER, …); and
 * Adam's step of the classifier. */
bool ig_layers_use_classifier(const ig_trainer *trainer, int how);
void ig_layers_step_classifier(ig_trainer *trainer);

#endif
