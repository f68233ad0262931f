/* Plays the scenes of a table and compares what the explorer draws.
 *
 *   scenes FILE.scenes...           TAP on stdout
 *   ACCEPT=1 scenes FILE.scenes...  write the golden frames anew
 *
 * tests/scenes/README.md describes the table. Each set has a process and an empty folder of
 * its own; each scene opens the explorer anew in it, without threads, terminal or clock. */
#include <locale.h>
#include <regex.h>
#include <signal.h>
#include <sys/wait.h>

#include "cli/explore.h"
#include "core/text.h"
#include "explorer/explorer.h"
#include "explorer/playback.h"
#include "scratch.h"

enum { WORDS = 64, CELLS = 24, ROWS_MAX = 2000, SETS_MAX = 64, FRAME = 1 << 20 };

/* A line of a table: the steps after the first have neither set nor size. */
typedef struct line {
    const char *file;
    int number;
    char *cell[CELLS]; /* (cells) set and options, size, keys, checks */
    int cells;
    int test; /* number of its scene */
} line;

typedef struct set {
    const char *file;
    char *name, *words;
} set;

static line table[ROWS_MAX];
static set sets[SETS_MAX];
static size_t lines, known;
static int tests, failed;
static char root[4096];

static void stop(const line *at, const char *why, const char *what)
{
    fprintf(stderr, "%s:%d: %s '%s'\n", at->file, at->number, why, what);
    exit(2);
}

/* --- the table -------------------------------------------------------------------- */

static char *trim(char *text)
{
    size_t n;

    text += strspn(text, " \t");
    for (n = strlen(text); n > 0 && strchr(" \t\n", text[n - 1]); n--)
        text[n - 1] = '\0';
    return text;
}

static void read_table(const char *path)
{
    static char text[16384];
    FILE *file = fopen(path, "r");

    if (!file) {
        perror(path);
        exit(2);
    }
    for (int number = 1; fgets(text, sizeof text, file); number++) {
        line *at = &table[lines];
        char *cell, *next;

        *at = (line){.file = path, .number = number};
        if (text[0] == '#' || text[strspn(text, " \n")] == '\0')
            continue;
        cell = strdup(text);
        if (strncmp(cell, "set ", 4) == 0) {
            sets[known].file = path;
            sets[known].name = strtok(cell + 4, " \t\n");
            sets[known++].words = trim(strtok(NULL, ""));
            continue;
        }
        for (; cell && at->cells < CELLS; cell = next) {
            next = strstr(cell, " |");
            if (next)
                *next = '\0', next += 2;
            at->cell[at->cells++] = trim(cell);
        }
        if (at->cells < 4 || lines + 1 == ROWS_MAX || known == SETS_MAX)
            stop(at, "not a scene:", at->cell[0]);
        at->test = tests += *at->cell[0] != '\0';
        lines++;
    }
    fclose(file);
}

static const set *set_of(const line *at)
{
    size_t length = strcspn(at->cell[0], " ");

    for (size_t i = 0; i < known; i++)
        if (sets[i].file == at->file && strlen(sets[i].name) == length &&
            strncmp(sets[i].name, at->cell[0], length) == 0)
            return &sets[i];
    stop(at, "unknown set", at->cell[0]);
    return NULL;
}

/* --- what is drawn ---------------------------------------------------------------- */

typedef struct play {
    const line *at, *end; /* its steps */
    ig_app *app;
    char what[64]; /* what the last key asked of the terminal */
    char kept[256];
    bool good, talk;
} play;

static double seconds; /* the clock of all scenes */

static double scene_clock(void)
{
    return seconds;
}

static void fail_scene(play *p, const line *at, const char *why, const char *what)
{
    char *frame = ig_canvas_format(&p->app->canvas, false);

    if (p->good)
        printf("not ok %d - %s:%d\n", p->at->test, p->at->file, p->at->number);
    failed++;
    printf("# line %d: %s: %s\n", at->number, why, what);
    if (p->good)
        for (char *row = strtok(frame, "\n"); row; row = strtok(NULL, "\n"))
            printf("# %s\n", row);
    printf("# %s\n", p->what);
    p->good = false;
    ig_free(frame);
}

/* Does the row contain the pattern? A blank of it is one or more. */
static bool row_has(const char *row, const char *pattern)
{
    for (; *row; row++) {
        const char *r = row, *p = pattern;

        while (*p && *r == *p) {
            r++;
            if (*p++ == ' ')
                r += strspn(r, " ");
        }
        if (!*p)
            return true;
    }
    return false;
}

/* A pattern, or /an extended regular expression/, in a row of the text. */
static bool text_has(char *text, const char *pattern, const line *at)
{
    size_t length = strlen(pattern);
    bool regular = length > 2 && pattern[0] == '/' && pattern[length - 1] == '/';
    bool found = false;
    char expression[512];
    regex_t compiled;

    snprintf(expression, sizeof expression, "%.*s", (int)length - 2 * regular,
             pattern + regular);
    if (regular && regcomp(&compiled, expression, REG_EXTENDED | REG_NOSUB) != 0)
        stop(at, "not a regular expression:", expression);
    for (char *row = strtok(text, "\n"); row && !found; row = strtok(NULL, "\n"))
        found = regular ? regexec(&compiled, row, 0, NULL, 0) == 0
                        : row_has(row, expression);
    if (regular)
        regfree(&compiled);
    return found;
}

/* --- golden frames ---------------------------------------------------------------- */

/* Training differs in the last digits between machines: in a frame named trained-… each
 * digit is a 9, braille and minus signs are blanks. */
static void blur(char *text)
{
    char *to = text;

    for (const char *from = text; *from;) {
        size_t digits = strspn(from, "0123456789,");
        const unsigned char *c = (const unsigned char *)from;

        if (digits && strncmp(from + digits, " pairs/s ", 9) == 0) {
            to += sprintf(to, "9 pairs/s ");
            from += digits + 9;
            from += strspn(from, " ");
        } else if (c[0] == 0xe2 && (c[1] & 0xfc) == 0xa0) {
            *to++ = ' ', from += 3;
        } else if (strncmp(from, "−", 3) == 0) {
            *to++ = ' ', from += 3;
        } else {
            *to++ = *from >= '0' && *from <= '9' ? '9' : *from;
            from++;
        }
    }
    *to = '\0';
}

/* The rows of panels: without header, tab bar, note and hints. */
static char *panels_of(char *text)
{
    for (int i = 0; i < 2; i++)
        text = strchr(text, '\n') + 1;
    for (int i = 0; i < 3; i++)
        *strrchr(text, '\n') = '\0';
    return strcat(text, "\n");
}

static bool same_as_golden(const play *p, const char *name, bool panels)
{
    static char golden[FRAME];
    char path[8192];
    bool plain = p->app->canvas.depth == IG_DEPTH_NONE ||
                 strncmp(name, "dots-", 5) == 0;
    char *text = ig_canvas_format(&p->app->canvas, !plain);
    char *drawn = panels ? panels_of(text) : text;
    bool same;
    FILE *file;

    if (strncmp(name, "trained-", 8) == 0)
        blur(drawn);
    snprintf(path, sizeof path, "%s/tests/scenes/golden/%s.txt", root, name);
    if (getenv("ACCEPT"))
        scratch_text(path, drawn);
    file = fopen(path, "r");
    golden[file ? fread(golden, 1, sizeof golden - 1, file) : 0] = '\0';
    if (file)
        fclose(file);
    same = strcmp(golden, drawn) == 0;
    ig_free(text);
    return same;
}

/* --- checks ----------------------------------------------------------------------- */

/* "file=NAME" exists; "file=NAME TEXT" has the text. */
static bool file_has(const char *check, const line *at)
{
    static char text[FRAME];
    char name[256];
    size_t length = strcspn(check, " ");
    FILE *file;

    snprintf(name, sizeof name, "%.*s", (int)length, check);
    file = fopen(name, "r");
    if (!file)
        return false;
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return !check[length] || text_has(text, check + length + 1, at);
}

/* Keep what matches an expression first. */
static bool keep_match(play *p, const line *at, const char *expression)
{
    char *frame = ig_canvas_format(&p->app->canvas, false);
    regmatch_t match = {0, 0};
    regex_t compiled;

    if (regcomp(&compiled, expression, REG_EXTENDED) != 0)
        stop(at, "not a regular expression:", expression);
    regexec(&compiled, frame, 1, &match, 0);
    snprintf(p->kept, sizeof p->kept, "%.*s", (int)(match.rm_eo - match.rm_so),
             frame + match.rm_so);
    regfree(&compiled);
    ig_free(frame);
    return p->kept[0] != '\0';
}

static void check_step(play *p, const line *at, const char *check)
{
    bool hidden = check[0] == '!', found;
    char *text = ig_canvas_format(&p->app->canvas, false);

    check += hidden;
    if (strcmp(check, "kept") == 0)
        check = p->kept;
    if (strncmp(check, "frame=", 6) == 0 || strncmp(check, "panel=", 6) == 0)
        found = same_as_golden(p, check + 6, check[0] == 'p');
    else if (strncmp(check, "keep=", 5) == 0)
        found = keep_match(p, at, check + 5);
    else if (strncmp(check, "file=", 5) == 0)
        found = file_has(check + 5, at);
    else
        found = strcmp(check, p->what) == 0 || text_has(text, check, at);
    ig_free(text);
    if (found == hidden)
        fail_scene(p, at, hidden ? "must not show" : "must show", check);
}

/* Every hint is a key and the name of its action, or a panel or version. */
static void check_hints(play *p, const line *at)
{
    char hints[IG_HINTS_SIZE], name[IG_KEY_NAME_SIZE], word[40];
    const ig_app *app = p->app;
    ig_key key;

    ig_hints_list(app, hints);
    for (char *hint = strtok(hints, "|"); hint; hint = strtok(NULL, "|")) {
        const ig_action_entry *named;
        size_t i = 0;

        if (sscanf(hint, "%23s %39[^ ,]", name, word) != 2 ||
            !ig_key_parse(&key, name) || strstr(hint, "Enter select"))
            continue;
        named = ig_action_named(
            strcmp(word, ig_version_word(app, false)) == 0 ? "version" : word);
        while (i < app->panels && strcmp(word, ig_app_name(app, app->panel[i])) != 0)
            i++;
        if (i == app->panels && (!named || named != ig_action_of_key(key)))
            fail_scene(p, at, "no command for the hint", hint);
    }
}

/* --- keys ------------------------------------------------------------------------- */

/* Where a text begins on the screen, or "ROW,COL". */
static bool find_text(play *p, const char *text, ig_key *key)
{
    char *frame = ig_canvas_format(&p->app->canvas, false), *row = frame, *end;
    bool found = sscanf(text, "%d,%d", &key->row, &key->col) == 2;

    for (int i = 0; !found && *row; i++, row = end + 1) {
        char *at = (*(end = strchr(row, '\n')) = '\0', strstr(row, text));

        if (at) {
            *key =
                (ig_key){.row = i, .col = (int)ig_text_width(row, (size_t)(at - row))};
            found = true;
        }
    }
    ig_free(frame);
    return found;
}

static void press(play *p, ig_key key)
{
    ig_app *app = p->app;

    p->what[0] = '\0';
    if (ig_explorer_key(app, key) == IG_APP_QUIT)
        snprintf(p->what, sizeof p->what, "[quit]");
    ig_render_settle(app);
    ig_explorer_draw(app, app->canvas.rows, app->canvas.cols, NULL);
}

/* <press TEXT>, <drag TEXT>, …; <wait SECONDS> */
static bool press_special(play *p, const line *at, const char **keys)
{
    static const char *const verb[] = {"wait",    "press",     "drag",  "release",
                                       "wheelup", "wheeldown", "second"};
    char name[12], text[256];
    ig_key key = {.code = IG_KEY_RESIZE};
    size_t v = 0;

    if (sscanf(*keys, "<%11[a-z] %255[^>]", name, text) != 2)
        return false;
    while (v < sizeof verb / sizeof *verb && strcmp(name, verb[v]) != 0)
        v++;
    if (v == sizeof verb / sizeof *verb)
        return false;
    *keys = strchr(*keys, '>') + 1;
    if (v == 0) {
        seconds += strtod(text, NULL);
        ig_explorer_tick(p->app);
    } else if (find_text(p, text, &key)) {
        key.code = IG_KEY_MOUSE;
        key.mouse = (ig_mouse)(IG_MOUSE_PRESS + v - 1);
    } else {
        fail_scene(p, at, "cannot find", text);
    }
    press(p, key);
    return true;
}

static void press_keys(play *p, const line *at)
{
    const char *keys = at->cell[2];
    ig_key key;

    while (p->good && *keys) {
        if (press_special(p, at, &keys))
            continue;
        if (!ig_key_script(&keys, &key))
            stop(at, "unknown key", keys);
        press(p, key);
    }
}

static ig_status play_steps(void *context, ig_app *app, ig_error *error)
{
    play *p = context;

    (void)error;
    p->app = app;
    app->clock = scene_clock;
    if (p->talk) {
        app->options.narrate = app->options.keep_unasked = true;
        app->options.subject = "Layer 4";
        ig_talk_open(app);
        press(p, (ig_key){.code = IG_KEY_RESIZE});
    }
    for (const line *at = p->at; at < p->end && p->good; at++) {
        press_keys(p, at);
        check_hints(p, at);
        for (int i = 3; i < at->cells && p->good; i++)
            check_step(p, at, at->cell[i]);
    }
    return IG_OK;
}

/* --- a scene ---------------------------------------------------------------------- */

/* Split a command line in words; files of tests/scenes/ get their whole path. */
static int split(char **word, const char *text)
{
    static const char folder[] = "tests/scenes/";
    static char whole[1 << 16];
    int count = 0;

    whole[0] = '\0';
    for (const char *next; (next = strstr(text, folder)); text = next + strlen(folder))
        sprintf(whole + strlen(whole), "%.*s%s/%s", (int)(next - text), text, root,
                folder);
    strcat(whole, text);
    for (char *next = strtok(whole, " "); next && count < WORDS;
         next = strtok(NULL, " "))
        word[count++] = next;
    return count;
}

static void play_scene(const line *at, const line *end)
{
    char command[2048], *word[WORDS], *talk;
    play p = {.at = at, .end = end, .good = true};
    ig_options options;
    ig_error error;

    snprintf(command, sizeof command, "isogloss render %s %s --size %s --threads 1",
             set_of(at)->words, at->cell[0] + strcspn(at->cell[0], " "), at->cell[1]);
    talk = strstr(command, "+talk");
    p.talk = talk != NULL;
    if (talk)
        memset(talk, ' ', strlen("+talk"));
    ig_options_init(&options);
    if (ig_options_parse(&options, split(word, command), word, &error) != IG_OK)
        stop(at, error.message, at->cell[0]);
    seconds = 1000;
    if (ig_render_with(&options, play_steps, &p, &error) != IG_OK) {
        printf("not ok %d - %s:%d\n# %s\n", at->test, at->file, at->number,
               error.message);
        failed++;
    } else if (p.good) {
        printf("ok %d - %s:%d\n", at->test, at->file, at->number);
    }
    ig_options_free(&options);
}

/* All scenes of a set, in a folder of their own. */
static void play_set(const set *own)
{
    scratch_enter(NULL);
    for (size_t i = 0, next; i < lines; i = next) {
        for (next = i + 1; next < lines && !*table[next].cell[0]; next++)
            ;
        if (set_of(&table[i]) == own)
            play_scene(&table[i], &table[next]);
    }
    scratch_leave(NULL);
    exit(failed != 0);
}

int main(int argc, char **argv)
{
    setlocale(LC_CTYPE, "C.UTF-8");
    setenv("TERM", "xterm-256color", 1);
    signal(SIGPIPE, SIG_IGN);
    if (!getcwd(root, sizeof root))
        return 2;
    for (int i = 1; i < argc; i++)
        read_table(argv[i]);
    printf("1..%d\n", tests);
    for (size_t i = 0; i < known; i++) {
        int status = 0;
        pid_t child;

        fflush(stdout);
        child = fork();
        if (child == 0)
            play_set(&sets[i]);
        waitpid(child, &status, 0);
        if (WIFSIGNALED(status))
            printf("# set %s: signal %d\n", sets[i].name, WTERMSIG(status));
        failed += status != 0;
    }
    return failed != 0;
}
