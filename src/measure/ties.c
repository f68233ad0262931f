/* Figures that ties decide, or the lack of candidates, are taken back. */
#include "measure/ties.h"

#include <math.h>

static const double NEARLY_ALL = 0.999;

bool ig_retrieval_blind(const ig_retrieval_score *score)
{
    return score->tied > NEARLY_ALL;
}

static void make_blank(ig_retrieval_score *score)
{
    score->top1 = score->top5 = score->mean_rank = score->median_rank = (double)NAN;
    score->xsim = score->overlap5 = (double)NAN;
}

/* One figure's mean over the directions that have it. */
#define MEAN(retrieval, figure)                                                        \
    do {                                                                               \
        double sum = 0;                                                                \
        size_t n = 0;                                                                  \
        for (size_t i = 0; i < (retrieval)->count; i++)                                \
            if (!isnan((retrieval)->score[i].figure)) {                                \
                sum += (retrieval)->score[i].figure;                                   \
                n++;                                                                   \
            }                                                                          \
        (retrieval)->mean.figure = n ? sum / (double)n : (double)NAN;                  \
    } while (0)

void ig_retrieval_take_back(ig_retrieval *retrieval)
{
    size_t blind = 0, alone = 0;

    for (size_t i = 0; i < retrieval->count; i++) {
        ig_retrieval_score *score = &retrieval->score[i];

        if (score->candidates < 2)
            alone++;
        else if (ig_retrieval_blind(score))
            blind++;
        else
            continue;
        make_blank(score);
    }
    retrieval->blind = blind;
    retrieval->alone = alone;
    if (blind + alone == 0)
        return;
    MEAN(retrieval, top1);
    MEAN(retrieval, top5);
    MEAN(retrieval, mean_rank);
    MEAN(retrieval, median_rank);
    MEAN(retrieval, xsim);
    MEAN(retrieval, overlap5);
    if (alone == retrieval->count)
        retrieval->reason = "one candidate alone: there is nothing to rank";
    else if (blind + alone == retrieval->count)
        retrieval->reason = "all candidates tie: the space does not tell them apart";
}
