/* Parses and formats objectives. Errors name file, line, column, and what to expect. */
#include "train/objective.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/file.h"
#include "core/text.h"
#include "data/table.h"
#include "measure/figure.h"

/* Parser state. Names of terms point into a copy of the text, cut in place. */
struct reader {
    ig_objective *objective;
    const char *source;
    char *start; /* of the line */
    char *at;    /* after the last word */
    size_t line;
    size_t column;    /* of the last word, 1-based, in bytes */
    size_t extractor; /* its line; 0: none yet */
    ig_error *error;
};

__attribute__((format(printf, 2, 3))) static ig_status fail_at(struct reader *r,
                                                               const char *format, ...)
{
    char text[512];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return ig_fail(r->error, IG_FORMAT, "%s:%zu:%zu: %s", r->source, r->line, r->column,
                   text);
}

/* Next word of the line, or "" at its end. */
static const char *next_word(struct reader *r)
{
    char *word = r->at + strspn(r->at, " \t\r");

    r->column = (size_t)(word - r->start) + 1;
    r->at = word + strcspn(word, " \t\r");
    if (*r->at)
        *r->at++ = '\0';
    return word;
}

/* --- operands --------------------------------------------------------------------- */

/* By number of atom. */
static const char *const atoms[IG_ATOMS] = {"x",    "x'",    "y",    "y'",
                                            "m(x)", "m(x')", "m(y)", "m(y')",
                                            "l(x)", "l(x')", "l(y)", "l(y')"};

static bool parse_operand(const char *word, ig_operand *operand)
{
    *operand = (ig_operand){0};
    do {
        size_t n = strcspn(word, "+"), atom = 0;

        while (atom < IG_ATOMS &&
               (strlen(atoms[atom]) != n || strncmp(atoms[atom], word, n)))
            atom++;
        if (atom == IG_ATOMS || operand->atoms == 2)
            return false;
        operand->atom[operand->atoms++] = (uint8_t)atom;
        word += n;
    } while (*word++);
    return true;
}

/* "m(y)+l(x)" into `out` of at least 16 bytes, which is returned. */
static char *format_operand(ig_operand operand, char *out)
{
    sprintf(out, "%s%s%s", atoms[operand.atom[0]], operand.atoms > 1 ? "+" : "",
            operand.atoms > 1 ? atoms[operand.atom[1]] : "");
    return out;
}

/* --- lines ------------------------------------------------------------------------ */

static ig_status read_extractor(struct reader *r)
{
    const char *word = next_word(r);
    const ig_form *form = NULL;
    char list[160] = "";

    for (int i = 0; i < IG_EXTRACTORS; i++) {
        const char *name = ig_form_of((ig_extractor_kind)i)->name;

        ig_text_append(list, sizeof list, "%s%s", i == 0 ? "" : ", ", name);
        if (strcmp(word, name) == 0)
            form = ig_form_of(r->objective->extractor = (ig_extractor_kind)i);
    }
    if (r->extractor)
        return fail_at(r, "a second extractor; the first is in line %zu", r->extractor);
    if (!form)
        return fail_at(r, "extractor '%.60s': expected one of %s", word, list);
    r->extractor = r->line;
    word = next_word(r);
    if (*word && (!form->k || strncmp(word, "k=", 2) != 0 ||
                  !ig_number_size(word + 2, strlen(word + 2), &r->objective->k) ||
                  r->objective->k - 1 >= 65536)) /* dimensions at most */
        return fail_at(r, "'%s' is no option of extractor %s", word, form->name);
    return IG_OK;
}

/* Whether a word is an option of the term. */
static bool read_option(ig_term *term, const char *word)
{
    const char *value = strchr(word, '=');

    if (!value)
        return false;
    value++;
    if (strncmp(word, "name=", 5) == 0) {
        term->name = value;
        for (const char *c = value; *c; c++)
            if ((unsigned char)*c < ' ' || *c == 0x7f)
                return false;
        return *value;
    }
    if (strncmp(word, "from=", 5) == 0)
        return ig_number_size(value, strlen(value), &term->from);
    if (term->kind->clusters && strcmp(word, "all=1") == 0)
        return term->all = true;
    if (term->kind->clusters && strcmp(word, "by=language") == 0)
        return term->by_language = true;
    return term->kind->tau > 0 && strncmp(word, "tau=", 4) == 0 &&
           ig_real_parse(value, &term->tau) && term->tau > 0;
}

static ig_status read_term(struct reader *r, const ig_term_kind *kind)
{
    ig_objective *o = r->objective;
    ig_term *term = &o->term[o->terms];
    const char *word = next_word(r);
    char name[IG_TERM_NAME_SIZE];
    bool valid;

    if (o->terms == IG_TERMS_MAX)
        return fail_at(r, "more than %d terms", IG_TERMS_MAX);
    *term = (ig_term){.kind = kind, .line = r->line, .tau = kind->tau};
    valid = ig_real_parse(word, &term->weight);
    for (size_t i = 0; i < kind->operands && valid; i++) {
        word = next_word(r);
        valid = parse_operand(word, &term->operand[i]);
    }
    while (valid && *(word = next_word(r)))
        valid = read_option(term, word);
    if (!valid)
        return fail_at(r,
                       "'%.60s' is not valid here: expected %s [from=EPOCH] "
                       "[name=LABEL], operands x, y, x', y', m(..), l(..), or sums",
                       word, kind->shape);
    ig_term_plain_name(term, name);
    if (!term->name)
        term->name = ig_arena_text(&o->arena, name, strlen(name));
    o->terms++;
    return term->name ? IG_OK : ig_fail_memory(r->error, "an objective");
}

static ig_status fail_word(struct reader *r, const char *word)
{
    char terms[128] = "";
    const ig_term_kind *kind;

    for (size_t i = 0; (kind = ig_term_at(i)); i++)
        ig_text_append(terms, sizeof terms, "%s%s", i ? ", " : "", kind->name);
    return fail_at(r,
                   "unknown word '%.60s': expected extractor, a term (%s) or a "
                   "training option such as lr",
                   word, terms);
}

static ig_status read_line(struct reader *r)
{
    const char *word;
    const ig_term_kind *kind;
    const ig_train_option *option;
    ig_status status;
    ig_error why;

    r->start[strcspn(r->start, "#")] = '\0';
    r->at = r->start;
    word = next_word(r);
    kind = ig_term_find(word);
    option = ig_train_option_named(word);
    if (!*word)
        return IG_OK;
    if (kind)
        status = read_term(r, kind);
    else if (strcmp(word, "extractor") == 0)
        status = read_extractor(r);
    else if (option && option->method) /* an empty word fails like any other */
        status = ig_setting_parse(&option->field, &r->objective->settings, word,
                                  next_word(r), &why) == IG_OK
                     ? IG_OK
                     : fail_at(r, "%s", why.message);
    else
        status = fail_word(r, word);
    word = status == IG_OK ? next_word(r) : "";
    return *word ? fail_at(r, "'%s' is one word too many", word) : status;
}

/* `head` has no language embeddings, and its meanings have another width, so its
 * operands can only be m(..). One classifier serves `identify` or `confuse`. */
static ig_status check_terms(struct reader *r)
{
    ig_objective *o = r->objective;
    const char *name = ig_form_of(o->extractor)->name;
    const ig_term *user = NULL; /* of the classifier */
    bool learns = o->extractor >= IG_RESIDUAL;

    if (learns != (o->terms > 0))
        return ig_fail(r->error, IG_FORMAT,
                       learns ? "%s: extractor %s has weights to train, but no term"
                              : "%s: extractor %s has no weights to train and takes no "
                                "terms",
                       r->source, name);
    for (size_t i = 0; i < o->terms; i++) {
        const ig_term *t = &o->term[i];

        r->line = t->line;
        r->column = 1;
        for (size_t k = 0; k < 2 * t->kind->operands; k++) {
            const ig_operand *operand = &t->operand[k / 2];
            size_t atom = operand->atom[k % 2];

            if (o->extractor == IG_HEAD && k % 2 < operand->atoms &&
                (atom < IG_ATOM_MEANING || atom >= IG_ATOM_LANGUAGE))
                return fail_at(r,
                               "extractor head has no %s for %s: it takes m(..) alone",
                               atoms[atom], t->kind->name);
        }
        if (user && t->kind->classifier && user->kind != t->kind)
            return fail_at(r,
                           "%s cannot be combined with %s (line %zu): one classifier "
                           "serves both",
                           t->kind->name, user->kind->name, user->line);
        user = t->kind->classifier ? t : user;
    }
    o->classifies = user != NULL;
    return IG_OK;
}

/* Parse `text`, which is changed. */
static ig_status parse_all(struct reader *r, char *text)
{
    ig_status status = IG_OK;

    if (strncmp(text, "\xef\xbb\xbf", 3) == 0)
        text += 3;
    while (text && status == IG_OK) {
        r->start = text;
        r->line++;
        text = strchr(text, '\n');
        if (text)
            *text++ = '\0';
        status = read_line(r);
    }
    if (status != IG_OK)
        return status;
    if (!r->extractor)
        return ig_fail(r->error, IG_FORMAT,
                       "%s: no extractor: expected a line such as 'extractor residual'",
                       r->source);
    return check_terms(r);
}

ig_status ig_objective_parse(ig_objective *objective, const char *name,
                             const char *source, const char *text, size_t length,
                             ig_error *error)
{
    struct reader r = {.objective = objective, .source = source, .error = error};
    ig_arena *arena = &objective->arena;
    ig_status status;
    char *copy;

    *objective = (ig_objective){.settings = ig_train_defaults()};
    objective->name = ig_arena_text(arena, name, strlen(name));
    objective->text = ig_arena_text(arena, text, length);
    objective->term = ig_arena_array(arena, IG_TERMS_MAX, sizeof *objective->term);
    copy = ig_arena_text(arena, text, length);
    if (arena->failed)
        status = ig_fail_memory(error, "an objective");
    else if (strlen(copy) != length)
        status = ig_fail(error, IG_FORMAT, "%s: is not text: it has a zero", source);
    else
        status = parse_all(&r, copy);
    if (status != IG_OK)
        ig_objective_free(objective);
    return status;
}

/* --- presets and files ------------------------------------------------------------ */

const char *ig_preset_find(const char *name)
{
    for (size_t i = 0; ig_presets[i].name; i++)
        if (strcmp(ig_presets[i].name, name) == 0)
            return ig_presets[i].text;
    return NULL;
}

ig_status ig_objective_load(ig_objective *objective, const char *method,
                            ig_error *error)
{
    const char *text = ig_preset_find(method), *near = NULL;
    char list[512] = "", name[128];
    ig_mapping file = {0};
    size_t length;
    ig_status status;

    *objective = (ig_objective){0};
    if (text)
        return ig_objective_parse(objective, method, method, text, strlen(text), error);
    if (strchr(method, ',') && !strpbrk(method, "./"))
        return ig_fail(error, IG_USAGE,
                       "'%.60s' is more than one method: isogloss sweep takes several",
                       method);
    if (!strpbrk(method, "./")) {
        for (size_t i = 0; ig_presets[i].name; i++) {
            ig_text_append(list, sizeof list, "%s%s", i ? ", " : "",
                           ig_presets[i].name);
            if (!near && ig_name_resembles(ig_presets[i].name, method, strlen(method)))
                near = ig_presets[i].name;
        }
        return ig_fail(error, IG_USAGE, "there is no method '%.60s'%s%s%s", method,
                       near ? "; did you mean "
                            : ": expected the path of an objective file or a preset (",
                       near ? near : list, near ? "?" : ")");
    }
    text = ig_path_stem(method, &length);
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    status = ig_mapping_open(&file, method, error);
    if (status == IG_OK)
        status = ig_objective_parse(objective, name, method, (const char *)file.bytes,
                                    file.size, error);
    ig_mapping_close(&file);
    return status;
}

void ig_objective_free(ig_objective *objective)
{
    ig_arena_free(&objective->arena);
    *objective = (ig_objective){0};
}

/* --- as text ---------------------------------------------------------------------- */

char *ig_term_plain_name(const ig_term *term, char *out)
{
    char operand[16];
    char *p = out + sprintf(out, "%s", term->kind->name);

    for (size_t i = 0; i < term->kind->operands; i++)
        p += sprintf(p, " %s", format_operand(term->operand[i], operand));
    return out;
}

static void write_term(ig_builder *out, const ig_term *t)
{
    char text[16], plain[IG_TERM_NAME_SIZE];

    ig_builder_add(out, "%s%s %.15g", t->off ? "# off: " : "", t->kind->name,
                   t->weight);
    for (size_t k = 0; k < t->kind->operands; k++)
        ig_builder_add(out, " %s", format_operand(t->operand[k], text));
    if (t->all)
        ig_builder_add(out, " all=1");
    if (t->by_language)
        ig_builder_add(out, " by=language");
    if (t->kind->tau > 0 && t->tau != t->kind->tau)
        ig_builder_add(out, " tau=%.15g", t->tau);
    if (t->from)
        ig_builder_add(out, " from=%zu", t->from);
    if (strcmp(ig_term_plain_name(t, plain), t->name) != 0)
        ig_builder_add(out, " name=%s", t->name);
    ig_builder_add(out, "\n");
}

void ig_objective_format(const ig_objective *o, ig_builder *out)
{
    const ig_train_option *option;
    char value[IG_SETTING_SIZE];

    ig_builder_add(out, "extractor %s", ig_form_of(o->extractor)->name);
    if (o->k)
        ig_builder_add(out, " k=%zu", o->k);
    ig_builder_add(out, "\n");
    for (size_t i = 0; (option = ig_train_option_at(i)); i++)
        if (option->method && ig_setting_is_set(&option->field, &o->settings))
            ig_builder_add(out, "%s %s\n", option->field.name,
                           ig_setting_format(&option->field, &o->settings, value));
    for (size_t i = 0; i < o->terms; i++)
        write_term(out, &o->term[i]);
}

/* The weight of a name: 0 where its terms are off, NaN where there is none. */
static double weigh(const ig_objective *o, const char *name)
{
    double sum = NAN;

    for (size_t i = 0; i < o->terms; i++)
        if (strcmp(o->term[i].name, name) == 0)
            sum = (isnan(sum) ? 0 : sum) + (o->term[i].off ? 0 : o->term[i].weight);
    return sum;
}

void ig_objective_edits(const ig_objective *o, char *out, size_t size)
{
    const char *preset = ig_preset_find(o->name), *text = preset ? preset : o->text;
    ig_objective base;

    if (ig_objective_parse(&base, "", "", text, strlen(text), NULL) != IG_OK)
        return;
    for (size_t i = 0; i < o->terms + base.terms; i++) {
        const ig_term *t = i < o->terms ? &o->term[i] : &base.term[i - o->terms];
        double is = weigh(o, t->name), was = weigh(&base, t->name);

        if (is == was || (i >= o->terms && !isnan(is)))
            continue;
        ig_text_append(out, size, is > 0 || is < 0 ? "%s%s %g" : "%s%s off",
                       *out ? "; " : " (", t->name, is);
    }
    ig_text_append(out, size, *out ? ")" : "");
    out[ig_text_valid(out, strlen(out))] = '\0';
    ig_objective_free(&base);
}

bool ig_objective_suit(ig_train_options *options, const char *method, size_t pairs)
{
    enum { STEPS = 300, LEAST = 10, MOST = 300, TIMES = 20 };
    size_t train = pairs - pairs / 10, batch, steps, epochs;
    ig_objective o;
    bool suits;

    if (options->lr >= 0 || options->epochs ||
        ig_objective_load(&o, method, NULL) != IG_OK)
        return false;
    suits = o.extractor >= IG_RESIDUAL &&
            (ig_preset_find(method) || (o.settings.lr < 0 && !o.settings.epochs));
    if (suits) {
        batch = options->batch     ? options->batch
                : o.settings.batch ? o.settings.batch
                                   : 512;
        steps = train > batch ? train / batch : 1;
        epochs = (STEPS + steps - 1) / steps;
        options->lr = TIMES * (o.settings.lr < 0 ? 1e-4 : o.settings.lr);
        options->epochs = epochs < LEAST ? LEAST : epochs > MOST ? MOST : epochs;
        if (options->patience == SIZE_MAX)
            options->patience = 0;
    }
    ig_objective_free(&o);
    return suits;
}

bool ig_objective_weigh(ig_objective *o, const char *name, double weight)
{
    bool found = false;

    for (ig_term *t = o->term; t < o->term + o->terms; t++)
        if (strcmp(t->name, name) == 0 || strcmp(t->kind->name, name) == 0) {
            t->weight = weight;
            found = true;
        }
    return found;
}
