/* JSON documents of the commands (base/json.h), printed. */
#ifndef CLI_JSON_H
#define CLI_JSON_H

#include "base/json.h"

/* Print a document on stdout, whole or not at all, and release it. Returns an exit
 * status; that of stdout is ig_finish_output's. */
int ig_json_print(ig_json *document);

#endif
