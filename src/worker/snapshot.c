/* Letting go of snapshots and their parts. */
#include "worker/snapshot.h"

#include "base/memory.h"

void ig_map_release(ig_map *map)
{
    if (!map || atomic_fetch_sub(&map->users, 1) > 1)
        return;
    ig_free(map->row);
    ig_free(map->xy[0]);
    ig_free(map->guest);
    ig_free(map);
}

void ig_neighbours_release(ig_neighbours *neighbours)
{
    if (neighbours && atomic_fetch_sub(&neighbours->users, 1) == 1)
        ig_free(neighbours);
}

ig_shared_evaluation *ig_shared_evaluation_use(ig_shared_evaluation *e)
{
    if (e)
        atomic_fetch_add(&e->users, 1);
    return e;
}

void ig_shared_evaluation_release(ig_shared_evaluation *e)
{
    if (!e || atomic_fetch_sub(&e->users, 1) > 1)
        return;
    ig_evaluation_free(&e->evaluation);
    ig_free(e);
}

void ig_shown_evaluation_release(ig_shown_evaluation *f)
{
    if (!f || atomic_fetch_sub(&f->users, 1) > 1)
        return;
    for (int s = 0; s < IG_SPACES; s++)
        ig_shared_evaluation_release((ig_shared_evaluation *)f->space[s]);
    for (int v = 0; v < IG_VALUES; v++)
        ig_free(f->value[v]);
    ig_free(f);
}

void ig_snapshot_free(ig_snapshot *s)
{
    if (!s)
        return;
    ig_map_release((ig_map *)s->map);
    ig_neighbours_release((ig_neighbours *)s->neighbours);
    ig_shown_evaluation_release((ig_shown_evaluation *)s->evaluation);
    ig_map_release((ig_map *)s->compared_map);
    ig_neighbours_release((ig_neighbours *)s->compared_neighbours);
    ig_shown_evaluation_release((ig_shown_evaluation *)s->compared_evaluation);
    for (size_t i = 0; s->run_line && i < s->runs; i++) {
        ig_run_curves_release((ig_run_curves *)s->run_line[i].curves);
        ig_free((char *)s->run_line[i].directory);
    }
    ig_free(s->run_line);
    ig_free(s->record);
    ig_free(s->objective);
    ig_free(s->edit);
    ig_free(s->history_epoch);
    ig_free(s->guest);
    ig_free(s);
}

bool ig_run_line_kept(const ig_run_line *line)
{
    return line->directory && line->saved;
}

const char *ig_snapshot_waits(const ig_snapshot *snapshot, ig_product_id product,
                              const char *meanwhile)
{
    const char *failure = snapshot->failure[product];

    return *failure ? failure : meanwhile;
}
