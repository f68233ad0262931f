/* DATA as it was given, word by word. */
#include "cli/data_words.h"

#include <stdio.h>

#include "data/columns.h"

enum { MOST_OPTIONS = 44, NUMBER = 24 };

static void put_text(ig_data_words *w, const char *option, const char *value)
{
    if (!value)
        return;
    w->word[w->count++] = option;
    w->word[w->count++] = value;
}

static void put_count(ig_data_words *w, size_t at, const char *option, size_t value)
{
    if (!value)
        return;
    snprintf(w->number[at], sizeof w->number[at], "%zu", value);
    put_text(w, option, w->number[at]);
}

bool ig_data_words_init(ig_data_words *w, const ig_options *o)
{
    static const char *const type[] = {NULL, "f16", "bf16"};

    *w = (ig_data_words){.delimiter = {o->set.delimiter, '\0'}};
    w->word = ig_alloc(o->words + MOST_OPTIONS, sizeof *w->word);
    if (!w->word)
        return false;
    for (size_t i = 0; i < o->words; i++)
        w->word[w->count++] = o->word[i];
    put_text(w, "--meta", o->set.meta);
    put_text(w, "--vectors", o->set.vectors);
    for (size_t i = 0; i < IG_COLUMN_ROLES; i++)
        if (o->set.column[i]) {
            snprintf(w->column[i], sizeof w->column[i], "%s=%s",
                     ig_column_role_name((ig_column_role)i), o->set.column[i]);
            put_text(w, "--column", w->column[i]);
        }
    put_text(w, "--lang", o->set.lang);
    put_text(w, "--delimiter", o->set.delimiter ? w->delimiter : NULL);
    put_count(w, 0, "--dims", o->set.dims);
    put_count(w, 1, "--limit", o->set.limit);
    put_count(w, 2, "--dim", o->set.raw_dim);
    put_text(w, "--type", type[o->set.type]);
    put_text(w, "--pairs", o->pairs);
    return true;
}

void ig_data_words_free(ig_data_words *w)
{
    ig_free(w->word);
    *w = (ig_data_words){0};
}
