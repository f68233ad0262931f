/* Numbers in text: what is read is what strtod reads of it. */
#define SEEDS                                                                          \
    SEED("-12.50e-3"), SEED("1.00000005960464477539062500001"), SEED(" .5e300")

#include <math.h>

#include "data/table.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char text[1200];
    char *end;
    double d;

    if (size >= sizeof text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    if (!ig_number_double(text, size, &d))
        return 0;
    must(strtod(text, &end) == d || isnan(d));
    must(end + strspn(end, " \t") == text + size);
    return 0;
}
