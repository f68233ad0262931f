/* JSON documents of the commands. */
#include "cli/json.h"

#include <stdio.h>

#include "base/memory.h"
#include "cli/output.h"

int ig_json_print(ig_json *document)
{
    char *text = ig_json_format(document);

    if (!text) {
        ig_complain("out of memory for the JSON document");
        return IG_EXIT_FAILED;
    }
    fputs(text, stdout);
    ig_free(text);
    return IG_EXIT_OK;
}
