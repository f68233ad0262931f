/* Every measure of one space. The rows that any measure needs are read once, scaled to
 * length 1 and held together; the measures work on these, and what they say of rows is
 * translated back. Rows that do not fit into memory are held in files, and so are the
 * copies of them that are moved about the centres of their languages. They lie by
 * language, so that who works on one or two of these reads them as they lie. Legend: N
 * rows of the source, R distinct ones that are needed, d dims. */
#include "measure/evaluation.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/array.h"
#include "base/machine.h"
#include "base/memory.h"
#include "base/spill.h"
#include "measure/units.h"

#define FAMILY(member, NAME)                                                           \
    {&ig_##member##_family, offsetof(ig_evaluation, member), #member},
#define SIZE(member, NAME) sizeof(ig_##member),

/* The families, where each has its result, and how large that is; the word for it. */
static const struct {
    const ig_family *family;
    size_t at;
    const char *word;
} families[IG_FAMILY_COUNT] = {IG_FAMILIES(FAMILY)};

static const size_t sizes[IG_FAMILY_COUNT] = {IG_FAMILIES(SIZE)};

/* Where rows lie. */
struct lies {
    double held, copied; /* bytes of rows held, and of copies at a time */
    bool held_in_file, copied_in_file;
};

struct job {
    const ig_rows *source;
    const ig_subject *subject;
    ig_pool *pool;
    ig_watch *watch;
    double begun, settled; /* work done before, and of the measures taken so far */
    ig_arena arena;        /* of all that follows but the units */

    const uint8_t *needed; /* (N) who needs each row */
    struct lies lies;
    const char *directory; /* of files that rows lie in */
    ig_units units;        /* (R) the rows held */
    ig_rows base;          /* what the measures read: these */
    uint32_t *at;   /* (N) number of a source's row in the base; NULL: the same */
    uint32_t *unit; /* (N) the meaning of each row, where a sample was drawn */
    ig_retrieval_pairs pairs; /* of the base */
    ig_scores scores;         /* of the base */
    uint32_t *pick;           /* (n) rows of the subject in the base */
    ig_rows_pick picked;
    ig_rows some; /* these rows */
    ig_measure_input input;

    /* Over all pairs of rows, for the families that share it; and where some of them
     * are of other rows, those that occur in pairs, of these. */
    ig_pair_pass pass[2];
    void *state[IG_FAMILY_COUNT];
};

/* --- the families ---------------------------------------------------------------- */

const ig_family *ig_family_at(size_t i)
{
    return families[i].family;
}

const char *ig_family_word(size_t i)
{
    const char *word = families[i].family->word;

    return word ? word : families[i].word;
}

static void *result_of(const ig_evaluation *evaluation, size_t i)
{
    return (char *)evaluation + families[i].at;
}

const void *ig_evaluation_result(const ig_evaluation *evaluation,
                                 const ig_family *family)
{
    for (size_t i = 0; i < IG_FAMILY_COUNT; i++)
        if (families[i].family == family)
            return evaluation->taken >> i & 1 ? result_of(evaluation, i) : NULL;
    return NULL;
}

/* The families that can be taken of a subject: without scores, those that need none,
 * and likewise without parts, and without labels. */
static unsigned takes(const ig_subject *subject)
{
    unsigned measures = subject->measures & IG_MEASURE_ALL;
    unsigned lacks = (subject->scores ? 0 : IG_NEEDS_SCORES) |
                     (subject->part ? 0 : IG_NEEDS_PARTS) |
                     (subject->label ? 0 : IG_NEEDS_LABELS);

    for (size_t i = 0; i < IG_FAMILY_COUNT; i++)
        if (families[i].family->needs & lacks)
            measures &= ~(1u << i);
    return measures;
}

/* What they need: IG_NEEDS_… */
static unsigned needs_of(const ig_subject *subject)
{
    unsigned measures = takes(subject), needs = 0;

    for (size_t i = 0; i < IG_FAMILY_COUNT; i++)
        if (measures >> i & 1)
            needs |= families[i].family->needs;
    return needs;
}

static size_t rows_of(const ig_rows *rows, const ig_subject *subject)
{
    return subject->row ? subject->rows : rows->rows;
}

ig_subject ig_subject_of(const ig_set *set, const ig_subset *subset,
                         const ig_scores *scores, uint64_t seed)
{
    ig_subject subject = {.measures = IG_MEASURE_ALL,
                          .row = subset->row,
                          .rows = subset->rows,
                          .id = set->has_ids ? set->id : NULL,
                          .pairs = {.lang = set->lang,
                                    .languages = set->languages,
                                    .left = subset->left,
                                    .right = subset->right,
                                    .group = subset->group,
                                    .pairs = subset->pairs},
                          .label = ig_label_to_transfer(set),
                          .pivot = ig_pairs_pivot(set),
                          .scores = scores,
                          .seed = seed,
                          .rest = subset->row && subset->rows == subset->of_rows &&
                                  subset->meanings == subset->of_meanings};

    if (!scores)
        for (size_t i = 0; i < IG_FAMILY_COUNT; i++)
            if (families[i].family->needs & IG_NEEDS_SCORES)
                subject.measures &= ~(1u << i);
    return subject;
}

/* --- what is needed -------------------------------------------------------------- */

static ig_status mark(uint8_t *needed, size_t rows, const uint32_t *list, size_t n,
                      uint8_t by, const char *what, ig_error *error)
{
    for (size_t i = 0; i < n; i++) {
        if (list[i] >= rows)
            return ig_fail(error, IG_SHAPE, "row %u of a %s, but there are %zu rows",
                           (unsigned)list[i], what, rows);
        needed[list[i]] |= by;
    }
    return IG_OK;
}

/* Whether the rows that are not measured are enough to learn from. */
static bool learns_from_rest(const ig_rows *rows, const ig_subject *s)
{
    return s->rest && s->row && s->rows <= rows->rows &&
           2 * (rows->rows - s->rows) >= s->rows && s->rows < rows->rows;
}

/* Mark all rows but those of the subject, which ascend. */
static void mark_rest(uint8_t *needed, size_t rows, const ig_subject *s)
{
    size_t next = 0;

    for (size_t i = 0; i < rows; i++)
        if (next < s->rows && s->row[next] == i)
            next++;
        else
            needed[i] |= IG_NEEDS_REST;
}

/* Mark the rows that somebody needs, with IG_NEEDS_…. IG_OK or IG_SHAPE. */
static ig_status mark_all(uint8_t *needed, const ig_rows *rows, const ig_subject *s,
                          ig_error *error)
{
    const struct {
        const uint32_t *list;
        size_t n;
        unsigned by;
        const char *what;
    } lists[] = {
        {s->row, s->row ? s->rows : 0, IG_NEEDS_ROWS, "subject"},
        {s->pairs.left, s->pairs.pairs, IG_NEEDS_PAIRS, "pair"},
        {s->pairs.right, s->pairs.pairs, IG_NEEDS_PAIRS, "pair"},
        {s->scores ? s->scores->left : NULL, s->scores ? s->scores->count : 0,
         IG_NEEDS_SCORES, "score"},
        {s->scores ? s->scores->right : NULL, s->scores ? s->scores->count : 0,
         IG_NEEDS_SCORES, "score"},
    };
    unsigned needs = needs_of(s);
    ig_status status = IG_OK;

    if (needs & IG_NEEDS_ROWS && !s->row && rows->rows)
        memset(needed, IG_NEEDS_ROWS, rows->rows);
    if (needs & IG_NEEDS_REST && learns_from_rest(rows, s))
        mark_rest(needed, rows->rows, s);
    for (size_t i = 0; i < sizeof lists / sizeof *lists && status == IG_OK; i++)
        if (needs & lists[i].by)
            status = mark(needed, rows->rows, lists[i].list, lists[i].n,
                          (uint8_t)lists[i].by, lists[i].what, error);
    return status;
}

static size_t count_marked(const uint8_t *needed, size_t n, uint8_t by)
{
    size_t count = 0;

    for (size_t i = 0; i < n; i++)
        count += (needed[i] & by) != 0;
    return count;
}

/* --- the passes over all pairs of rows -------------------------------------------- */

/* The families that take part in a pass. */
static unsigned joining(const ig_subject *subject)
{
    unsigned measures = takes(subject), join = 0;

    for (size_t i = 0; i < IG_FAMILY_COUNT; i++)
        if (measures >> i & 1 && families[i].family->join)
            join |= 1u << i;
    return join;
}

/* Rows of a language, in the mean, from which on a pass that knows languages costs no
 * more than one that does not. */
enum { OF_A_LANGUAGE = 256 };

static unsigned by_language(unsigned join)
{
    unsigned out = 0;

    for (size_t i = 0; i < IG_FAMILY_COUNT; i++)
        if (join >> i & 1 && families[i].family->by_language)
            out |= 1u << i;
    return out;
}

static bool needs_rows(unsigned join)
{
    for (size_t i = 0; i < IG_FAMILY_COUNT; i++)
        if (join >> i & 1 && families[i].family->needs & IG_NEEDS_ROWS)
            return true;
    return false;
}

/* Those of the first pass, whose rows are the subject's where any family needs them,
 * else those that occur in pairs; the rest is of a second one, of the latter. Families
 * of pairs take part in the first where it has no other rows, and those by language
 * where languages are not small. */
static unsigned joining_first(const ig_rows *rows, const ig_subject *subject,
                              const uint8_t *needed)
{
    unsigned join = joining(subject), first = join, mark = IG_NEEDS_PAIRS;
    size_t count = 0;

    if (needs_rows(join)) {
        bool same = true;

        mark = IG_NEEDS_ROWS;
        for (size_t i = 0; i < rows->rows && same; i++)
            same = !(needed[i] & IG_NEEDS_ROWS) == !(needed[i] & IG_NEEDS_PAIRS);
        for (size_t i = 0; i < IG_FAMILY_COUNT && !same; i++)
            if (!(families[i].family->needs & IG_NEEDS_ROWS))
                first &= ~(1u << i);
    }
    for (size_t i = 0; i < rows->rows; i++)
        count += (needed[i] & mark) != 0;
    if (count < OF_A_LANGUAGE * subject->pairs.languages && first != by_language(first))
        first &= ~by_language(first);
    return first;
}

/* --- the work -------------------------------------------------------------------- */

/* Of a family: that of all rows, or of those that ask with all. */
static double work_of_family(const ig_measure_input *input, const ig_family *family)
{
    size_t rows = family->needs & IG_NEEDS_ROWS ? input->some->rows : input->paired;

    return input->asking
               ? 2 * (double)input->asking * (double)rows * (double)input->base->dims
               : family->work(input);
}

/* Of those that share a pass: that of the one that has most. */
static double work_of_pass(const ig_measure_input *input, unsigned join)
{
    double most = 0;

    for (size_t i = 0; i < IG_FAMILY_COUNT; i++)
        if (join >> i & 1)
            most = fmax(most, work_of_family(input, families[i].family));
    return most;
}

double ig_evaluation_work(const ig_rows *rows, const ig_subject *subject)
{
    uint8_t *needed = ig_alloc(rows->rows, 1);
    ig_rows some = {.rows = rows_of(rows, subject), .dims = rows->dims};
    ig_measure_input input = {.base = rows,
                              .pairs = &subject->pairs,
                              .scores = subject->scores,
                              .some = &some,
                              .label = subject->label,
                              .languages = subject->pairs.languages,
                              .intervals = subject->intervals};
    unsigned measures = takes(subject);
    unsigned first;
    double work = 0;

    if (needed && mark_all(needed, rows, subject, NULL) == IG_OK) {
        input.paired = count_marked(needed, rows->rows, IG_NEEDS_PAIRS);
        input.fits = count_marked(needed, rows->rows, IG_NEEDS_REST);
        if (subject->sample < (needs_rows(joining(subject)) ? some.rows : input.paired))
            input.asking = subject->sample;
        first = joining_first(rows, subject, needed);
        work = work_of_pass(&input, first) +
               work_of_pass(&input, joining(subject) & ~first);
        for (size_t i = 0; i < IG_FAMILY_COUNT; i++)
            if (measures >> i & 1 && !families[i].family->join)
                work += families[i].family->work(&input);
    }
    ig_free(needed);
    return work;
}

/* Bytes for a row of a pass beside its vector: numbers, what is identical … */
enum { BESIDE_ROW = 160 };

/* … and of one that asks: what is nearest, by each thread and in all, ranks. */
static double beside_asking(size_t threads)
{
    return 512 + 16 * (double)threads;
}

/* What families take that read the rows by the chunk. */
static double beside_passes(const ig_rows *rows, const ig_subject *subject)
{
    enum { CHUNK = 1 << 14, FITTED = 1 << 16 }; /* rows, of which two chunks are held */
    const unsigned by_chunk = IG_MEASURE_ISOTROPY | IG_MEASURE_PROBE |
                              IG_MEASURE_HIDDEN_PROBE | IG_MEASURE_LABEL_TRANSFER;
    double d = (double)rows->dims, n = (double)rows->rows, most = 0;

    if (takes(subject) & by_chunk)
        most = 2 * fmin(n, CHUNK) * d * sizeof(float) + 6 * d * d * sizeof(double);
    if (takes(subject) & IG_MEASURE_HIDDEN_PROBE)
        most += fmin(n, FITTED) * d * sizeof(float);
    return most;
}

/* The share of the rows that asks. */
static double share_asking(const ig_rows *rows, const ig_subject *subject)
{
    size_t of = rows_of(rows, subject);

    return subject->sample && subject->sample < of
               ? (double)subject->sample / (double)of
               : 1;
}

/* What rows may take in memory: as much as is said, or half of what is granted. */
static double memory_of(const ig_subject *subject)
{
    ig_machine machine;
    double granted;

    if (subject->memory)
        return (double)subject->memory;
    machine = ig_machine_find("");
    granted = ig_machine_memory(&machine) / 2;
    return granted > 0 ? granted : HUGE_VAL;
}

/* Where the rows lie: their copies are used most, and are the first to be in memory.
 * Mining makes copies of its own after those of the passes are gone. */
static struct lies lay(const ig_rows *rows, const ig_subject *subject,
                       const uint8_t *needed)
{
    double vector = (double)rows->dims * sizeof(float), memory = memory_of(subject);
    double some = (double)rows_of(rows, subject) * vector;
    double paired = (double)count_marked(needed, rows->rows, IG_NEEDS_PAIRS) * vector;
    unsigned first = joining_first(rows, subject, needed), join = joining(subject);
    struct lies lies = {.held = (double)count_marked(needed, rows->rows, 0xff) *
                                vector};

    lies.copied = !first ? 0 : needs_rows(first) ? some : paired;
    lies.copied += join & ~first ? paired : 0;
    if (takes(subject) & IG_MEASURE_MINING)
        lies.copied = fmax(lies.copied, some);
    lies.copied_in_file = lies.copied > memory;
    lies.held_in_file = lies.held + (lies.copied_in_file ? 0 : lies.copied) > memory;
    return lies;
}

ig_evaluation_room ig_evaluation_room_of(const ig_rows *rows, const ig_subject *subject,
                                         size_t threads)
{
    double pairs = (double)subject->pairs.pairs, beside = 0, row;
    uint8_t *needed = ig_alloc(rows->rows, 1);
    ig_evaluation_room room = {0};
    struct lies lies;
    unsigned first;

    if (!needed || mark_all(needed, rows, subject, NULL) != IG_OK) {
        ig_free(needed);
        return room;
    }
    first = joining_first(rows, subject, needed);
    lies = lay(rows, subject, needed);
    row = BESIDE_ROW + share_asking(rows, subject) * beside_asking(threads);
    if (first)
        beside = (double)rows_of(rows, subject) * row;
    if (joining(subject) & ~first)
        beside += (double)count_marked(needed, rows->rows, IG_NEEDS_PAIRS) * row;
    if (takes(subject) & IG_MEASURE_RETRIEVAL)
        room.kept = 2 * pairs * sizeof(ig_found) * share_asking(rows, subject);
    ig_free(needed);
    room.files = (lies.held_in_file ? lies.held : 0) +
                 (lies.copied_in_file ? lies.copied : 0);
    /* The passes go before the rest of the families begins. And a quarter for what is
     * smaller. */
    room.memory = (lies.held_in_file ? 0 : lies.held) +
                  fmax((lies.copied_in_file ? 0 : lies.copied) + 1.25 * beside,
                       beside_passes(rows, subject)) +
                  1.25 * (room.kept + 24 * pairs + 40 * (double)rows->rows);
    return room;
}

/* A measure of so much work is done, whatever it counted itself. */
static void settle(struct job *job, ig_status status, double work)
{
    double counted;

    job->settled += work;
    if (!job->watch || status != IG_OK)
        return;
    counted = (double)atomic_load(&job->watch->done) - job->begun;
    if (counted < job->settled)
        ig_watch_add(job->watch, job->settled - counted, 0);
}

/* --- the rows -------------------------------------------------------------------- */

/* Rows of length 0 that are measured. */
static size_t zeros_of(const struct job *job, const ig_units *units)
{
    size_t zeros = 0;

    for (size_t i = 0; i < units->count; i++)
        zeros += units->zero[i] && job->needed[units->row[i]] != IG_NEEDS_REST;
    return zeros;
}

/* The directory of files that rows lie in. */
static ig_status find_directory(struct job *job, ig_error *error)
{
    const ig_subject *s = job->subject;
    struct lies *lies = &job->lies;
    double left;
    ig_status status;

    *lies = lay(job->source, s, job->needed);
    job->directory = s->directory;
    if (s->directory || (!lies->held_in_file && !lies->copied_in_file))
        return IG_OK;
    status = ig_spill_directory(NULL, &job->directory, &left, error);
    if (status != IG_OK && s->memory == 0) {
        lies->held_in_file = lies->copied_in_file = false; /* nobody set a bound */
        status = IG_OK;
    }
    return status;
}

static size_t language_held(const void *context, size_t row)
{
    const struct job *job = context;
    const ig_retrieval_pairs *p = &job->subject->pairs;

    if (!job->needed[row])
        return SIZE_MAX;
    return !p->lang ? 0 : p->lang[row] < p->languages ? p->lang[row] : p->languages;
}

/* The rows that are needed by language, and their numbers in this order.
 *   turn  out  (R) as the units have it, where that is another order than the
 *              source's; free it with ig_free */
static ig_status number_rows(struct job *job, uint32_t **turn, ig_error *error)
{
    size_t n = job->source->rows, keys = job->subject->pairs.languages + 1, at = 0;
    uint32_t *start = ig_alloc(keys + 2, sizeof *start);
    uint32_t *order = ig_alloc(n, sizeof *order);
    bool ascending = true;

    job->units = (ig_units){.row = order};
    job->at = ig_arena_alloc(&job->arena, n * sizeof *job->at);
    if (!start || !order || !job->at) {
        ig_free(start);
        return ig_fail_memory(error, "the rows to measure");
    }
    ig_array_order(n, keys, language_held, job, start, order);
    job->units.count = start[keys];
    ig_free(start);
    for (uint32_t i = 0; i < job->units.count; i++) {
        job->at[order[i]] = i;
        ascending &= i == 0 || order[i] > order[i - 1];
    }
    if (ascending) {
        job->at = job->units.count < n ? job->at : NULL;
        return IG_OK;
    }
    *turn = ig_alloc(job->units.count, sizeof **turn);
    if (!*turn)
        return ig_fail_memory(error, "the rows to measure");
    for (size_t i = 0; i < n; i++)
        if (job->needed[i])
            (*turn)[at++] = job->at[i];
    return IG_OK;
}

/* Read the rows that are needed. */
static ig_status hold_rows(struct job *job, ig_evaluation *evaluation, ig_error *error)
{
    const uint8_t measured = IG_NEEDS_ROWS | IG_NEEDS_PAIRS | IG_NEEDS_SCORES;
    size_t n = job->source->rows, d = job->source->dims;
    uint8_t *needed = ig_arena_alloc(&job->arena, n);
    uint32_t *turn = NULL;
    ig_status status;

    if (!needed)
        return ig_fail_memory(error, "the rows to measure");
    status = mark_all(needed, job->source, job->subject, error);
    if (status != IG_OK)
        return status;
    job->input.paired = count_marked(needed, n, IG_NEEDS_PAIRS);
    job->input.fits = count_marked(needed, n, IG_NEEDS_REST);
    job->needed = needed;
    evaluation->rows = count_marked(needed, n, measured);
    status = number_rows(job, &turn, error);
    if (status == IG_OK)
        status = find_directory(job, error);
    if (status == IG_OK) {
        job->units.directory = job->lies.held_in_file ? job->directory : NULL;
        job->units.turn = turn;
        status =
            ig_units_gather(&job->units, job->source, job->pool, job->watch, error);
        job->units.turn = NULL;
    }
    ig_free(turn);
    if (status != IG_OK)
        return status;
    evaluation->zero_rows = zeros_of(job, &job->units);
    job->base = ig_rows_of_matrix(ig_matrix_of(job->units.unit, job->units.count, d));
    job->base.unit = job->units.odd_rows == 0;
    return status;
}

/* The number in the base of a row that is held. */
static uint32_t held_at(const struct job *job, size_t row)
{
    return job->at ? job->at[row] : (uint32_t)row;
}

/* --- their numbers --------------------------------------------------------------- */

/* The numbers of a list of rows in the base, or NULL when memory is short. */
static const uint32_t *translate(struct job *job, const uint32_t *list, size_t n)
{
    uint32_t *out = ig_arena_alloc(&job->arena, n * sizeof *out);

    for (size_t i = 0; out && i < n; i++)
        out[i] = job->at[list[i]];
    return out;
}

/* Pairs and scores by the numbers of the base. */
static ig_status translate_pairs(struct job *job, ig_error *error)
{
    const ig_subject *s = job->subject;
    unsigned needs = needs_of(s);
    uint16_t *lang;

    job->pairs = s->pairs;
    if (s->scores)
        job->scores = *s->scores;
    if (!job->at)
        return IG_OK;
    if (s->pairs.lang) {
        lang = ig_arena_alloc(&job->arena, job->units.count * sizeof *lang);
        job->pairs.lang = lang;
        for (size_t i = 0; lang && i < job->units.count; i++)
            lang[i] = s->pairs.lang[job->units.row[i]];
    }
    if (needs & IG_NEEDS_PAIRS) {
        job->pairs.left = translate(job, s->pairs.left, s->pairs.pairs);
        job->pairs.right = translate(job, s->pairs.right, s->pairs.pairs);
        if (!job->pairs.lang || !job->pairs.left || !job->pairs.right)
            return ig_fail_memory(error, "the pairs to measure");
    }
    if (needs & IG_NEEDS_SCORES) {
        job->scores.left =
            (uint32_t *)translate(job, s->scores->left, job->scores.count);
        job->scores.right =
            (uint32_t *)translate(job, s->scores->right, job->scores.count);
        if (!job->scores.left || !job->scores.right)
            return ig_fail_memory(error, "the scores to measure");
    }
    return IG_OK;
}

/* The rows that are learnt from, and what language and id all rows of the base have. */
static ig_status pick_rest(struct job *job, ig_error *error)
{
    const ig_subject *s = job->subject;
    size_t rows = job->base.rows, n = 0;
    uint32_t *fit = ig_arena_alloc(&job->arena, job->input.fits * sizeof *fit);
    uint16_t *lang = ig_arena_alloc(&job->arena, rows * sizeof *lang);
    uint32_t *id = ig_arena_alloc(&job->arena, rows * sizeof *id);

    if (!fit || !lang || !id)
        return ig_fail_memory(error, "the rows to measure");
    for (uint32_t i = 0; i < rows; i++) {
        uint32_t row = job->at ? job->units.row[i] : i;

        lang[i] = s->pairs.lang[row];
        id[i] = s->id ? s->id[row] : IG_NO_ID;
    }
    for (size_t row = 0; row < job->source->rows; row++)
        if (job->needed[row] & IG_NEEDS_REST)
            fit[n++] = held_at(job, row);
    job->input.fit = fit;
    job->input.base_lang = lang;
    job->input.base_id = id;
    return IG_OK;
}

/* The lowest row that pairs join to one, directly or through others; what was passed on
 * the way leads there at once. */
static uint32_t root_of(uint32_t *joined, uint32_t row)
{
    uint32_t root = row;

    while (joined[root] != root)
        root = joined[root];
    while (joined[row] != root) {
        uint32_t next = joined[row];

        joined[row] = root;
        row = next;
    }
    return root;
}

void ig_subject_meanings(const ig_subject *s, size_t rows, uint32_t *meaning)
{
    const ig_retrieval_pairs *p = &s->pairs;

    for (size_t i = 0; i < rows; i++)
        meaning[i] = s->id ? s->id[i] : p->group ? IG_NO_ID : (uint32_t)i;
    for (size_t i = 0; !s->id && i < p->pairs; i++) {
        const uint32_t side[2] = {p->left[i], p->right[i]};

        if (side[0] >= rows || side[1] >= rows)
            continue;
        for (int k = 0; p->group && k < 2; k++)
            if (meaning[side[k]] == IG_NO_ID)
                meaning[side[k]] = p->group[i];
        if (!p->group) {
            uint32_t a = root_of(meaning, side[0]), b = root_of(meaning, side[1]);

            meaning[a > b ? a : b] = a > b ? b : a;
        }
    }
    for (uint32_t i = 0; !s->id && !p->group && i < rows; i++)
        meaning[i] = root_of(meaning, i);
}

ig_status ig_subject_units(const ig_subject *s, size_t rows, uint32_t *unit,
                           size_t *units, ig_error *error)
{
    uint32_t *meaning = ig_alloc(rows, sizeof *meaning), *number;
    size_t most = rows;

    *units = 0;
    if (!meaning)
        return ig_fail_memory(error, "the meanings");
    ig_subject_meanings(s, rows, meaning);
    for (size_t i = 0; i < rows; i++)
        if (meaning[i] != IG_NO_ID && meaning[i] >= most)
            most = (size_t)meaning[i] + 1;
    number = ig_alloc(most, sizeof *number); /* of a meaning, from 1 */
    if (!number) {
        ig_free(meaning);
        return ig_fail_memory(error, "the meanings");
    }
    for (size_t i = 0; i < rows; i++)
        unit[i] = s->row ? IG_NO_ID : 0;
    for (size_t i = 0; s->row && i < s->rows; i++)
        unit[s->row[i]] = 0;
    for (size_t i = 0; i < s->pairs.pairs; i++)
        unit[s->pairs.left[i]] = unit[s->pairs.right[i]] = 0;
    for (size_t i = 0; i < rows; i++) {
        if (unit[i] == IG_NO_ID)
            continue;
        if (meaning[i] == IG_NO_ID) {
            unit[i] = (uint32_t)(*units)++;
            continue;
        }
        if (!number[meaning[i]])
            number[meaning[i]] = (uint32_t)++ * units;
        unit[i] = number[meaning[i]] - 1;
    }
    ig_free(meaning);
    ig_free(number);
    return IG_OK;
}

/* --- a sample --------------------------------------------------------------------- */

/* Draw the rows that ask, where not all do: of those that occur in pairs, where nobody
 * needs others. */
static ig_status draw_sample(struct job *job, ig_query_sample *sample, ig_error *error)
{
    const ig_subject *s = job->subject;
    ig_subject of = *s;
    size_t rows = job->source->rows, units;
    uint8_t *asks, *asks_base;
    ig_status status;

    if (!s->sample || !joining(s))
        return IG_OK;
    job->unit = ig_arena_alloc(&job->arena, rows * sizeof *job->unit);
    asks = ig_arena_alloc(&job->arena, rows);
    asks_base = ig_arena_alloc(&job->arena, job->base.rows);
    if (!job->unit || !asks || !asks_base)
        return ig_fail_memory(error, "the sample");
    if (!needs_rows(joining(s))) {
        of.row = job->unit;
        of.rows = 0;
    }
    status = ig_subject_units(&of, rows, job->unit, &units, error);
    if (status == IG_OK)
        status = ig_query_sample_draw(
            sample, asks, joining(s) & IG_MEASURE_RETRIEVAL ? &s->pairs : NULL,
            job->unit, rows, units, s->sample, s->seed, error);
    if (status != IG_OK || !sample->rows)
        return status;
    for (size_t i = 0; i < job->base.rows; i++)
        asks_base[i] = asks[job->at ? job->units.row[i] : i];
    job->input.asks = asks_base;
    job->input.asking = sample->rows + sample->beside;
    return IG_OK;
}

/* Of all figures that are estimated. */
static ig_status take_errors(const struct job *job, ig_evaluation *e, ig_error *error)
{
    ig_status status = IG_OK;

    for (size_t i = 0; i < IG_FAMILY_COUNT && status == IG_OK; i++)
        if (e->sample.rows && e->taken >> i & 1)
            status = ig_standard_errors_take(&e->error[i], families[i].family,
                                             result_of(e, i), &e->sample, job->unit,
                                             error);
    return status;
}

/* The rows of families that need rows. */
static ig_status pick_rows(struct job *job, ig_error *error)
{
    const ig_subject *s = job->subject;
    size_t n = rows_of(job->source, s);
    uint16_t *lang;
    uint32_t *id, *all, *meaning;
    bool as_held = true;

    if (!(needs_of(s) & IG_NEEDS_ROWS))
        return IG_OK;
    job->pick = ig_arena_alloc(&job->arena, n * sizeof *job->pick);
    lang = ig_arena_alloc(&job->arena, n * sizeof *lang);
    id = ig_arena_alloc(&job->arena, n * sizeof *id);
    all = ig_arena_alloc(&job->arena, job->source->rows * sizeof *all);
    meaning = ig_arena_alloc(&job->arena, n * sizeof *meaning);
    if (!job->pick || !lang || !id || !all || !meaning)
        return ig_fail_memory(error, "the rows to measure");
    ig_subject_meanings(s, job->source->rows, all);
    for (size_t i = 0; i < n; i++) {
        uint32_t row = s->row ? s->row[i] : (uint32_t)i;

        job->pick[i] = held_at(job, row);
        as_held &= job->pick[i] == i;
        lang[i] = s->pairs.lang[row];
        id[i] = s->id ? s->id[row] : IG_NO_ID;
        meaning[i] = all[row];
    }
    job->picked = (ig_rows_pick){&job->base, job->pick, n};
    job->some = as_held && n == job->base.rows ? job->base
                                               : ig_rows_of_pick(&job->picked);
    job->input.lang = lang;
    job->input.id = id;
    job->input.meaning = meaning;
    job->input.some_base = job->pick;
    return job->input.fits ? pick_rest(job, error) : IG_OK;
}

/* --- the measures ---------------------------------------------------------------- */

/* A pass over rows list[0 … n) of the base, those of the sample asking alone. */
static ig_status open_pass(struct job *job, ig_pair_pass *pass, const uint32_t *list,
                           size_t n, const uint16_t *lang, ig_error *error)
{
    const ig_measure_input *in = &job->input;
    uint8_t *asks = in->asks ? ig_alloc(n, 1) : NULL;
    ig_status status;

    if (in->asks && !asks)
        return ig_fail_memory(error, "the rows to measure");
    for (size_t i = 0; asks && i < n; i++)
        asks[i] = in->asks[list[i]];
    status = ig_pair_pass_init_sample(pass, in->base, list, n, lang, in->languages,
                                      asks, in->directory, job->pool, job->watch,
                                      error);
    ig_free(asks);
    return status;
}

/* A pass over the rows that occur in pairs. */
static ig_status open_paired(struct job *job, ig_pair_pass *pass, bool languages,
                             ig_error *error)
{
    const ig_measure_input *in = &job->input;
    uint32_t *list = ig_alloc(in->paired, sizeof *list);
    uint16_t *lang = ig_alloc(in->paired, sizeof *lang);
    size_t at = 0;
    ig_status status;

    for (size_t row = 0; list && lang && row < job->source->rows; row++)
        if (job->needed[row] & IG_NEEDS_PAIRS) {
            list[at] = held_at(job, row);
            lang[at] = in->pairs->lang[list[at]];
            at++;
        }
    status = list && lang
                 ? open_pass(job, pass, list, at, languages ? lang : NULL, error)
                 : ig_fail_memory(error, "the rows to measure");
    ig_free(list);
    ig_free(lang);
    return status;
}

/* A pass's own watch, whose work is told by its share of what is expected of it. */
struct share {
    ig_watch watch;
    struct job *job;
    double of, as, told;
};

static void tell_share(void *context, double done)
{
    struct share *share = context;
    double now = share->of > 0 ? share->as * fmin(1, done / share->of) : 0;

    ig_watch_add(share->job->watch, now - share->told, 0);
    share->told = now;
}

/* A pass for families that take part in it; those who cannot do without. */
static ig_status pass_over(struct job *job, ig_pair_pass *pass, unsigned join,
                           ig_error *error)
{
    struct share share = {
        .watch = {.stop = job->watch ? job->watch->stop : NULL, .tick = tell_share},
        .job = job,
        .as = work_of_pass(&job->input, join)};
    ig_status status = IG_OK;

    share.watch.context = &share;
    for (size_t i = 0; i < IG_FAMILY_COUNT && status == IG_OK; i++)
        if (join >> i & 1)
            status = families[i].family->join(&job->input, pass, &job->state[i], error);
    share.of = ig_pair_pass_work(pass);
    if (status == IG_OK)
        status =
            ig_pair_pass_run(pass, job->pool, job->watch ? &share.watch : NULL, error);
    settle(job, status, share.as);
    return status;
}

/* One pass for all that look at all pairs of rows, and another one for those that the
 * rows of the first do not serve. */
static ig_status pass_all(struct job *job, ig_error *error)
{
    const ig_measure_input *in = &job->input;
    unsigned join = joining(job->subject);
    unsigned first = joining_first(job->source, job->subject, job->needed);
    ig_status status = IG_OK;

    if (first) {
        bool languages = by_language(first) != 0;

        status = needs_rows(first)
                     ? open_pass(job, &job->pass[0], job->pick, in->some->rows,
                                 languages ? in->lang : NULL, error)
                     : open_paired(job, &job->pass[0], languages, error);
        if (status == IG_OK)
            status = pass_over(job, &job->pass[0], first, error);
    }
    if (join == first || status != IG_OK)
        return status;
    status = open_paired(job, &job->pass[1], by_language(join & ~first) != 0, error);
    return status == IG_OK ? pass_over(job, &job->pass[1], join & ~first, error)
                           : status;
}

static ig_status take_all(struct job *job, ig_evaluation *e, ig_error *error)
{
    ig_measure_input *in = &job->input;
    unsigned passed = 0;
    ig_status status;

    in->base = &job->base;
    in->row = job->at ? job->units.row : NULL;
    in->pairs = &job->pairs;
    in->scores = &job->scores;
    in->some = &job->some;
    in->some_row = job->subject->row;
    in->part = job->subject->part;
    in->languages = job->subject->pairs.languages;
    in->label = job->subject->label;
    in->pivot = job->subject->pivot;
    in->seed = job->subject->seed;
    in->intervals = job->subject->intervals;
    in->directory = job->lies.copied_in_file ? job->directory : NULL;
    in->pool = job->pool;
    in->watch = job->watch;
    status = pass_all(job, error);
    /* What the passes hold goes before other families need room. */
    for (size_t i = 0; i < IG_FAMILY_COUNT; i++) {
        in->state = job->state[i];
        if (in->state && status == IG_OK)
            status = families[i].family->take(in, result_of(e, i), error);
        if (in->state)
            families[i].family->forget(in->state);
        passed |= in->state ? 1u << i : 0;
    }
    ig_pair_pass_free(&job->pass[0]);
    ig_pair_pass_free(&job->pass[1]);
    in->state = NULL;
    for (size_t i = 0; i < IG_FAMILY_COUNT && status == IG_OK; i++) {
        const ig_family *family = families[i].family;

        if (!((e->taken & ~passed) >> i & 1))
            continue;
        if (i > IG_FAMILY_RETRIEVAL && e->taken & IG_MEASURE_RETRIEVAL)
            in->retrieval = &e->retrieval;
        status = family->take(in, result_of(e, i), error);
        settle(job, status, family->join ? 0 : family->work(in));
    }
    return status;
}

ig_status ig_evaluation_take(ig_evaluation *evaluation, const ig_rows *rows,
                             const ig_subject *subject, ig_pool *pool, ig_watch *watch,
                             ig_error *error)
{
    struct job job = {.source = rows, .subject = subject, .pool = pool, .watch = watch};
    ig_evaluation taken = {.taken = takes(subject)};
    ig_status status;

    *evaluation = (ig_evaluation){0};
    if (watch)
        job.begun = (double)atomic_load(&watch->done);
    status = hold_rows(&job, &taken, error);
    if (status == IG_OK)
        status = translate_pairs(&job, error);
    if (status == IG_OK)
        status = pick_rows(&job, error);
    if (status == IG_OK)
        status = draw_sample(&job, &taken.sample, error);
    if (status == IG_OK)
        status = take_all(&job, &taken, error);
    if (status == IG_OK)
        status = take_errors(&job, &taken, error);
    ig_units_free(&job.units);
    ig_arena_free(&job.arena);
    if (status == IG_OK)
        *evaluation = taken;
    else
        ig_evaluation_free(&taken);
    return status;
}

void ig_evaluation_join(ig_evaluation *into, ig_evaluation *part)
{
    for (size_t i = 0; i < IG_FAMILY_COUNT; i++)
        if (part->taken >> i & 1) {
            memcpy(result_of(into, i), result_of(part, i), sizes[i]);
            into->error[i] = part->error[i];
        }
    into->sample = part->sample.rows ? part->sample : into->sample;
    into->taken |= part->taken;
    /* Those of the measure that needs most, mostly all of them. */
    into->rows = part->rows > into->rows ? part->rows : into->rows;
    into->zero_rows = part->zero_rows > into->zero_rows ? part->zero_rows
                                                        : into->zero_rows;
    *part = (ig_evaluation){0};
}

void ig_evaluation_free(ig_evaluation *evaluation)
{
    for (size_t i = 0; evaluation && i < IG_FAMILY_COUNT; i++)
        if (families[i].family->free)
            families[i].family->free(result_of(evaluation, i));
    for (size_t i = 0; evaluation && i < IG_FAMILY_COUNT; i++)
        ig_standard_errors_free(&evaluation->error[i]);
    if (evaluation) {
        ig_intervals_free(&evaluation->intervals);
        *evaluation = (ig_evaluation){0};
    }
}
