/* The table of extractor kinds. */
#include "learn/kinds.h"

static const ig_form forms[IG_EXTRACTORS] = {
    [IG_IDENTITY] = {.name = "identity"},
    [IG_CENTRE] = {.name = "centre",
                   .means = true,
                   .unknown = "their means are taken over the rows at hand",
                   .fit = ig_fit_centre},
    [IG_WHITEN] = {.name = "centre+whiten",
                   .weight = IG_ONE_BLOCK,
                   .bias = IG_EACH_BLOCK,
                   .unknown = "the mean of all training rows stands in for theirs",
                   .fit = ig_fit_whiten},
    [IG_ABTT] = {.name = "abtt",
                 .weight = IG_ONE_BLOCK,
                 .bias = IG_ONE_BLOCK,
                 .k = "directions to remove",
                 .fit = ig_fit_abtt},
    [IG_LIR] = {.name = "lir",
                .basis = IG_EACH_BLOCK,
                .k = "directions to remove",
                .unknown = "the directions of all training rows stand in for theirs",
                .fit = ig_fit_lir},
    [IG_LSAR] = {.name = "lsar",
                 .weight = IG_ONE_BLOCK,
                 .bias = IG_ONE_BLOCK,
                 .k = "rank of the language space",
                 .languages = true,
                 .fit = ig_fit_lsar},
    [IG_LEACE] = {.name = "leace",
                  .weight = IG_ONE_BLOCK,
                  .bias = IG_ONE_BLOCK,
                  .languages = true,
                  .fit = ig_fit_leace},
    [IG_PROCRUSTES] = {.name = "procrustes",
                       .weight = IG_EACH_BLOCK,
                       .bias = IG_EACH_BLOCK,
                       .languages = true,
                       .pairs = true,
                       .unknown = "the mean of all training rows stands in for theirs, "
                                  "and they are not turned",
                       .fit = ig_fit_procrustes},
    [IG_INLP] = {.name = "inlp",
                 .weight = IG_ONE_BLOCK,
                 .bias = IG_ONE_BLOCK,
                 .k = "rounds",
                 .languages = true,
                 .fit = ig_fit_inlp},
    [IG_RESIDUAL] = {.name = "residual", .pairs = true},
    [IG_TWIN] = {.name = "twin", .pairs = true},
    [IG_HEAD] = {.name = "head", .pairs = true},
};

const ig_form *ig_form_of(ig_extractor_kind kind)
{
    return &forms[kind];
}

const char *ig_extractor_name(ig_extractor_kind kind)
{
    return forms[kind].name;
}

bool ig_extractor_needs_pairs(ig_extractor_kind kind)
{
    return forms[kind].pairs;
}
