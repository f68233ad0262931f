/* Tables as files. */
#include "tui/table_file.h"

#include <math.h>
#include <stdio.h>

bool ig_table_file_is(const char *path)
{
    return ig_path_ends(path, ".csv") || ig_path_ends(path, ".tsv");
}

ig_status ig_table_file_open(ig_table_file *t, const char *path, ig_error *error)
{
    *t = (ig_table_file){.delimiter = ig_path_ends(path, ".tsv") ? '\t' : ','};
    return ig_writer_open(&t->writer, path, error);
}

void ig_table_file_text(ig_table_file *t, const char *text)
{
    if (t->begun)
        putc(t->delimiter, t->writer.file);
    t->begun = true;
    ig_field_put(t->writer.file, text, t->delimiter);
}

void ig_table_file_number(ig_table_file *t, double number)
{
    char text[32] = "";

    if (!isnan(number))
        snprintf(text, sizeof text, "%.7g", number);
    ig_table_file_text(t, text);
}

void ig_table_file_count(ig_table_file *t, size_t count)
{
    char text[32];

    snprintf(text, sizeof text, "%zu", count);
    ig_table_file_text(t, text);
}

void ig_table_file_end_line(ig_table_file *t)
{
    putc('\n', t->writer.file);
    t->begun = false;
}

ig_status ig_table_file_commit(ig_table_file *t, ig_error *error)
{
    return ig_writer_commit(&t->writer, error);
}
