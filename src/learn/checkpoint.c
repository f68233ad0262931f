/* The state of a trainer between two epochs, into a pack or from one. */
#include "learn/trainer_state.h"

void ig_trainer_pack(ig_trainer *t, ig_pack *p)
{
    ig_pack_agree(p, t->now.size);
    ig_pack_agree(p, t->plan.terms);
    ig_pack_floats(p, t->now.weights, t->now.size);
    ig_pack_floats(p, t->best.weights, t->best.size);
    ig_pack_floats(p, t->first, t->now.size);
    ig_pack_floats(p, t->second, t->now.size);
    ig_pack_count(p, &t->steps);
    ig_pack_count(p, &t->next);
    ig_pack_count(p, &t->best_epoch);
    ig_pack_double(p, &t->best_loss);
    ig_pack_count(p, &t->best_since);
    ig_pack_flag(p, &t->anew);
    ig_pack_flag(p, &t->edited);
    for (size_t i = 0; i < t->plan.terms; i++) {
        ig_pack_count(p, &t->stage[i]);
        ig_pack_double(p, &t->weight[i]);
        ig_pack_flag(p, &t->on[i]);
        ig_pack_double(p, &t->plan.term[i].weight);
        ig_pack_flag(p, &t->plan.term[i].on);
    }
    if (!p->reading || p->failed)
        return;
    t->state = IG_TRAIN_RUNNING;
    if (t->next > 0)
        ig_trainer_decide(t, t->next - 1);
}
