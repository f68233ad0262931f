/* Parses the addresses of servers. */
#include "encode/address.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* The bytes of a text in which %2F stands for a slash. */
static char *decode_percent(const char *text, size_t length)
{
    ig_builder out = {0};

    for (size_t i = 0; i < length; i++) {
        char hex[3] = "", c = text[i];

        if (c == '%' && i + 2 < length && isxdigit((unsigned char)text[i + 1]) &&
            isxdigit((unsigned char)text[i + 2])) {
            memcpy(hex, text + i + 1, 2);
            c = (char)strtoul(hex, NULL, 16);
            i += 2;
        }
        ig_builder_put(&out, &c, 1);
    }
    return ig_builder_take(&out);
}

/* Whether a path has a part such as v1. */
static bool has_version(const char *path, size_t length)
{
    for (size_t i = 0; i + 2 < length; i++)
        if (path[i] == '/' && path[i + 1] == 'v' && isdigit((unsigned char)path[i + 2]))
            return true;
    return false;
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
    a->versioned = whole || has_version(path, length);
    ig_builder_add(&base, "%s", scheme);
    ig_builder_put(&base, host, host_length);
    ig_builder_put(&base, path, length);
    a->base = ig_builder_take(&base);
    a->query = ig_builder_take(&query);
    return a->base && a->query ? IG_OK : ig_fail_memory(error, "an address");
}

ig_status ig_address_parse(ig_address *a, const char *name, ig_error *error)
{
    size_t scheme = measure_scheme(name), host;
    bool plain = begins(name, "http://"), secure = begins(name, "https://");

    *a = (ig_address){0};
    if (begins(name, "unix:/")) {
        const char *path = strstr(name, ":/") + 1, *base = strstr(path, ":/");

        a->socket = decode_percent(path, base ? (size_t)(base - path) : strlen(path));
        return a->socket ? take_path(a, "http://localhost", "", 0,
                                     base ? base + 1 : "/v1", error)
                         : ig_fail_memory(error, "an address");
    }
    host = strcspn(name + scheme, "/?#");
    if (begins(name, "http+unix://")) {
        a->socket = decode_percent(name + scheme, host);
        return a->socket ? take_path(a, "http://localhost", "", 0,
                                     name[scheme + host] ? name + scheme + host : "/v1",
                                     error)
                         : ig_fail_memory(error, "an address");
    }
    if (scheme && !plain && !secure)
        return ig_fail(error, IG_USAGE,
                       "--encoder %s: a server is http://…, https://…, HOST:PORT, "
                       "unix:/SOCKET or http+unix://%%2FSOCKET",
                       name);
    if (memchr(name + scheme, '@', host))
        return ig_fail(error, IG_USAGE,
                       "the address of an encoder holds no name and password: the key "
                       "is read from ISOGLOSS_API_KEY");
    if (!host)
        return ig_fail(error, IG_USAGE, "--encoder %s names no host", name);
    return take_path(a, secure ? "https://" : "http://", name + scheme, host,
                     name + scheme + host, error);
}

bool ig_address_server(char out[IG_ADDRESS_SIZE], const char *name)
{
    ig_address a = {0};
    bool known = ig_address_is(name) && ig_address_parse(&a, name, NULL) == IG_OK;

    if (known && a.socket)
        snprintf(out, IG_ADDRESS_SIZE, "unix:%s", a.socket);
    else if (known)
        snprintf(out, IG_ADDRESS_SIZE, "%.*s",
                 (int)(strcspn(strstr(a.base, "://") + 3, "/") +
                       (size_t)(strstr(a.base, "://") + 3 - a.base)),
                 a.base);
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
