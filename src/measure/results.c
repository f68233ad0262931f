/* The table of groups. */
#include "measure/results.h"

#define GROUP(member, NAME) {&ig_##member##_group, #member},

static const struct {
    const ig_measure_group *group;
    const char *word;
} groups[IG_GROUP_COUNT] = {IG_MEASURE_GROUPS(GROUP)};

const ig_measure_group *ig_measure_group_at(size_t i)
{
    return groups[i].group;
}

const char *ig_measure_group_word(size_t i)
{
    const char *word = groups[i].group->word;

    return word ? word : groups[i].word;
}
