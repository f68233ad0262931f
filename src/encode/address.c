/* Parses the addresses of servers. */
#include "encode/address.h"

#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/builder.h"

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* The length of "SCHEME://" that a name begins with, or 0. */
static size_t measure_scheme(const char *name)
{
    size_t n = 0;

    while (isalnum((unsigned char)name[n]) || (n && strchr("+.-", name[n]) && name[n]))
        n++;
    return n && begins(name + n, "://") ? n + 3 : 0;
}

/* HOST:PORT or [HOST]:PORT, alone or before a path. */
static bool is_host_and_port(const char *name)
{
    size_t n = 0, digits;

    if (*name == '[')
        n = strcspn(name, "]") + 1;
    else
        while (isalnum((unsigned char)name[n]) || name[n] == '.' || name[n] == '-')
            n++;
    if (!n || n > strlen(name) || name[n] != ':')
        return false;
    digits = strspn(name + n + 1, "0123456789");
    return digits >= 1 && digits <= 5 && strchr("/?", name[n + 1 + digits]);
}

bool ig_address_is(const char *name)
{
    return begins(name, "unix:/") || measure_scheme(name) || is_host_and_port(name);
}

/* Whether a path has a part such as /v1. */
static bool has_version(const char *path)
{
    while ((path = strstr(path, "/v")) && !isdigit((unsigned char)path[2]))
        path += 2;
    return path != NULL;
}

/* The base and the query of a scheme, a host and a path. */
static ig_status take_path(ig_address *a, const char *scheme, const char *host,
                           size_t host_length, const char *path, ig_error *error)
{
    static const char end[] = "/embeddings";
    size_t length = strcspn(path, "?#");
    ig_builder base = {0}, query = {0};
    bool whole;

    ig_builder_put(&query, path + length, strcspn(path + length, "#"));
    while (length && path[length - 1] == '/')
        length--;
    whole = length >= sizeof end - 1 &&
            memcmp(path + length - (sizeof end - 1), end, sizeof end - 1) == 0;
    length -= whole ? sizeof end - 1 : 0;
    a->versioned = whole || has_version(path);
    ig_builder_add(&base, "%s", scheme);
    ig_builder_put(&base, host, host_length);
    ig_builder_put(&base, path, length);
    a->base = ig_builder_take(&base);
    a->query = ig_builder_take(&query);
    return a->base && a->query ? IG_OK : ig_fail_memory(error, "an address");
}

/* The path of a socket, in which %2F may stand for a slash, and that of its URL. */
static ig_status take_socket(ig_address *a, const char *path, size_t length,
                             const char *rest, ig_error *error)
{
    ig_builder out = {0};

    for (size_t i = 0; i < length; i++) {
        bool slash = strncasecmp(path + i, "%2f", 3) == 0;

        ig_builder_put(&out, slash ? "/" : path + i, 1);
        i += slash ? 2 : 0;
    }
    a->socket = ig_builder_take(&out);
    if (!a->socket)
        return ig_fail_memory(error, "an address");
    return take_path(a, "http://localhost", "", 0, *rest ? rest : "/v1", error);
}

ig_status ig_address_parse(ig_address *a, const char *name, ig_error *error)
{
    size_t scheme = measure_scheme(name);
    const char *host = name + scheme, *path = host + strcspn(host, "/?#");
    bool secure = begins(name, "https://");

    *a = (ig_address){0};
    if (begins(name, "unix:/")) {
        host = name + strlen("unix:");
        path = strstr(host, ":/");
        return take_socket(a, host, path ? (size_t)(path - host) : strlen(host),
                           path ? path + 1 : "", error);
    }
    if (begins(name, "http+unix://"))
        return take_socket(a, host, (size_t)(path - host), path, error);
    if (scheme && !begins(name, "http://") && !secure)
        return ig_fail(error, IG_USAGE,
                       "--encoder %s: a server is http://…, https://…, HOST:PORT, "
                       "unix:/SOCKET or http+unix://%%2FSOCKET",
                       name);
    if (memchr(host, '@', (size_t)(path - host)))
        return ig_fail(error, IG_USAGE,
                       "the address of an encoder holds no name and password: the key "
                       "is read from ISOGLOSS_API_KEY");
    if (path == host)
        return ig_fail(error, IG_USAGE, "--encoder %s names no host", name);
    return take_path(a, secure ? "https://" : "http://", host, (size_t)(path - host),
                     path, error);
}

bool ig_address_server(char out[IG_ADDRESS_SIZE], const char *name)
{
    ig_address a = {0};
    bool known = ig_address_is(name) && ig_address_parse(&a, name, NULL) == IG_OK;
    const char *host = known ? strstr(a.base, "://") + 3 : "";

    if (known && a.socket)
        snprintf(out, IG_ADDRESS_SIZE, "unix:%s", a.socket);
    else if (known)
        snprintf(out, IG_ADDRESS_SIZE, "%.*s",
                 (int)(host - a.base + (ptrdiff_t)strcspn(host, "/")), a.base);
    ig_address_free(&a);
    return known;
}

void ig_address_free(ig_address *a)
{
    ig_free(a->base);
    ig_free(a->query);
    ig_free(a->socket);
    *a = (ig_address){0};
}
