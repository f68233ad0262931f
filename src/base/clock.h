/* The clock: measures, never decides (no result depends on it). */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

/* Seconds since some fixed moment, monotonic. */
double ig_clock_now(void);

#endif
