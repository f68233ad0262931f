/* The BLAS core: OpenBLAS chooses its kernels when it is loaded, before main. */
#ifndef CLI_CORE_H
#define CLI_CORE_H

/* When the processor has AVX-512 and OpenBLAS chose a core without it, set
 * OPENBLAS_CORETYPE and execute the program anew, once; it then returns in the new
 * process. Never against the user's own OPENBLAS_CORETYPE. Likewise with
 * OPENBLAS_NUM_THREADS where the memory of the process is limited, unless that is set.
 * Must come first: what was done before is done twice. */
void ig_core_choose(char **argv);

/* The core that OpenBLAS had chosen by itself, or NULL when it was left alone. */
const char *ig_core_replaced(void);

#endif
