/* The products of a session: the table of their kinds, and what is done amid a long
 * one. */
#ifndef WORKER_PRODUCT_TABLE_H
#define WORKER_PRODUCT_TABLE_H

#include "worker/state.h"

/* Lay out the products of a session. */
void ig_product_table_init(ig_session *session);

/* Products that are more urgent than this come before a step of training, others
 * after. */
enum { IG_URGENCY_TRAINING = 10, IG_URGENCY_SEEN = 50 };

/* Called amid a long job on the worker's thread (ig_work.attend): finds the neighbours
 * of another row when that is all that has arrived, or lets it cancel the job where
 * they cannot be had now. */
void ig_product_table_attend(void *session, double part);

#endif
