/* Keys, their names, scripts of them, and the table that gives them actions. */
#include <stdio.h>
#include <string.h>

#include "suite.h"

#include "core/text.h"
#include "explorer/explorer.h"

static void check_name(const char *typed, ig_key_code code, uint32_t unicode)
{
    ig_key key;

    if (!ig_key_parse(&key, typed))
        fail_msg("'%s' should be a key", typed);
    assert_int_equal(key.code, code);
    assert_int_equal(key.unicode, unicode);
}

static void test_names(void **state)
{
    check_name("q", IG_KEY_TEXT, 'q');
    check_name("Q", IG_KEY_TEXT, 'Q');
    check_name("SPACE", IG_KEY_TEXT, ' ');
    check_name("é", IG_KEY_TEXT, 0xe9);
    check_name("漢", IG_KEY_TEXT, 0x6f22);
    check_name("👩", IG_KEY_TEXT, 0x1f469);
    check_name("ctrl-c", IG_KEY_CTRL, 'c');
    check_name("Ctrl-C", IG_KEY_CTRL, 'c');
    check_name("pgup", IG_KEY_PAGE_UP, 0);
    check_name("left", IG_KEY_LEFT, 0);
    check_name("←", IG_KEY_LEFT, 0);
    check_name("f1", IG_KEY_FUNCTION, 1);
    check_name("lt", IG_KEY_TEXT, '<');
}

static void test_scripts(void **state)
{
    const char *script = "a<Enter>é<lt><Ctrl-U><nonsense>b";
    static const ig_key expected[] = {{.code = IG_KEY_TEXT, .unicode = 'a'},
                                      {.code = IG_KEY_ENTER},
                                      {.code = IG_KEY_TEXT, .unicode = 0xe9},
                                      {.code = IG_KEY_TEXT, .unicode = '<'},
                                      {.code = IG_KEY_CTRL, .unicode = 'u'}};
    ig_key key;

    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        assert_true(ig_key_script(&script, &key));
        assert_int_equal(key.code, expected[i].code);
        assert_int_equal(key.unicode, expected[i].unicode);
    }
    assert_false(ig_key_script(&script, &key));
    assert_string_equal(script, "<nonsense>b");
    script = "<Enter";
    assert_false(ig_key_script(&script, &key));
    script = "<a name that is far too long to be one>";
    assert_false(ig_key_script(&script, &key));
    script = "";
    assert_false(ig_key_script(&script, &key));
}

/* Every name and every key of the table means one thing. */
static void test_the_table_is_sound(void **state)
{
    for (const ig_action_entry *entry = ig_actions; entry->name; entry++) {
        char keys[64], *word;

        assert_ptr_equal(ig_action_named(entry->name), entry);
        assert_true(entry->help && *entry->help);
        assert_true(ig_text_columns(entry->help) <= IG_ACTION_HELP);
        assert_true(entry > ig_actions || entry->group);
        assert_true(ig_action_is_bare(entry) ||
                    ((entry->run || entry->pick) && entry->argument));
        snprintf(keys, sizeof keys, "%s", entry->keys);
        for (word = strtok(keys, " "); word; word = strtok(NULL, " ")) {
            ig_key key;

            if (strcmp(word, "…") == 0) /* "1 … 9" */
                continue;
            assert_true(ig_key_parse(&key, word));
            assert_ptr_equal(ig_action_of_key(key), entry);
        }
    }
    assert_null(ig_action_named("fly"));
}

SUITE(keys, NULL, NULL, TEST(test_names), TEST(test_scripts),
      TEST(test_the_table_is_sound))
