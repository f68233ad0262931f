/* Word vectors as text. */
#define SEEDS                                                                          \
    SEED("2 3\nthe 1 2 3\n. . -4e1 5 .6\n"), SEED("the 1 2 3\r\ncat\t4\t5\tnan \r\n")

#include "data/words.h"
#include "seeds.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ig_columns columns = {0};
    ig_vectors vectors;
    ig_error error;

    if (ig_words_parse("w.vec", (const char *)data, size, 0, &columns, &vectors,
                       NULL, &error) == IG_OK) {
        must(vectors.rows == columns.rows && vectors.rows > 0 && vectors.dims > 0);
        must(vectors.rows * vectors.dims <= size);
    }
    ig_vectors_free(&vectors);
    ig_columns_free(&columns);
    return 0;
}
