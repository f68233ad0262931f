/* The split of a stored run, made anew. It follows from the seed, the share held out
 * and the pairs; checksums and counts in run.json say whether the data are the same, so
 * that a wrong split is never taken for the run's. */
#include <inttypes.h>
#include <string.h>

#include "runs/stored.h"

/* Whether the run tells its data, and they are those of the set. */
static ig_status check_data(const ig_stored *s, const ig_set *set, ig_error *error)
{
    if (!s->has_data)
        return ig_fail(error, IG_VALUE,
                       "the run %s does not tell its data (no run.json), and so no "
                       "split",
                       s->path);
    if (s->checksum != set->checksum)
        return ig_fail(error, IG_VALUE,
                       "the run %s was trained on other data (%s, checksum %016" PRIx64
                       ") than %s (checksum %016" PRIx64
                       "): its split does not apply here",
                       s->path, s->data, s->checksum, set->name, set->checksum);
    return IG_OK;
}

static ig_status check_pairs(const ig_stored *s, const ig_set *set,
                             const ig_pairs *pairs, ig_error *error)
{
    if (pairs->count != s->pairs)
        return ig_fail(error, IG_VALUE,
                       "the run %s was trained on %zu pairs (%s), but %s has %zu of "
                       "them: its split cannot be made anew",
                       s->path, s->pairs, s->pairing, set->name, pairs->count);
    if (s->pairs_checksum && s->pairs_checksum != ig_pairs_checksum(pairs))
        return ig_fail(error, IG_VALUE,
                       "the run %s was trained on other pairs (%s) of %s: its split "
                       "cannot be made anew",
                       s->path, s->pairing, set->name);
    return IG_OK;
}

static ig_status make_split(const ig_stored *s, const ig_set *set,
                            const ig_pairs *pairs, bool valid, uint8_t *mark,
                            ig_error *error)
{
    ig_split split = {0};
    ig_status status = check_pairs(s, set, pairs, error);

    if (status == IG_OK)
        status =
            ig_split_make(&split, set, pairs, s->options.valid, s->options.seed, error);
    if (status == IG_OK &&
        (split.train != s->train_pairs || split.valid != s->valid_pairs))
        status = ig_fail(error, IG_VALUE,
                         "the run %s held out %zu pairs, but its seed and fraction "
                         "give %zu: its split cannot be made anew",
                         s->path, s->valid_pairs, split.valid);
    if (status == IG_OK && valid && split.valid == 0)
        status = ig_fail(error, IG_VALUE, "the run %s held nothing out", s->path);
    if (status == IG_OK)
        status = ig_split_mark(&split, set, pairs, valid, mark, error);
    ig_split_free(&split);
    return status;
}

ig_status ig_stored_split(const ig_stored *stored, const ig_set *set,
                          const ig_pairs *given, bool valid, uint8_t *mark,
                          ig_error *error)
{
    ig_pairs derived = {0};
    bool file = stored->pairing && strcmp(stored->pairing, "file") == 0;
    ig_status status = check_data(stored, set, error);

    if (status == IG_OK && file && !given)
        status = ig_fail(error, IG_VALUE,
                         "the run %s was trained on pairs of a file: its split needs "
                         "the same --pairs",
                         stored->path);
    if (status == IG_OK && !file && stored->pairs)
        status = ig_pairs_derive(&derived, set, stored->pairing, error);
    if (status == IG_OK)
        status = make_split(stored, set, file ? given : &derived, valid, mark, error);
    ig_pairs_free(&derived);
    return status;
}
