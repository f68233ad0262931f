/* A pool of two threads for the tests of a program: give pool_start and pool_end to
 * cmocka_run_group_tests. */
#pragma once

#include "core/blas.h"
#include "core/pool.h"

static ig_pool *pool;

static int pool_start(void **state)
{
    ig_blas_init();
    return ig_pool_new(&pool, 2, NULL);
}

static int pool_end(void **state)
{
    ig_pool_delete(pool);
    return 0;
}
