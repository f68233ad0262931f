/* The sentences of the leakage panel: a list of paragraphs with a cursor. */
#ifndef TUI_VERDICT_LIST_H
#define TUI_VERDICT_LIST_H

#include "tui/app.h"
#include "tui/list_cursor.h"
#include "tui/verdict.h"

/* The sentence under the cursor; false: there is none. */
bool ig_verdict_list_at(const ig_app *app, const ig_list_cursor *cursor,
                        ig_verdict *out);

/* As ig_list_cursor_act and ig_list_cursor_mouse. */
bool ig_verdict_list_act(const ig_app *app, ig_list_cursor *cursor, ig_action action);
bool ig_verdict_list_mouse(ig_app *app, ig_rect rect, ig_list_cursor *cursor,
                           ig_key key);

void ig_verdict_list_draw(ig_app *app, ig_rect rect, ig_list_cursor *cursor,
                          bool focused);

/* Append them to a table: tone, verdict. */
void ig_verdict_list_put(const ig_app *app, ig_table_file *file);

#endif
