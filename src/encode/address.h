/* Addresses of servers, as --encoder has them. */
#ifndef ENCODE_ADDRESS_H
#define ENCODE_ADDRESS_H

#include <stdbool.h>

#include "base/error.h"

/* Where to send requests; blocks of its own. A zeroed struct may be freed. */
typedef struct ig_address {
    char *base;     /* "http://host:8000/v1", without a slash at its end */
    char *query;    /* "?api-version=1", or "" */
    char *socket;   /* path of a Unix socket, or NULL */
    bool versioned; /* the path has a version (/v1), or was given with /embeddings */
} ig_address;

/* Whether a name is that of a server: SCHEME://…, HOST:PORT[/PATH] or unix:/SOCKET. */
bool ig_address_is(const char *name);

/* Parse http://…, https://…, HOST:PORT (http), unix:/SOCKET[:/PATH] or
 * http+unix://%2FSOCKET/PATH (PATH is /v1 where there is none). IG_OK; IG_USAGE:
 * another scheme, no host, or a name and password; IG_NOMEM. */
ig_status ig_address_parse(ig_address *address, const char *name, ig_error *error);

/* "http://host:8000" or "unix:/SOCKET" of a server's name; false: it is none. */
enum { IG_ADDRESS_SIZE = 160 };
bool ig_address_server(char out[IG_ADDRESS_SIZE], const char *name);

void ig_address_free(ig_address *address);

#endif
