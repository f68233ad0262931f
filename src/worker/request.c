/* Commands and view requests: defaults and comparison. */
#include "worker/request.h"

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
    return ig_map_axis_same(&a->laid[0], &b->laid[0]) &&
           ig_map_axis_same(&a->laid[1], &b->laid[1]);
}

/* Field by field: the bytes between the fields mean nothing. */
bool ig_request_same_but_row(const ig_view_request *a, const ig_view_request *b)
{
    return a->paused == b->paused && a->halt == b->halt && a->pace == b->pace &&
           a->seed == b->seed && a->show == b->show && a->compared == b->compared &&
           a->looking == b->looking && a->epoch == b->epoch && a->space == b->space &&
           a->unit == b->unit && a->axis[0] == b->axis[0] && a->axis[1] == b->axis[1] &&
           ig_request_same_axes(a, b) && a->neighbours == b->neighbours &&
           ig_request_same_languages(a, b) && a->asks == b->asks &&
           a->all_rows == b->all_rows;
}
