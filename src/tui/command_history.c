/* Commands that were typed. */
#include "tui/command_history.h"

#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/memory.h"

enum { LONGEST = 1000 /* bytes of a line */, LARGEST = 1 << 20 /* of a file */ };

static void add(ig_command_history *h, const char *line, size_t length)
{
    char *copy;

    if (length == 0 || length > LONGEST)
        return;
    if (h->count && strlen(h->line[h->count - 1]) == length &&
        memcmp(h->line[h->count - 1], line, length) == 0)
        return;
    copy = ig_alloc(length + 1, 1);
    if (!copy)
        return;
    memcpy(copy, line, length);
    if (h->count == IG_COMMANDS_KEPT) {
        ig_free(h->line[0]);
        memmove(h->line, h->line + 1, (IG_COMMANDS_KEPT - 1) * sizeof *h->line);
        h->count--;
    }
    h->line[h->count++] = copy;
    h->fresh += h->fresh < IG_COMMANDS_KEPT;
}

void ig_command_history_add(ig_command_history *history, const char *line)
{
    add(history, line, strcspn(line, "\n"));
}

void ig_command_history_read(ig_command_history *history, const char *path)
{
    ig_mapping file;
    const char *at, *end;

    if (ig_mapping_open(&file, path, NULL) != IG_OK)
        return;
    at = (const char *)file.bytes;
    end = at + (file.size <= LARGEST ? file.size : 0);
    while (at && at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((stop ? stop : end) - at);

        if (!memchr(at, '\0', length))
            add(history, at, length);
        at += length + 1;
    }
    ig_mapping_close(&file);
    history->fresh = 0;
}

/* Make the folder of a path, and those above it. */
static void make_folder(const char *path)
{
    char *folder = ig_strdup(path);

    for (char *slash = folder; slash && (slash = strchr(slash + 1, '/'));) {
        *slash = '\0';
        mkdir(folder, 0700);
        *slash = '/';
    }
    ig_free(folder);
}

void ig_command_history_write(ig_command_history *history, const char *path)
{
    ig_command_history all = {0};
    ig_writer writer;
    ig_error error;

    if (history->fresh == 0)
        return;
    ig_command_history_read(&all, path);
    for (size_t i = history->count - history->fresh; i < history->count; i++)
        ig_command_history_add(&all, history->line[i]);
    make_folder(path);
    if (ig_writer_open(&writer, path, &error) == IG_OK) {
        for (size_t i = 0; i < all.count; i++)
            fprintf(writer.file, "%s\n", all.line[i]);
        ig_writer_commit(&writer, &error);
        history->fresh = 0;
    }
    ig_command_history_free(&all);
}

void ig_command_history_free(ig_command_history *history)
{
    for (size_t i = 0; i < history->count; i++)
        ig_free(history->line[i]);
    *history = (ig_command_history){0};
}
