/* Data arguments: the lines of an input's file "argv" are DATA words and settings
 * (those of `setting` below, as "meta=m.csv"), its other files what they name: .npy,
 * tables, texts, word vectors, numbers, JSON lines, safetensors,
 * archives. */
#define SEEDS                                                                          \
    SEED("%%argv\nx.npy\nmeta=m.csv\n%%x.npy\n\x93NUMPY\x01\x00\x3a\x00{'descr': "     \
         "'<f4', 'fortran_order': False, 'shape': (2, 2)}abcdefghijklmnop%%m.csv\n"    \
         "lang,id,text\nen,1,a\nde,1,\"b\"\n"),                                        \
        SEED("%%argv\nen=a.vec\nde=b.vec\ndims=1\n%%a.vec\n2 2\nthe 1 2\na 3 "         \
             "4\n%%b.vec\nder 1 2\n"),                                                 \
        SEED("%%argv\na.jsonl\ntext=said\n%%a.jsonl\n{\"lang\":\"en\",\"said\":\"a\"," \
             "\"embedding\":[1,2]}\n{\"lang\":\"de\",\"said\":\"b\",\"embedding\":[3," \
             "4.5]}\n"),                                                               \
        SEED("%%argv\ns.safetensors\nvector=e\nlang=en\n%%s.safetensors\n"             \
             "\x3c\x00\x00\x00\x00\x00\x00\x00{\"e\":{\"dtype\":\"F32\",\"shape\":[2," \
             "2],"                                                                     \
             "\"data_offsets\":[0,16]}}    abcdefghijklmnop"),                         \
        SEED("%%argv\nt.csv\nvectors=v0-v1\ndelimiter=;\n%%t.csv\nlang;v0;v1\n"        \
             "en;1;2\nde;3;4\n"),                                                      \
        SEED("%%argv\nen=n.txt\nmeta=n.csv\n%%n.txt\n# a\n1 2\n3 4e1\n%%n.csv\n"       \
             "text\nx\ny\n"),                                                          \
        SEED("%%argv\na.csv\nx=u\n%%a.csv\nlang,u,y,v0\nen,1,2e3,3\nde,-1,,4\n"),      \
        SEED(                                                                          \
            "%%argv\nx.npy\nmeta=m.txt\n%%x.npy\n\x93NUMPY\x01\x00\x3a\x00{'descr': "  \
            "'<f4', 'fortran_order': False, 'shape': (2, 2)}abcdefghijklmnop%%m.txt\n" \
            "one\r\ntwo")

#include "walk.h"

enum { WORDS = 8 };

struct asked {
    const char *word[WORDS];
    size_t words;
    ig_dataset_options options;
};

static size_t number_of(const char *text)
{
    return (size_t)strtoul(text, NULL, 10) % 100;
}

/* "NAME=VALUE" in place of a word, or what an option of that name would be. */
static int setting(ig_dataset_options *o, const char *name, char *value)
{
    static const char *const role[] = {"langs", "text", "id", "vector", "x", "y"};

    for (int i = 0; i <= IG_COLUMN_Y; i++)
        if (strcmp(name, role[i]) == 0)
            return o->column[i] = value, 1;
    if (strcmp(name, "meta") == 0)
        o->meta = strchr(value, '/') ? NULL : value;
    else if (strcmp(name, "vectors") == 0)
        o->vectors = value;
    else if (strcmp(name, "delimiter") == 0)
        o->delimiter = *value;
    else if (strcmp(name, "lang") == 0)
        o->lang = value;
    else if (strcmp(name, "dims") == 0)
        o->dims = number_of(value);
    else if (strcmp(name, "finite") == 0)
        o->drop_invalid = true;
    else
        return 0;
    return 1;
}

static void take_line(struct asked *a, char *line)
{
    char *equals = strchr(line, '=');

    if (equals) {
        *equals = '\0';
        if (setting(&a->options, line, equals + 1))
            return;
        *equals = '=';
    }
    if (a->words < WORDS && !strchr(line, '/'))
        a->word[a->words++] = line;
}

static struct asked read_argv(char *text)
{
    struct asked a = {0};

    for (char *line = text; line && *line;) {
        char *end = strchr(line, '\n');

        if (end)
            *end = '\0';
        take_line(&a, line);
        line = end ? end + 1 : NULL;
    }
    return a;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct asked a;
    char *text;

    bundle_write(data, size);
    text = bundle_text("argv");
    a = read_argv(text);
    if (a.words)
        walk_data(a.word, a.words, &a.options);
    free(text);
    return 0;
}
