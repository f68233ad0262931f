/* Shards of a set, dealt to the ranks of a team. */
#include "data/shards.h"

#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/builder.h"
#include "base/pack.h"
#include "base/temporary.h"
#include "data/quote.h"
#include "data/set_parts.h"

/* --- patterns --------------------------------------------------------------------- */

/* What the patterns of a command line have found, one after the other. */
struct found {
    glob_t glob;
    bool any;
};

static bool is_pattern(const char *argument)
{
    return strpbrk(argument, "*?[") && access(argument, F_OK) != 0 &&
           argument[strcspn(argument, "=/")] != '=';
}

static int by_bytes(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The files of a pattern, appended to those found before. */
static ig_status find_files(struct found *found, const char *pattern, ig_error *error)
{
    size_t before = found->any ? found->glob.gl_pathc : 0;
    int failed =
        glob(pattern, GLOB_NOSORT | (found->any ? GLOB_APPEND : 0), NULL, &found->glob);

    found->any = true;
    if (failed == GLOB_NOMATCH)
        return ig_fail(error, IG_IO, "%s: no file has such a name", pattern);
    if (failed)
        return ig_fail(error, IG_IO, "%s: the files of this pattern cannot be found",
                       pattern);
    qsort(found->glob.gl_pathv + before, found->glob.gl_pathc - before, sizeof(char *),
          by_bytes);
    return IG_OK;
}

ig_status ig_shards_list(ig_shard_list *list, const char *const *data, size_t n,
                         ig_error *error)
{
    struct found *found = ig_alloc(1, sizeof *found);
    size_t *until = ig_alloc(n, sizeof *until); /* files found up to each argument */
    ig_status status = found && until ? IG_OK : ig_fail_memory(error, "file names");
    size_t at = 0;

    *list = (ig_shard_list){.found = found};
    for (size_t i = 0; i < n && status == IG_OK; i++) {
        if (is_pattern(data[i]))
            status = find_files(found, data[i], error);
        until[i] = status == IG_OK && found->any ? found->glob.gl_pathc : 0;
    }
    if (status == IG_OK) {
        list->file = ig_alloc(n + (n ? until[n - 1] : 0), sizeof *list->file);
        status = list->file ? IG_OK : ig_fail_memory(error, "file names");
    }
    for (size_t i = 0; i < n && status == IG_OK; i++) {
        if (at == until[i])
            list->file[list->files++] = data[i];
        while (at < until[i])
            list->file[list->files++] = found->glob.gl_pathv[at++];
    }
    ig_free(until);
    if (status != IG_OK)
        ig_shards_free(list);
    return status;
}

void ig_shards_free(ig_shard_list *list)
{
    struct found *found = list->found;

    if (found && found->any)
        globfree(&found->glob);
    ig_free(found);
    ig_free(list->file);
    *list = (ig_shard_list){0};
}

/* --- dealing ---------------------------------------------------------------------- */

bool ig_shards_apply(const ig_shard_list *list, const ig_set_options *options)
{
    if (list->files < 2 || options->limit || options->meta)
        return false;
    for (size_t i = 0; i < list->files; i++)
        if (list->file[i][strcspn(list->file[i], "=/")] == '=' &&
            access(list->file[i], F_OK) != 0)
            return false;
    return true;
}

ig_status ig_shards_deal(const ig_shard_list *list, ig_team *team, size_t *first,
                         size_t *last, ig_error *error)
{
    size_t ranks = ig_team_ranks(team), n = list->files, at = 0;
    double *until = ig_alloc(n + 1, sizeof *until); /* bytes of the files before */
    ig_status status = IG_OK;
    struct stat about;

    if (!until)
        status = ig_fail_memory(error, "file names");
    else if (n < ranks)
        status = ig_fail(error, IG_VALUE,
                         "%zu files are dealt to %zu ranks: each takes one at least", n,
                         ranks);
    for (size_t i = 0; status == IG_OK && i < n; i++)
        if (stat(list->file[i], &about) == 0)
            until[i + 1] = until[i] + (double)about.st_size;
        else
            status = ig_fail_io(error, list->file[i], errno);
    /* The same on all, whatever one of them sees. */
    if (status == IG_OK)
        ig_team_give(team, 0, until, (n + 1) * sizeof *until);
    status = ig_team_agree(team, status, error);
    for (size_t r = 0; r < ranks && status == IG_OK; r++) {
        double end = until[n] * (double)(r + 1) / (double)ranks;

        *first = at++;
        while (at < n - (ranks - 1 - r) && until[at + 1] - end < end - until[at])
            at++;
        *last = r + 1 < ranks ? at : n;
        if (r == ig_team_rank(team))
            break;
    }
    ig_free(until);
    return status;
}

/* --- one set ---------------------------------------------------------------------- */

/* Names of all ranks, each ended by a zero byte, in the order of ranks. */
static ig_status join_names(ig_team *team, const char *const *name, size_t count,
                            char **all, size_t *size, ig_error *error)
{
    size_t *start = ig_alloc(ig_team_ranks(team) + 1, sizeof *start);
    ig_builder own = {0};
    void *joined = NULL;
    ig_status status = start ? IG_OK : ig_fail_memory(error, "names");

    for (size_t i = 0; i < count; i++)
        ig_builder_put(&own, name[i], strlen(name[i]) + 1);
    if (status == IG_OK && own.failed)
        status = ig_fail_memory(error, "names");
    status = ig_team_agree(team, status, error);
    if (status == IG_OK)
        status = ig_team_join(team, own.text, own.length, &joined, start, error);
    *all = joined;
    *size = status == IG_OK ? start[ig_team_ranks(team)] : 0;
    ig_builder_free(&own);
    ig_free(start);
    return status;
}

/* Languages are numbered by their first appearance in all shards. */
static ig_status unite_languages(ig_columns *c, ig_team *team, ig_error *error)
{
    ig_names names = {0};
    uint32_t *number = ig_alloc(c->languages.count, sizeof *number), n;
    char *all;
    size_t size;
    ig_status status =
        join_names(team, c->languages.name, c->languages.count, &all, &size, error);

    if (status == IG_OK && !number)
        status = ig_fail_memory(error, "languages");
    for (size_t at = 0; status == IG_OK && at < size; at += strlen(all + at) + 1)
        status = ig_names_add(&names, all + at, strlen(all + at), &n, error);
    if (status == IG_OK && names.count > UINT16_MAX)
        status = ig_fail(error, IG_VALUE,
                         "%zu languages in all shards: lang is the wrong column",
                         names.count);
    for (size_t i = 0; status == IG_OK && i < c->languages.count; i++)
        number[i] =
            ig_names_find(&names, c->languages.name[i], strlen(c->languages.name[i]));
    for (size_t i = 0; status == IG_OK && i < c->rows; i++)
        c->lang[i] = (uint16_t)number[c->lang[i]];
    if (status == IG_OK) {
        ig_names_free(&c->languages);
        c->languages = names;
    } else {
        ig_names_free(&names);
    }
    ig_free(number);
    ig_free(all);
    return status;
}

/* The same labels in the same order on all; "" where a shard has none. */
static ig_status unite_labels(ig_columns *c, ig_team *team, ig_error *error)
{
    const char **own = ig_alloc(c->labels, sizeof *own);
    char *all = NULL;
    size_t size = 0, at = 0, place = 0;
    ig_status status = own ? IG_OK : ig_fail_memory(error, "labels");

    for (size_t i = 0; own && i < c->labels; i++)
        own[i] = c->label[i].name;
    status = ig_team_agree(team, status, error);
    if (status == IG_OK)
        status = join_names(team, own, c->labels, &all, &size, error);
    for (; status == IG_OK && at < size; at += strlen(all + at) + 1) {
        size_t label;

        status = ig_columns_add_label(c, all + at, strlen(all + at), &label, error);
        if (status == IG_OK && label >= place) {
            ig_label_column moved = c->label[label];

            memmove(&c->label[place + 1], &c->label[place],
                    (label - place) * sizeof moved);
            c->label[place++] = moved;
        }
    }
    if (status == IG_OK)
        status = ig_columns_end_part(c, error);
    ig_free(own);
    ig_free(all);
    return status;
}

static ig_status agree_on_dims(const ig_set *set, ig_team *team, ig_error *error)
{
    struct {
        size_t dims;
        char file[256];
    } of_first = {.dims = set->dims};
    ig_status status = IG_OK;

    snprintf(of_first.file, sizeof of_first.file, "%.255s", set->inside->part[0].file);
    ig_team_give(team, 0, &of_first, sizeof of_first);
    if (set->dims != of_first.dims)
        status = ig_fail(error, IG_SHAPE, "%s has %zu dimensions but %s has %zu",
                         of_first.file, of_first.dims, set->inside->part[0].file,
                         set->dims);
    return ig_team_agree(team, status, error);
}

/* --- ids stay together ------------------------------------------------------------ */

/* An id, by two sums over its name. */
struct mark {
    uint64_t sum[2];
    uint64_t rank;
};

static void mark_id(const char *name, uint64_t rank, struct mark *mark)
{
    size_t length = strlen(name);

    mark->sum[0] = ig_checksum(IG_CHECKSUM_BEGIN, name, length);
    mark->sum[1] = ig_checksum(~IG_CHECKSUM_BEGIN, name, length) ^ length;
    /* High bits count for low ones: a rank is chosen by those. */
    mark->sum[0] ^= mark->sum[0] >> 32;
    mark->rank = rank;
}

static int by_sum(const void *a, const void *b)
{
    const struct mark *x = a, *y = b;

    for (int k = 0; k < 2; k++)
        if (x->sum[k] != y->sum[k])
            return x->sum[k] < y->sum[k] ? -1 : 1;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

/* To each rank the marks of the ids that are its to compare: sum[0] modulo ranks. */
static ig_status send_marks(const ig_columns *c, ig_team *team, struct mark **in,
                            size_t *count, ig_error *error)
{
    size_t ranks = ig_team_ranks(team), rank = ig_team_rank(team);
    size_t *start = ig_alloc(ranks + 1, sizeof *start);
    size_t *at = ig_alloc(ranks + 1, sizeof *at);
    struct mark *out = ig_alloc(c->ids.count, sizeof *out), mark;
    void *taken = NULL;
    ig_status status = start && at && out ? IG_OK : ig_fail_memory(error, "the ids");

    status = ig_team_agree(team, status, error);
    for (size_t i = 0; status == IG_OK && i < c->ids.count; i++) {
        mark_id(c->ids.name[i], rank, &mark);
        start[mark.sum[0] % ranks + 1] += sizeof mark;
    }
    for (size_t r = 0; status == IG_OK && r < ranks; r++) {
        start[r + 1] += start[r];
        at[r] = start[r] / sizeof mark;
    }
    for (size_t i = 0; status == IG_OK && i < c->ids.count; i++) {
        mark_id(c->ids.name[i], rank, &mark);
        out[at[mark.sum[0] % ranks]++] = mark;
    }
    if (status == IG_OK)
        status = ig_team_exchange(team, out, start, &taken, at, error);
    *in = taken;
    *count = status == IG_OK ? at[ranks] / sizeof mark : 0;
    ig_free(start);
    ig_free(at);
    ig_free(out);
    return status;
}

/* An id that two ranks have, if there is one: the same on all. */
static bool find_shared(ig_team *team, struct mark *mark, size_t count,
                        struct mark shared[2])
{
    double first = 0; /* the largest of ranks − rank is of the first that found one */
    size_t ranks = ig_team_ranks(team), rank = ig_team_rank(team);

    qsort(mark, count, sizeof *mark, by_sum);
    for (size_t i = 1; i < count && first == 0; i++)
        if (mark[i].sum[0] == mark[i - 1].sum[0] &&
            mark[i].sum[1] == mark[i - 1].sum[1]) {
            shared[0] = mark[i - 1];
            shared[1] = mark[i];
            first = (double)(ranks - rank);
        }
    ig_team_largest(team, &first, 1);
    if (first > 0)
        ig_team_give(team, ranks - (size_t)first, shared, 2 * sizeof *shared);
    return first > 0;
}

/* The file of the first row of an id. */
static const char *file_of(const ig_set *set, uint32_t id)
{
    const struct ig_set_private *in = set->inside;
    size_t row = 0, p = in->parts - 1;

    while (in->columns.id[row] != id)
        row++;
    while (in->part[p].first > row)
        p--;
    return in->part[p].file;
}

static ig_status fail_spread(const char *one, const char *other, const char *id,
                             ig_error *error)
{
    char quoted[IG_QUOTE_SIZE];

    return ig_fail(
        error, IG_VALUE,
        "%.200s and %.200s both have rows of the id %s: files that are dealt "
        "to ranks have all rows of an id each (given as LANG=FILE, they are "
        "read as one set by every rank)",
        one, other, ig_quote(quoted, id, strlen(id)));
}

/* The sentence for an id that two ranks have, whose files and name they alone know. */
static ig_status tell_shared(const ig_set *set, ig_team *team,
                             const struct mark shared[2], ig_error *error)
{
    const ig_names *ids = &set->inside->columns.ids;
    struct {
        char file[256], id[256];
    } of[2] = {{"", ""}, {"", ""}};

    for (int s = 0; s < 2; s++) {
        for (uint32_t i = 0;
             shared[s].rank == ig_team_rank(team) && i < ids->count && !of[s].file[0];
             i++) {
            struct mark mark;

            mark_id(ids->name[i], shared[s].rank, &mark);
            if (memcmp(mark.sum, shared[s].sum, sizeof mark.sum) != 0)
                continue;
            snprintf(of[s].file, sizeof of[s].file, "%.255s", file_of(set, i));
            snprintf(of[s].id, sizeof of[s].id, "%.255s", ids->name[i]);
        }
        ig_team_give(team, (size_t)shared[s].rank, &of[s], sizeof of[s]);
    }
    return fail_spread(of[0].file, of[1].file, of[0].id, error);
}

/* All rows of an id are in one file. */
static ig_status check_ids(const ig_set *set, ig_team *team, ig_error *error)
{
    const ig_columns *c = &set->inside->columns;
    struct mark *mark = NULL, shared[2] = {{{0, 0}, 0}, {{0, 0}, 0}};
    uint32_t id;
    size_t count = 0;
    ig_status status = IG_OK;
    const ig_set_part *part = ig_set_spread(set, &id);

    if (part)
        status = fail_spread(file_of(set, id), part->file, c->ids.name[id], error);
    status = ig_team_agree(team, status, error);
    if (status == IG_OK)
        status = send_marks(c, team, &mark, &count, error);
    if (status == IG_OK && find_shared(team, mark, count, shared))
        status = tell_shared(set, team, shared, error);
    ig_free(mark);
    return status;
}

ig_status ig_shards_unite(ig_set *set, ig_team *team, size_t first, ig_error *error)
{
    ig_columns *c = &set->inside->columns;
    uint8_t has[2] = {c->has_text, c->has_ids};
    char name[256];
    ig_status status = agree_on_dims(set, team, error);

    if (status == IG_OK)
        status = ig_team_agree(team, unite_languages(c, team, error), error);
    if (status == IG_OK)
        status = ig_team_agree(team, unite_labels(c, team, error), error);
    if (status == IG_OK)
        status = check_ids(set, team, error);
    if (status != IG_OK)
        return status;
    ig_team_join_bits(team, has, sizeof has);
    c->has_text = has[0];
    c->has_ids = has[1];
    snprintf(name, sizeof name, "%.255s", set->inside->name);
    ig_team_give(team, 0, name, sizeof name);
    ig_free(set->inside->name);
    set->inside->name = ig_strdup(name);
    set->first_shard = first;
    set->whole.team = team;
    set->whole.rows = ig_team_total(team, c->rows, &set->whole.before);
    return IG_OK;
}
