/* A document as CSV: a row a figure. What cannot be computed has an empty value and a
 * reason. */
#include "report/document.h"

#include <math.h>

#include "base/decimal.h"
#include "base/file.h"

static void put_text(FILE *out, const char *text)
{
    if (text)
        ig_field_put(out, text, ',');
    fputc(',', out);
}

static void put_number(FILE *out, double value)
{
    char number[IG_SHORTEST_SIZE];

    fprintf(out, "%s,", isfinite(value) ? ig_shortest(number, value) : "");
}

void ig_document_csv(const ig_document *d, FILE *out)
{
    size_t columns;
    ig_document_column *column = ig_document_columns(d, &columns);

    fputs("run,version,space,measure,from,to,n,value,chance,low,high,reason\n", out);
    for (size_t c = 0; c < columns; c++)
        for (size_t i = 0; i < column[c].measures->figures.count; i++) {
            const ig_figure *f = &column[c].measures->figures.row[i];

            put_text(out, column[c].of);
            put_text(out, f->version);
            put_text(out, ig_space_name(column[c].space));
            put_text(out, f->measure->name);
            put_text(out, f->from);
            put_text(out, f->to);
            fprintf(out, "%zu,", f->n);
            put_number(out, f->value);
            put_number(out, f->chance);
            put_number(out, f->low);
            put_number(out, f->high);
            if (f->reason)
                ig_field_put(out, f->reason, ',');
            fputc('\n', out);
        }
    ig_free(column);
}
