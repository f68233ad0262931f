/* Which rows, passes, work and room it takes to measure a subject. */
#include "measure/needs.h"

#include <math.h>
#include <string.h>

#include "base/machine.h"
#include "base/memory.h"
#include "measure/retrieval.h"

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

ig_status ig_needs_mark(uint8_t *needed, const ig_rows *rows, const ig_subject *s,
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
    unsigned needs = ig_subject_needs(s);
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

size_t ig_needs_count(const uint8_t *needed, size_t n, uint8_t by)
{
    size_t count = 0;

    for (size_t i = 0; i < n; i++)
        count += (needed[i] & by) != 0;
    return count;
}

/* --- the passes over all pairs of rows -------------------------------------------- */

unsigned ig_needs_passes(const ig_subject *subject)
{
    unsigned measures = ig_subject_takes(subject), join = 0;

    for (size_t i = 0; i < IG_FAMILY_COUNT; i++)
        if (measures >> i & 1 && ig_family_at(i)->join)
            join |= 1u << i;
    return join;
}

/* Rows of a language, in the mean, from which on a pass that knows languages costs no
 * more than one that does not. */
enum { OF_A_LANGUAGE = 256 };

unsigned ig_needs_by_language(unsigned join)
{
    unsigned out = 0;

    for (size_t i = 0; i < IG_FAMILY_COUNT; i++)
        if (join >> i & 1 && ig_family_at(i)->by_language)
            out |= 1u << i;
    return out;
}

bool ig_needs_rows(unsigned join)
{
    for (size_t i = 0; i < IG_FAMILY_COUNT; i++)
        if (join >> i & 1 && ig_family_at(i)->needs & IG_NEEDS_ROWS)
            return true;
    return false;
}

unsigned ig_needs_first_pass(const ig_rows *rows, const ig_subject *subject,
                             const uint8_t *needed)
{
    unsigned join = ig_needs_passes(subject), first = join, mark = IG_NEEDS_PAIRS;
    size_t count = 0;

    if (ig_needs_rows(join)) {
        bool same = true;

        mark = IG_NEEDS_ROWS;
        for (size_t i = 0; i < rows->rows && same; i++)
            same = !(needed[i] & IG_NEEDS_ROWS) == !(needed[i] & IG_NEEDS_PAIRS);
        for (size_t i = 0; i < IG_FAMILY_COUNT && !same; i++)
            if (!(ig_family_at(i)->needs & IG_NEEDS_ROWS))
                first &= ~(1u << i);
    }
    for (size_t i = 0; i < rows->rows; i++)
        count += (needed[i] & mark) != 0;
    if (count < OF_A_LANGUAGE * subject->pairs.languages &&
        first != ig_needs_by_language(first))
        first &= ~ig_needs_by_language(first);
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

double ig_needs_pass_work(const ig_measure_input *input, unsigned join)
{
    double most = 0;

    for (size_t i = 0; i < IG_FAMILY_COUNT; i++)
        if (join >> i & 1)
            most = fmax(most, work_of_family(input, ig_family_at(i)));
    return most;
}

double ig_evaluation_work(const ig_rows *rows, const ig_subject *subject)
{
    uint8_t *needed = ig_alloc(rows->rows, 1);
    ig_rows some = {.rows = ig_subject_rows(rows, subject), .dims = rows->dims};
    ig_measure_input input = {.base = rows,
                              .pairs = &subject->pairs,
                              .scores = subject->scores,
                              .some = &some,
                              .label = subject->label,
                              .languages = subject->pairs.languages,
                              .intervals = subject->intervals};
    unsigned measures = ig_subject_takes(subject);
    unsigned first;
    double work = 0;

    if (needed && ig_needs_mark(needed, rows, subject, NULL) == IG_OK) {
        input.paired = ig_needs_count(needed, rows->rows, IG_NEEDS_PAIRS);
        input.fits = ig_needs_count(needed, rows->rows, IG_NEEDS_REST);
        if (subject->sample <
            (ig_needs_rows(ig_needs_passes(subject)) ? some.rows : input.paired))
            input.asking = subject->sample;
        first = ig_needs_first_pass(rows, subject, needed);
        work = ig_needs_pass_work(&input, first) +
               ig_needs_pass_work(&input, ig_needs_passes(subject) & ~first);
        for (size_t i = 0; i < IG_FAMILY_COUNT; i++)
            if (measures >> i & 1 && !ig_family_at(i)->join)
                work += ig_family_at(i)->work(&input);
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

    if (ig_subject_takes(subject) & by_chunk)
        most = 2 * fmin(n, CHUNK) * d * sizeof(float) + 6 * d * d * sizeof(double);
    if (ig_subject_takes(subject) & IG_MEASURE_HIDDEN_PROBE)
        most += fmin(n, FITTED) * d * sizeof(float);
    return most;
}

/* The share of the rows that asks. */
static double share_asking(const ig_rows *rows, const ig_subject *subject)
{
    size_t of = ig_subject_rows(rows, subject);

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

/* Mining makes copies of its own after those of the passes are gone. */
ig_placement ig_needs_place(const ig_rows *rows, const ig_subject *subject,
                            const uint8_t *needed)
{
    double vector = (double)rows->dims * sizeof(float), memory = memory_of(subject);
    double some = (double)ig_subject_rows(rows, subject) * vector;
    double paired = (double)ig_needs_count(needed, rows->rows, IG_NEEDS_PAIRS) * vector;
    unsigned first = ig_needs_first_pass(rows, subject, needed),
             join = ig_needs_passes(subject);
    ig_placement lies = {.held = (double)ig_needs_count(needed, rows->rows, 0xff) *
                                 vector};

    lies.copied = !first ? 0 : ig_needs_rows(first) ? some : paired;
    lies.copied += join & ~first ? paired : 0;
    if (ig_subject_takes(subject) & IG_MEASURE_MINING)
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
    ig_placement lies;
    unsigned first;

    if (!needed || ig_needs_mark(needed, rows, subject, NULL) != IG_OK) {
        ig_free(needed);
        return room;
    }
    first = ig_needs_first_pass(rows, subject, needed);
    lies = ig_needs_place(rows, subject, needed);
    row = BESIDE_ROW + share_asking(rows, subject) * beside_asking(threads);
    if (first)
        beside = (double)ig_subject_rows(rows, subject) * row;
    if (ig_needs_passes(subject) & ~first)
        beside += (double)ig_needs_count(needed, rows->rows, IG_NEEDS_PAIRS) * row;
    if (ig_subject_takes(subject) & IG_MEASURE_RETRIEVAL)
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
