/* Ctrl-C and SIGTERM, asked for instead of obeyed: a training ends after its batch and
 * still writes its best epoch. */
#ifndef CLI_INTERRUPT_H
#define CLI_INTERRUPT_H

#include <stdatomic.h>
#include <stdbool.h>

/* From now on the first SIGINT, SIGTERM or SIGHUP only makes ig_interrupted true; a
 * second one of the kind ends the program. What is ignored (nohup) stays so. */
void ig_interrupt_catch(void);

/* Whether one has come. */
bool ig_interrupted(void);

/* The same as a flag that turns true, for work that is watched (base/watch.h). */
const atomic_bool *ig_interrupt_flag(void);

#endif
