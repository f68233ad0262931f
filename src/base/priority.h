/* How urgent a thread is to the system. */
#ifndef BASE_PRIORITY_H
#define BASE_PRIORITY_H

/* Let the calling thread give way: a thread of usual priority gets three times its
 * share of a processor that both want; of one that nobody else wants it has all. Where
 * priorities belong to processes alone (all but Linux), nothing happens. It cannot be
 * taken back. */
void ig_priority_lower(void);

#endif
