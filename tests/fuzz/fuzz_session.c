/* Sessions' files: looked through, brought back in an app over a small set, drawn, and
 * saved again. */
#define HEAD "{\"isogloss\": \"session\", \"version\": 1, \"data\": [\"a.csv\"], "
#define SEEDS                                                                          \
    SEED(HEAD "\"view\": {\"row\": 3, \"space\": \"meaning\", \"unit\": false, "       \
              "\"axes\": [\"aa ba\", 2], \"to\": [\"aa\"], \"shown\": 0}}"),           \
        SEED(HEAD                                                                      \
             "\"options\": [\"--limit\", \"4\"], \"runs\": [\"r\"], "                  \
             "\"training\": {\"method\": \"seed\", \"init\": \"w\", \"seed\": 7, "     \
             "\"options\": {\"lr\": 0.1, \"order\": \"shuffled\"}}}"),                 \
        SEED(HEAD                                                                      \
             "\"selection\": [[0, 3], [7, 7]], \"isolated\": true, "                   \
             "\"bookmarks\": [{\"row\": 4, \"name\": \"x\"}], \"searches\": "          \
             "[\"a\", \"b\"], \"guests\": [{\"text\": \"t\", \"lang\": \"aa\"}]}"),    \
        SEED(HEAD "\"view\": {\"colour\": \"leak\", \"hidden\": [\"ba\"], \"lines\": " \
                  "true, \"window\": [-1, 1, -2, 2], \"gloss\": \"aa\", \"accents\": " \
                  "\"count\", \"theme\": \"light\", \"leakage\": \"summary\", "        \
                  "\"side\": \"leakage\", \"panel\": \"runs\", \"expanded\": true}}")

#include <math.h>

#include "base/file.h"
#include "bundle.h"
#include "cmocka_by_must.h"
#include "explorer.h"
#include "pressing.h"
#include "tui/session_file.h"

static bool is_path(const char *option, bool *known)
{
    *known = strcmp(option, "--limit") == 0 || strcmp(option, "--meta") == 0;
    return strcmp(option, "--meta") == 0;
}

/* What was brought back is drawn, and saved twice to the same bytes. */
static void use(scene *s)
{
    static const char *const data[] = {"a.csv"};
    static const ig_opened opened = {.data = data, .words = 1};
    ig_mapping one, two;

    s->app.opened = &opened;
    settle(s, 24, 80);
    must(ig_session_file_write(&s->app, "one.json", NULL) == IG_OK);
    must(ig_session_file_write(&s->app, "two.json", NULL) == IG_OK);
    must(ig_mapping_open(&one, "one.json", NULL) == IG_OK);
    must(ig_mapping_open(&two, "two.json", NULL) == IG_OK);
    must(one.size == two.size && memcmp(one.bytes, two.bytes, one.size) == 0);
    ig_mapping_close(&one);
    ig_mapping_close(&two);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct look look = {24, 3, 3, true, true, false, false, 0};
    static scene s; /* large */
    ig_session_file file;
    ig_error error = {0};
    ig_status status;

    bundle_enter();
    status = ig_session_file_bytes(&file, "s.json", (const char *)data, size, is_path,
                                   &error);
    if (status != IG_OK) {
        must(*error.message);
        return 0;
    }
    open_scene(&s, &look, 1);
    status = ig_session_file_restore(&file, &s.app, &error);
    must(status == IG_OK || *error.message);
    if (status == IG_OK)
        use(&s);
    close_scene(&s);
    ig_session_file_free(&file);
    return 0;
}
