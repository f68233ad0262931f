/* What the user waits for: the program's start, and drawing the map anew. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"
#include "core/memory.h"
#include "view/scatter.h"

static void start_program(void *context)
{
    const char *program = context;
    pid_t child = fork();
    int status;

    if (child == 0) {
        if (!freopen("/dev/null", "w", stdout))
            _exit(1);
        execl(program, program, "render", "data/demo.npy", "--size", "120x40",
              (char *)NULL);
        _exit(1);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
        bench_fail("build/isogloss render data/demo.npy does not run");
}

struct drawing {
    ig_canvas canvas;
    ig_scatter_memory scratch;
    ig_scatter scatter;
    ig_view view;
    bool *mark;
    bool anew, marked_one;
};

static void draw(void *context)
{
    struct drawing *d = context;

    if (d->anew)
        d->scratch.source = (ig_scatter_source){0};
    d->marked_one = !d->marked_one;
    if (d->mark)
        d->mark[0] = d->marked_one;

    ig_canvas_clear(&d->canvas);
    ig_scatter_draw(&d->scratch, &d->canvas, ig_canvas_rect(&d->canvas), d->view,
                    &d->scatter, NULL);
}

/* `groups` categories; `marked`: a tenth of the points. */
static void report_map(size_t n, size_t groups, bool marked)
{
    struct drawing d = {0};
    float *xy = bench_rows(2 * n);
    uint16_t *category = ig_alloc(n, sizeof *category);
    bool *mark = ig_alloc(n, sizeof *mark);
    char what[80];

    if (!category || !mark || ig_canvas_resize(&d.canvas, 60, 200, NULL) != IG_OK)
        bench_fail("out of memory");
    d.canvas.depth = IG_DEPTH_256;
    for (size_t i = 0; i < n; i++) {
        category[i] = (uint16_t)(i % groups);
        mark[i] = i % 10 == 0;
    }
    d.scatter = (ig_scatter){.count = n,
                             .series = 1,
                             .groups = groups,
                             .of = category,
                             .generation = 1};
    d.scatter.of_series[0] = (ig_series){.xy = xy, .marked = marked ? mark : NULL};
    d.view = ig_view_fit(&d.scatter, 0.05);
    d.mark = marked ? mark : NULL;
    for (int again = 0; again < 2; again++) {
        d.anew = !again;
        snprintf(what, sizeof what, "draw %s of %zu points, %zu groups%s, 200 x 60",
                 again ? "again a map" : "a map", n, groups,
                 marked ? ", other marks" : "");
        bench_line(what, bench_best(10, draw, &d), NULL, 0);
    }
    ig_scatter_free(&d.scratch);
    ig_canvas_free(&d.canvas);
    ig_free(category);
    ig_free(mark);
    ig_free(xy);
}

void bench_screen(void)
{
    static char program[] = "build/isogloss";

    if (access(program, X_OK) == 0 && access("data/demo.npy", R_OK) == 0)
        bench_line("start, open the demo set, exact map, first frame",
                   bench_best(10, start_program, program), NULL, 0);
    report_map(100000, 8, false);
    report_map(1000000, 8, false);
    report_map(1000000, 8, true);
    report_map(1000000, 100, true);
}
