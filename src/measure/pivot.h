/* Figures as the papers print them: a row for each method, a column for each language
 * pair, direction or language, means by group and of all. A cell has several seeds. */
#pragma once

#include "data/names.h"
#include "measure/figure.h"

typedef enum ig_breakdown {
    IG_BY_PAIR,      /* "en-de": both directions, or a kind of scored pairs */
    IG_BY_DIRECTION, /* "en→de" */
    IG_BY_LANGUAGE   /* all figures of a language */
} ig_breakdown;

/* A value: the mean of the figures of a key but those of few pairs, or candidates. */
enum { IG_KEY_SIZE = 100, IG_PAIRS_LEAST = 10 };
typedef struct ig_keyed {
    uint32_t block;    /* which table */
    uint32_t row, run; /* of the table */
    uint32_t count;    /* figures that are not NaN */
    double value;
    char key[IG_KEY_SIZE];     /* "": that of the whole */
    char side[2][IG_KEY_SIZE]; /* its languages; "": it is not of two */
} ig_keyed;

/* A column of a table: a key, or the mean of the keys of a group, or of all. */
typedef struct ig_pivot_column {
    const char *name;
    const char *group;   /* of a key; "mean" of the mean of a group; or NULL */
    const double *value; /* (rows, runs); NaN: none */
} ig_pivot_column;

/* What a table is of: one measure of one space of one dataset. */
typedef struct ig_pivot_title {
    const ig_measure *measure;
    size_t space;
    const char *data; /* its name */
    size_t rows;      /* that are measured */
} ig_pivot_title;

enum { IG_PIVOT_HEADS = 24 };
typedef struct ig_pivot_row {
    const char *text[IG_PIVOT_HEADS]; /* (heads) */
    size_t runs;                      /* seeds */
    bool original;                    /* has none */
    size_t measured;                  /* rows, where `uneven` */
} ig_pivot_row;

/* All tables. Zeroed, but for what the caller fills in: empty. Texts outlive it. */
typedef struct ig_pivot {
    /* filled in by the caller */
    ig_breakdown by;
    const ig_pivot_title *title; /* (blocks) */
    size_t blocks;
    const char *head[IG_PIVOT_HEADS]; /* (heads) "method", "version", "lr" */
    size_t heads;
    const char *note; /* what else they say, as "; seed 1"; or NULL */
    bool uneven;      /* each row is of measured rows of its own: none is best */

    ig_names group; /* of ig_pivot_groups, with … */
    size_t members, member_room;
    struct ig_pivot_member {
        uint32_t group;
        bool met; /* it names a column of a block */
        const char *name;
    } * member;                  /* … (members) */
    size_t rows, row_room, runs; /* runs: of a row, at most */
    ig_pivot_row *row;           /* (rows) */
    size_t values, value_room;
    ig_keyed *value; /* (values) ig_pivot_add appends those of a run … */
    size_t ended;    /* … and so many are of runs that are ended */
    bool few;        /* there are figures of few candidates, as no direction has more */
    bool left_out;   /* figures of few candidates or pairs are */
} ig_pivot;

/* Read groups of columns from a table pair,group (or direction, language): "en-de" is
 * also de-en and both directions; a language stands for its pairs with languages of the
 * same group or of none. IG_OK, IG_IO, IG_FORMAT or IG_NOMEM. */
ig_status ig_pivot_groups(ig_pivot *pivot, const char *path, ig_error *error);

/* Add a row, whose texts the caller fills in, or NULL: memory is short. */
ig_pivot_row *ig_pivot_row_add(ig_pivot *pivot, ig_error *error);

/* Append the values of the measure of a table: that of the whole, then those of its
 * keys in the order of the data. A mean over kinds of pairs (mean_pearson) has the keys
 * of what it is the mean of. IG_OK or IG_NOMEM. */
ig_status ig_pivot_add(ig_pivot *pivot, uint32_t block, const ig_figures *figures,
                       ig_error *error);

/* End a run of the last row: it has the values that were added since the last one. */
void ig_pivot_end_run(ig_pivot *pivot);
void ig_pivot_free(ig_pivot *pivot);

/* One table: a block of the values. */
typedef struct ig_pivot_block {
    const ig_pivot *pivot;
    const ig_pivot_title *title;
    double *value; /* (keys and means, rows, runs); key 0: the whole */
    size_t columns, means;
    ig_pivot_column *column; /* (columns) */
} ig_pivot_block;

/* Take a block; `all`: with the columns of every block. None: memory is short. */
ig_pivot_block ig_pivot_take(const ig_pivot *pivot, size_t block, bool all,
                             ig_arena *arena);

/* Mean of the values but NaN, or NaN; their deviation (n − 1; NaN: fewer than two). */
double ig_pivot_mean(const double *value, size_t n, double *deviation);
