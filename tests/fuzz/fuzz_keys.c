/* Keys of the explorer, as `isogloss render --keys` takes them, over sets of many
 * looks: the first byte chooses the look, the second the size of the screen. */
#define SEEDS                                                                          \
    SEED("0a &]]<Enter>?<Esc>:space meaning<Enter>nnuu/x<Enter>"),                     \
        SEED("1b<Tab><Tab>jjGgcC:set k 3<Enter>:write m.svg<Enter>"),                  \
        SEED("2c:leakage probe-original<Enter><Enter>jk<Esc>:row 3<Enter>e-=<Enter>"), \
        SEED("3d:sentences<Enter>hlHL:filter 1<Enter>v:write t.csv<Enter>&M"),         \
        SEED("4e:load m<Enter>:select all<Enter>:colour topic<Enter>zzbb<Esc>[]I")

#include "fuzz.h"

#include <math.h>

#include "cmocka_by_must.h"
#include "explorer.h"
#include "pressing.h"

static const struct look looks[] = {
    {48, 8, 4, true, true, false, false, 0.1},
    {1, 3, 1, true, true, false, false, 0.1},
    {2, 1, 1, false, false, false, false, 0.1},
    {24, 2, 4, true, true, false, false, 0},
    {30, 4, 3, true, true, true, false, 0.1},
    {30, 4, 3, true, true, false, true, 0.1},
    {90, 4, 30, true, true, false, false, 0.1},
    {24, 4, 2, false, true, false, false, 0.5},
    {24, 4, 2, true, false, false, false, 0.1},
    {24, 4, 1, true, true, false, false, 0.1},
};
static const int sizes[][2] = {{24, 80}, {60, 200}, {6, 20}, {1, 1}, {16, 60}, {9, 40}};

enum {
    LOOKS = sizeof looks / sizeof *looks,
    SIZES = sizeof sizes / sizeof *sizes,
    KEYS = 60 /* of one input */
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static scene s; /* large */
    char keys[400];
    const char *at = keys;
    const int *screen;
    ig_key key;

    if (size < 3 || size >= sizeof keys + 2)
        return 0;
    enter_folder();
    memcpy(keys, data + 2, size - 2);
    keys[size - 2] = '\0';
    screen = sizes[data[1] % SIZES];
    open_scene(&s, &looks[data[0] % LOOKS], 1);
    settle(&s, screen[0], screen[1]);
    for (int i = 0; i < KEYS && ig_key_script(&at, &key); i++) {
        /* No text that is typed leads out of the folder, and no run goes on for
         * long. */
        if (s.app.overlay && s.app.overlay->types && key.code == IG_KEY_TEXT &&
            (key.unicode == '/' || key.unicode == '~'))
            continue;
        if (ig_explorer_key(&s.app, key) == IG_APP_QUIT)
            break;
        settle(&s, screen[0], screen[1]);
    }
    close_scene(&s);
    return 0;
}
