/* Views and commands. */
#include "explorer/request.h"

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
