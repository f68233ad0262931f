/* BLAS kernel selection. OpenBLAS selects its kernels when it is loaded, before
 * main. */
#pragma once

/* Re-execute the program, once, with the environment that OpenBLAS needs:
 * OPENBLAS_CORETYPE if the processor has AVX-512 and the selected core lacks it,
 * OPENBLAS_NUM_THREADS if the memory of the process is limited. Values set by the user
 * are kept. Call it first in main, because all code before it runs twice. */
void ig_core_choose(char **argv);

/* The core that OpenBLAS had selected before it was replaced, or NULL. */
const char *ig_core_replaced(void);
