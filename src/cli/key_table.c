/* The explorer's keys as text, from the table that the program itself uses. */
#include "cli/key_table.h"

#include <stdio.h>

#include "tui/actions.h"

/* In roff a leading dot or quote is a command, and '-' a hyphen. */
static void put_roff(const char *text)
{
    for (; *text; text++) {
        if (*text == '-' || *text == '\\')
            putchar('\\');
        if (*text == '`')
            continue;
        putchar(*text);
    }
}

static void put_man(const ig_action_entry *entry, const char *keys)
{
    if (entry->group)
        printf(".SS %s\n", entry->group);
    printf(".TP\n.B ");
    put_roff(keys);
    printf("\n");
    put_roff(entry->help);
    printf(" (\\fI");
    put_roff(entry->name);
    printf("\\fR)\n");
}

/* A bar would end the cell. */
static void put_cell(const char *text)
{
    for (; *text; text++) {
        if (*text == '|')
            putchar('\\');
        putchar(*text);
    }
}

static void put_markdown(const ig_action_entry *entry, const char *keys)
{
    if (entry->group)
        printf("\n**%s**\n\n| keys | action | name |\n|---|---|---|\n", entry->group);
    printf("| `%s` | ", keys);
    put_cell(entry->help);
    printf(" | `%s` |\n", entry->name);
}

void ig_key_table_print(bool man)
{
    char keys[128];

    for (const ig_action_entry *entry = ig_actions; entry->name; entry++) {
        ig_keymap_keys(NULL, entry, keys, sizeof keys);
        (man ? put_man : put_markdown)(entry, keys);
    }
    if (!man)
        putchar('\n');
}
