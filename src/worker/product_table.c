/* The table of products: of what each is made, how, and how urgent it is. */
#include "worker/state.h"

#include <string.h>

#include "worker/training.h"

/* --- the texts, as they are searched ---------------------------------------------- */

static bool texts_key(void *context, const ig_product *p, ig_product_key *key)
{
    ig_session *s = context;

    (void)p;
    (void)key;
    return s->request.asks & IG_ASKS_TEXTS;
}

/* Texts that are indexed between two looks at what is more urgent: some 10 ms. */
enum { TEXTS_TOGETHER = 4096 };

static ig_status make_texts(void *context, ig_product *p, const ig_product_key *key,
                            ig_cause cause, ig_error *error)
{
    ig_session *s = context;
    ig_textsearch *texts = atomic_load(&s->texts);
    size_t before = texts ? ig_textsearch_ready(texts) : 0;
    ig_status status = IG_OK;

    if (!texts) {
        status =
            ig_textsearch_begin(&texts, s->work.set->text, s->work.set->rows, error);
        atomic_store(&s->texts, texts);
    }
    if (status == IG_OK)
        status = ig_textsearch_add(texts, TEXTS_TOGETHER, error);
    if (status != IG_OK)
        return status;
    s->telling.dirty |= ig_textsearch_ready(texts) > before;
    p->more = !ig_textsearch_is_whole(texts);
    if (!p->more || cause != IG_CAUSE_REST)
        ig_product_made(p, key);
    return IG_OK;
}

/* --- neighbours ------------------------------------------------------------------- */

static bool neighbours_key(void *context, const ig_product *p, ig_product_key *key)
{
    ig_session *s = context;
    ig_view_state *v = p->view;

    key->asked[0] = s->request.row;
    key->asked[1] = s->request.neighbours;
    key->asked[2] = s->filters;
    key->follows[0] = v->shown.serial;
    key->follows[1] = v->shown.run;
    return s->request.row != IG_NO_ROW && (v == &s->main || s->compared);
}

static ig_status make_neighbours(void *context, ig_product *p,
                                 const ig_product_key *key, ig_cause cause,
                                 ig_error *error)
{
    ig_view_state *v = p->view;
    ig_product_key of = *key;
    ig_status status;

    (void)context;
    if (cause == IG_CAUSE_REST)
        status = ig_neighbourhood_go_on(&v->neighbours, error);
    else
        status =
            ig_neighbourhood_search(&v->neighbours, cause == IG_CAUSE_FOLLOW, error);
    if (status != IG_OK)
        return status;
    of.follows[0] = v->neighbours.found->weights; /* of a large set, older ones */
    ig_product_made(p, &of);
    p->more = ig_neighbourhood_has_rest(&v->neighbours);
    return IG_OK;
}

/* --- guests ----------------------------------------------------------------------- */

/* One guest at a time: as long as others are left, what was made is of another key, and
 * they follow with the share of the time that is theirs. */
static bool guests_key(void *context, const ig_product *p, ig_product_key *key)
{
    ig_session *s = context;

    (void)p;
    key->asked[0] = s->guests.serial;
    key->follows[0] = s->main.shown.serial;
    key->follows[1] = s->main.shown.run;
    return s->guests.serial > 0;
}

static ig_status make_guests(void *context, ig_product *p, const ig_product_key *key,
                             ig_cause cause, ig_error *error)
{
    ig_session *s = context;
    ig_product_key of = *key;
    ig_status status = ig_guests_search(&s->guests, &s->main.neighbours,
                                        !ig_training_is_busy(s), error);

    (void)cause;
    if (status != IG_OK)
        return status;
    of.follows[2] = ig_guests_unsearched(&s->guests, &s->main.shown) > 0;
    ig_product_made(p, &of);
    return IG_OK;
}

/* --- the map ---------------------------------------------------------------------- */

static bool map_key(void *context, const ig_product *p, ig_product_key *key)
{
    ig_session *s = context;
    ig_view_state *v = p->view;

    key->asked[0] = s->request.space;
    key->asked[1] = s->request.unit;
    key->asked[2] = s->request.axis[0];
    key->asked[3] = s->request.axis[1];
    key->asked[4] = s->guests.serial;
    if (s->request.space == IG_MAP_XY) /* they stand among their neighbours */
        key->asked[4] = (uint64_t)ig_guests_found(&s->guests) << 32 | key->asked[4];
    key->asked[5] = s->axes;
    key->follows[0] = v->shown.serial;
    key->follows[1] = v->shown.run;
    key->whole = true;
    return v == &s->main || s->compared;
}

/* Whether nothing but the guests is other than what there is was made of. */
static bool only_guests_differ(const ig_product *p, const ig_product_key *key)
{
    ig_product_key as_made = *key;

    as_made.asked[4] = p->made.asked[4];
    return p->known && key->asked[4] != p->made.asked[4] &&
           memcmp(as_made.asked, p->made.asked, sizeof as_made.asked) == 0 &&
           key->follows[1] == p->made.follows[1];
}

/* Guests who come stand on the frame there is at once; the next one has them anyway. */
static ig_status make_map(void *context, ig_product *p, const ig_product_key *key,
                          ig_cause cause, ig_error *error)
{
    ig_session *s = context;
    ig_view_state *v = p->view;
    ig_product_key of = *key;
    ig_status status;

    if (only_guests_differ(p, key) && ig_map_product_admit(&v->map)) {
        of = p->made;
        of.asked[4] = key->asked[4];
        ig_product_made(p, &of);
        return IG_OK;
    }
    of.whole = cause == IG_CAUSE_WHOLE || s->settles;
    status = ig_map_product_make(&v->map, v == &s->main ? NULL : s->main.map.map,
                                 &of.whole, error);
    if (status == IG_OK)
        ig_product_made(p, &of);
    return status;
}

/* --- norms of the terms' gradients, as the editor shows them ------------------------
 * */

static bool norms_key(void *context, const ig_product *p, ig_product_key *key)
{
    ig_session *s = context;
    const ig_run_entry *newest = s->training.newest;

    (void)p;
    if (!(s->request.asks & IG_ASKS_NORMS) || !newest || !newest->run->records ||
        !newest->run->objective.terms)
        return false;
    key->follows[0] = newest->number;
    key->follows[1] = newest->run->records;
    return true;
}

static ig_status make_norms(void *context, ig_product *p, const ig_product_key *key,
                            ig_cause cause, ig_error *error)
{
    ig_session *s = context;
    const ig_run_entry *newest = s->training.newest;
    ig_norms *n = &s->norms;
    double norm[IG_TERMS_MAX] = {0};

    (void)cause;
    for (size_t t = 0; t < newest->run->objective.terms; t++) {
        ig_status status = ig_trainer_norm(newest->run->trainer, t, &norm[t], error);

        if (status != IG_OK)
            return status;
        if (atomic_load(s->work.cancel))
            return ig_fail(error, IG_INTERRUPTED, "interrupted");
    }
    s->telling.at_once |= n->run != newest->number;
    memcpy(n->norm, norm, sizeof n->norm);
    n->run = newest->number;
    ig_product_made(p, key);
    return IG_OK;
}

/* --- the evaluation -----------------------------------------------------------------
 * */

/* Of the run that is shown, and on the same rows of the one beside it.
 * Weights of one run are never measured in the name of another that has none yet; and
 * where nobody looks on, not while they change. */
static bool evaluation_key(void *context, const ig_product *p, ig_product_key *key)
{
    ig_session *s = context;
    bool main = p->view == &s->main;
    const ig_shown *shown = main ? &s->main.shown : &s->other.shown;
    const ig_evaluation_state *e = main ? &s->evaluation : &s->evaluation_compared;

    if (!(s->request.asks & IG_ASKS_EVALUATION) ||
        (!s->live && ig_training_is_busy(s)) || (!main && !s->compared) ||
        (!main && !shown->serial) ||
        (shown->serial && shown->run != (main ? s->selected : s->compared)))
        return false;
    key->follows[0] = shown->serial;
    if (!s->request.all_rows && ig_training_held_out(s, s->selected))
        key->follows[1] = s->selected;
    key->follows[2] = e->asked;
    key->whole = e->given_up != shown->serial + 1;
    return true;
}

static ig_status make_evaluation(void *context, ig_product *p,
                                 const ig_product_key *key, ig_cause cause,
                                 ig_error *error)
{
    ig_session *s = context;
    ig_evaluation_state *e = p->view == &s->main ? &s->evaluation
                                                 : &s->evaluation_compared;
    ig_evaluation_key of = {key->follows[0], (unsigned)key->follows[1],
                            cause == IG_CAUSE_WHOLE || e->asked != e->answered ||
                                (cause == IG_CAUSE_REST && e->going_key.exact)};
    ig_product_key made_of = *key;
    ig_status status;
    bool made;

    status = ig_evaluation_state_step(
        e, &of, of.run ? ig_training_held_out(s, of.run) : NULL, &made, error);
    p->more = e->going;
    if (made) {
        made_of.whole = ig_evaluation_state_is_whole(e);
        ig_product_made(p, &made_of);
    }
    return status;
}

/* --- once ------------------------------------------------------------------------- */

/* A large set is looked through for values that are not finite. */
static bool check_key(void *context, const ig_product *p, ig_product_key *key)
{
    (void)p;
    (void)key;
    return !((ig_session *)context)->checked;
}

static ig_status make_check(void *context, ig_product *p, const ig_product_key *key,
                            ig_cause cause, ig_error *error)
{
    ig_session *s = context;
    ig_status status = ig_set_check_on(s->work.set, &s->checked_rows, &s->zero_rows,
                                       s->work.cancel, error);

    (void)cause;
    if (status == IG_OK)
        ig_product_made(p, key);
    return status;
}

/* The best epoch of the run that has ended, measured on all pairs there are. */
static bool finish_key(void *context, const ig_product *p, ig_product_key *key)
{
    ig_session *s = context;
    const ig_run_entry *newest = s->training.newest;

    (void)p;
    if (!newest || !newest->run->records || newest->run->finished ||
        newest->run->failed || ig_run_entry_going(newest))
        return false;
    key->asked[0] = newest->number;
    return true;
}

static void finish_tick(void *context, double done)
{
    ig_session *s = context;
    double work = ig_run_finish_work(s->training.newest->run);

    ig_long_job_tick(s, work > 0 ? done / work : 0);
}

static ig_status make_finish(void *context, ig_product *p, const ig_product_key *key,
                             ig_cause cause, ig_error *error)
{
    ig_session *s = context;
    ig_watch watch = {.stop = s->work.cancel, .tick = finish_tick, .context = s};
    ig_status status;

    (void)cause;
    ig_long_job_begin(s);
    status = ig_run_finish(s->training.newest->run, &watch, error);
    ig_long_job_end(s);
    if (status == IG_OK)
        ig_product_made(p, key);
    return status;
}

/* --- the table -------------------------------------------------------------------- */

#define URGENCY(asked, rest, follow, whole)                                            \
    .urgency = {[IG_CAUSE_ASKED] = asked,                                              \
                [IG_CAUSE_REST] = rest,                                                \
                [IG_CAUSE_FOLLOW] = follow,                                            \
                [IG_CAUSE_WHOLE] = whole}
#define FUNCTIONS(of) .key = of##_key, .make = make_##of
#define ROW           .cancelled_by = IG_ARRIVAL_ROW
#define VIEW          .cancelled_by = IG_ARRIVAL_VIEW

enum view { NO_VIEW, MAIN, OTHER };

/* Urgencies are compared with one another; those of one ten that follow the same
 * weights are shown together. Shares: frames for new weights take a quarter of the
 * time, each measure a tenth. */
static const struct {
    ig_product_kind kind;
    enum view view;
} table[IG_PRODUCTS] = {
    [IG_PRODUCT_TEXTS] = {{"texts", FUNCTIONS(texts), .cancelled_by = IG_ARRIVAL_END,
                           URGENCY(95, 82, 0, 0)},
                          NO_VIEW},
    [IG_PRODUCT_NEIGHBOURS] = {{"neighbours", FUNCTIONS(neighbours), ROW, 0.125,
                                URGENCY(90, 80, 50, 0)},
                               MAIN},
    [IG_PRODUCT_MAP] = {{"map", FUNCTIONS(map), VIEW, 0.125, URGENCY(85, 0, 51, 6)},
                        MAIN},
    [IG_PRODUCT_NEIGHBOURS_COMPARED] = {{"neighbours compared", FUNCTIONS(neighbours),
                                         ROW, 0.125, URGENCY(45, 44, 40, 0)},
                                        OTHER},
    [IG_PRODUCT_MAP_COMPARED] = {{"map compared", FUNCTIONS(map), VIEW, 0.125,
                                  URGENCY(43, 0, 41, 5)},
                                 OTHER},
    [IG_PRODUCT_NORMS] = {{"norms", FUNCTIONS(norms), ROW, 0.1, URGENCY(30, 0, 30, 0)},
                          NO_VIEW},
    [IG_PRODUCT_EVALUATION] = {{"evaluation", FUNCTIONS(evaluation), VIEW, 0.1,
                                .restarts = true, URGENCY(0, 0, 20, 7)},
                               MAIN},
    [IG_PRODUCT_EVALUATION_COMPARED] = {{"evaluation compared", FUNCTIONS(evaluation),
                                         VIEW, 0.1, .restarts = true,
                                         URGENCY(0, 0, 19, 4)},
                                        OTHER},
    [IG_PRODUCT_CHECK] = {{"check", FUNCTIONS(check), ROW, URGENCY(9, 0, 0, 0)},
                          NO_VIEW},
    [IG_PRODUCT_FINISH] = {{"finish", FUNCTIONS(finish), ROW, URGENCY(8, 0, 0, 0)},
                           NO_VIEW},
    [IG_PRODUCT_GUESTS] = {{"guests", FUNCTIONS(guests), VIEW, 0.1,
                            URGENCY(84, 0, 52, 0)},
                           NO_VIEW},
};

void ig_product_table_init(ig_session *s)
{
    for (size_t i = 0; i < IG_PRODUCTS; i++) {
        s->product[i].kind = &table[i].kind;
        s->product[i].view = table[i].view == MAIN    ? &s->main
                             : table[i].view == OTHER ? &s->other
                                                      : NULL;
    }
}

/* --- amid a long job -------------------------------------------------------------- */

/* Find the neighbours of another row, on the worker's thread alone: the other members
 * of the pool go on. False: it cannot be done now. */
static bool serve_row(ig_session *s)
{
    ig_product *p = &s->product[IG_PRODUCT_NEIGHBOURS];
    ig_neighbourhood *hood = &s->main.neighbours;
    ig_product_key key = {0};
    ig_error error;

    if (!s->live || !ig_neighbourhood_is_ready(hood) ||
        !ig_channel_take_row(&s->channel))
        return false;
    s->request.row = s->channel.taken->row < s->work.set->rows ? s->channel.taken->row
                                                               : IG_NO_ROW;
    if (!neighbours_key(s, p, &key) ||
        memcmp(key.asked, p->made.asked, sizeof key.asked) == 0)
        return true;
    ig_neighbourhood_alone(hood, true);
    if (make_neighbours(s, p, &key, IG_CAUSE_ASKED, &error) == IG_NOMEM) {
        ig_tell(s, true, "%s", error.message);
        ig_product_failed(p, &key, &error);
    }
    ig_neighbourhood_alone(hood, false);
    ig_publish(s);
    return true;
}

void ig_product_table_attend(void *session, double part)
{
    ig_session *s = session;

    if (s->channel.cancels > IG_ARRIVAL_ROW && /* or the job is cancelled by it */
        ig_channel_arrived(&s->channel) == IG_ARRIVAL_ROW && !serve_row(s) &&
        s->channel.cancels <= IG_ARRIVAL_VIEW)
        ig_channel_begin(&s->channel, IG_ARRIVAL_ROW);
    if (s->telling.long_job)
        ig_long_job_tick(s, part);
    else if (s->live && s->clock() - s->telling.last >= IG_BETWEEN_TICKS)
        ig_publish(s);
}
