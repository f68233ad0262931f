/* Views and commands. */
#include "explorer/request.h"

#include <string.h>

ig_command ig_command_defaults(void)
{
    return (ig_command){
        .kind = IG_COMMAND_START, .method = "seed", .options = ig_train_defaults()};
}

ig_view_request ig_view_request_defaults(void)
{
    return (ig_view_request){
        .space = IG_MAP_JOINT, .unit = true, .axis = {0, 1}, .neighbours = 20};
}

const char *ig_map_space_name(ig_map_space space)
{
    return (const char *[]){"original", "meaning", "language", "joint", "xy"}[space];
}

bool ig_request_same_languages(const ig_view_request *a, const ig_view_request *b)
{
    return a->to == b->to &&
           (a->to != IG_TO_CHOSEN ||
            memcmp(a->to_language, b->to_language, sizeof a->to_language) == 0);
}

bool ig_request_same_axes(const ig_view_request *a, const ig_view_request *b)
{
    return ig_map_axis_same(&a->custom[0], &b->custom[0]) &&
           ig_map_axis_same(&a->custom[1], &b->custom[1]);
}
