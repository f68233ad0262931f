/* Following a run directory. */
#include "worker/following.h"

#include <string.h>

#include "base/file.h"
#include "worker/publish.h"
#include "worker/training.h"

static const double INTERVAL = 1;   /* seconds between two looks */
static const double AT_ONCE = 0.05; /* after one that met a change */

/* run.json as it is now: every checkpoint is a directory, and a file, of its own. */
static bool find(const ig_following *f, struct stat *found)
{
    char *json = ig_path_join(f->path, "run.json");
    bool there = json && stat(json, found) == 0;

    ig_free(json);
    return there;
}

static bool same(const struct stat *a, const struct stat *b)
{
    return a->st_ino == b->st_ino && a->st_dev == b->st_dev &&
           a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
           a->st_mtim.tv_nsec == b->st_mtim.tv_nsec && a->st_size == b->st_size;
}

/* The run's entry has what was read from now on. */
static bool take_in(ig_session *s, ig_stored *stored)
{
    ig_following *f = &s->following;
    ig_run_entry *entry = ig_runs_find(&s->training.runs, f->number);

    if (f->number && !entry) { /* deleted by hand */
        f->over = true;
        return false;
    }
    if (!entry) {
        entry = ig_runs_add(&s->training.runs, NULL, stored);
        f->number = entry ? entry->number : 0;
        return entry != NULL;
    }
    ig_stored_free(entry->stored);
    ig_free(entry->stored);
    ig_free(entry->held_out);
    entry->stored = stored;
    entry->held_out = NULL;
    entry->split_tried = false;
    if (s->compared == f->number)
        s->compared_weights = IG_NO_WEIGHTS; /* they are others now */
    return true;
}

static void tell(ig_session *s, const ig_stored *stored)
{
    size_t last = stored->records ? stored->records - 1 : stored->best;

    if (s->following.over)
        ig_tell(s, false, "%s has ended after epoch %zu: %s; best epoch %zu",
                s->following.path, last, stored->ending, stored->best);
    else
        ig_tell(s, false, "following %s: epoch %zu, best %zu", s->following.path, last,
                stored->best);
}

bool ig_following_look(ig_session *s)
{
    ig_following *f = &s->following;
    struct stat before, after;
    ig_stored *stored;
    ig_status status;
    ig_error error;

    if (!f->path || f->over || s->clock() < f->next)
        return false;
    f->next = s->clock() + INTERVAL;
    if (!find(f, &before) || same(&before, &f->seen))
        return false;
    stored = ig_alloc(1, sizeof *stored);
    status = stored ? ig_stored_read(stored, f->path, s->work.set, false, &error)
                    : ig_fail_memory(&error, "a run");
    if (!find(f, &after) || !same(&before, &after)) {
        f->next = s->clock() + AT_ONCE; /* of two checkpoints, maybe */
        if (status == IG_OK)
            ig_stored_free(stored);
        ig_free(stored);
        return false;
    }
    f->seen = after;
    if (status != IG_OK || !take_in(s, stored)) {
        if (status == IG_OK)
            ig_stored_free(stored);
        else
            ig_tell(s, true, "%s", error.message);
        ig_free(stored);
        return status != IG_OK;
    }
    f->over = strcmp(stored->ending, IG_RUN_GOES_ON) != 0;
    ig_training_select(s);
    if (s->selected == f->number && !s->looking)
        ig_training_show(s);
    tell(s, stored);
    return true;
}

double ig_following_wait(const ig_session *s)
{
    double wait = s->following.next - s->clock();

    if (!s->following.path || s->following.over)
        return -1;
    return wait > 0.001 ? wait : 0.001;
}
