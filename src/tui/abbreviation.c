/* Names by their beginnings. */
#include "tui/abbreviation.h"

#include <string.h>

long ig_abbreviation_find(const char *typed, ig_abbreviation_name *name,
                          const void *context)
{
    const char *one;
    size_t found = 0;
    long like = -1;

    for (size_t i = 0; (one = name(context, i)) != NULL; i++) {
        if (strcmp(one, typed) == 0)
            return (long)i;
        if (strncmp(one, typed, strlen(typed)) == 0) {
            like = (long)i;
            found++;
        }
    }
    return found == 1 ? like : -1;
}
