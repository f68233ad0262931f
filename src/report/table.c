/* Tables in memory. Prints nothing. */
#include "report/table.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/builder.h"

void ig_table_init(ig_table *table, size_t rows, size_t cols)
{
    *table = (ig_table){.rows = rows, .cols = cols};
    table->cell = ig_alloc(rows * cols, sizeof *table->cell);
    table->failed = !table->cell;
    for (size_t i = 0; table->cell && i < rows * cols; i++) {
        table->cell[i].heat = NAN;
        table->cell[i].head = i < cols || i % cols == 0;
    }
}

void ig_table_free(ig_table *table)
{
    ig_free(table->cell);
    ig_arena_free(&table->arena);
    *table = (ig_table){0};
}

ig_cell *ig_table_cell(ig_table *table, size_t row, size_t col)
{
    return table->cell && row < table->rows && col < table->cols
               ? &table->cell[row * table->cols + col]
               : &table->none;
}

/* A formatted text of the table's own. */
__attribute__((format(printf, 2, 0))) static const char *
own_text(ig_table *table, const char *format, va_list list)
{
    const char *text = ig_arena_format(&table->arena, format, list);

    table->failed |= !text;
    return text;
}

ig_cell *ig_table_put(ig_table *table, size_t row, size_t col, const char *format, ...)
{
    ig_cell *cell = ig_table_cell(table, row, col);
    va_list list;

    va_start(list, format);
    cell->text = own_text(table, format, list);
    va_end(list);
    return cell;
}

void ig_table_caption(ig_table *table, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    table->caption = own_text(table, format, list);
    va_end(list);
}

void ig_table_missing(ig_table *table, size_t row, size_t col, const char *reason)
{
    ig_cell *cell = ig_table_put(table, row, col, "–");
    size_t i = 0;

    if (!reason)
        return;
    while (i < table->notes && strcmp(table->note[i], reason) != 0)
        i++;
    if (i == IG_NOTES_MOST)
        return;
    if (i == table->notes) {
        table->note[i] = ig_arena_text(&table->arena, reason, strlen(reason));
        if (!table->note[i]) {
            table->failed = true;
            return;
        }
        table->notes++;
    }
    cell->note = i + 1;
}
