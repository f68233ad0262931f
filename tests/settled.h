/* For tests of what a session finds: a scene, what it is asked for, and what it shows
 * once all work has ended. Included once by a test. */
#pragma once

#include "explorer.h"

/* 30 ids in 4 languages, 3 of them held out. */
static const struct look usual = {120, 8, 4, true, true, false, false, 0.1};

typedef struct bench {
    scene s;
    const ig_session *now;
} bench;

static inline void open_bench(bench *b, const struct look *look, size_t threads)
{
    open_scene(&b->s, look, threads);
    b->now = b->s.app.now;
}

static inline void close_bench(bench *b)
{
    close_scene(&b->s);
}

static inline void settle(bench *b)
{
    ig_session_settle(b->s.session);
}

/* Give a command of a kind on a run and a path ("": none); and let all its work end. */
static inline void post(bench *b, ig_command_kind kind, unsigned run, const char *path)
{
    ig_command one = {.kind = kind, .run = run};

    snprintf(one.path, sizeof one.path, "%s", path);
    command(b->s.session, &one);
}

static inline void order(bench *b, ig_command_kind kind, unsigned run, const char *path)
{
    post(b, kind, run, path);
    settle(b);
}
