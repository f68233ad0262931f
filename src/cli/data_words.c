/* A command line told again, for reports. */
#include "cli/data_words.h"

#include <stdio.h>
#include <string.h>

/* A word as a shell reads it back, in quotes where it must be. Returns its length, and
 * writes where there is room. */
static size_t put_word(char *out, size_t used, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "0123456789_-+=./,:@%";
    bool bare = *word && word[strspn(word, plain)] == '\0';
    size_t n = used;

    if (n && out)
        out[n] = ' ';
    n += n > 0;
    for (const char *c = bare ? "" : "'"; *c; c++, n++)
        if (out)
            out[n] = *c;
    for (const char *c = word; *c; c++) {
        const char *as = *c == '\'' ? "'\\''" : (char[]){*c, '\0'};

        for (; *as; as++, n++)
            if (out)
                out[n] = *as;
    }
    for (const char *c = bare ? "" : "'"; *c; c++, n++)
        if (out)
            out[n] = *c;
    return n;
}

static size_t put_count(char *out, size_t used, const char *option, size_t value)
{
    char number[24];

    if (!value)
        return used;
    snprintf(number, sizeof number, "%zu", value);
    return put_word(out, put_word(out, used, option), number);
}

static size_t put_text(char *out, size_t used, const char *option, const char *value)
{
    return value ? put_word(out, put_word(out, used, option), value) : used;
}

/* All of them, into `out` or to be counted. */
static size_t put_words(char *out, const ig_options *o)
{
    char delimiter[2] = {o->set.delimiter, '\0'};
    size_t n = 0;

    for (size_t i = 0; i < o->words; i++)
        n = put_word(out, n, o->word[i]);
    n = put_text(out, n, "--meta", o->set.meta);
    n = put_text(out, n, "--vectors", o->set.vectors);
    n = put_text(out, n, "--delimiter", *delimiter ? delimiter : NULL);
    n = put_count(out, n, "--dims", o->set.dims);
    n = put_count(out, n, "--limit", o->set.limit);
    n = put_count(out, n, "--dim", o->set.raw_dim);
    n = put_text(out, n, "--raw-type", o->set.raw_half ? "f16" : NULL);
    n = put_text(out, n, "--pairs", o->pairs);
    return n;
}

char *ig_data_words(const ig_options *options)
{
    char *out = ig_alloc(put_words(NULL, options) + 1, 1);

    if (out)
        put_words(out, options);
    return out;
}
