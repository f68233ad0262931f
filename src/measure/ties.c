/* Figures that ties decide are taken back. */
#include "isogloss/measure/ties.h"

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

size_t ig_retrieval_take_back(ig_retrieval *retrieval)
{
    size_t blind = 0;

    for (size_t i = 0; i < retrieval->count; i++)
        if (ig_retrieval_blind(&retrieval->score[i])) {
            make_blank(&retrieval->score[i]);
            blind++;
        }
    if (!blind)
        return 0;
    MEAN(retrieval, top1);
    MEAN(retrieval, top5);
    MEAN(retrieval, mean_rank);
    MEAN(retrieval, median_rank);
    MEAN(retrieval, xsim);
    MEAN(retrieval, overlap5);
    if (blind == retrieval->count)
        retrieval->reason = "all candidates tie: the space does not tell them apart";
    return blind;
}
