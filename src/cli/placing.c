/* Rows in memory or in files, by what is granted. */
#include "cli/placing.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/machine.h"
#include "base/spill.h"

static ig_status refuse(const ig_subject *subject, const ig_placing *p, double needs,
                        double granted, ig_error *error)
{
    return ig_fail(error, IG_NOMEM,
                   "to measure %zu rows of %zu dimensions and %zu pairs takes "
                   "about %.3g GB of memory, and %.3g GB are granted: %s",
                   p->shown, p->rows->dims, subject->pairs.pairs, needs / 1e9,
                   granted / 1e9, p->advice);
}

/* Files in a directory that has room for them. */
static ig_status place_in_files(ig_subject *subject, const ig_placing *p,
                                const ig_machine *machine, double granted,
                                ig_error *error)
{
    const char *wanted = getenv("TMPDIR");
    ig_evaluation_room room = ig_evaluation_room_of(p->rows, subject, p->threads);
    double ranks = (double)ig_team_host_ranks(p->team), left;
    ig_status status;

    if (room.files == 0)
        return IG_OK;
    status = ig_spill_directory(wanted && *wanted ? wanted : NULL, &subject->directory,
                                &left, error);
    if (status != IG_OK)
        return status;
    if (room.files * ranks > left)
        return ig_fail(error, IG_IO,
                       "the rows to measure do not fit into the %.3g GB of memory that "
                       "are granted, and in files they take %.3g GB: %s has %.3g GB "
                       "left (TMPDIR=DIR names another directory; %s)",
                       granted / 1e9, room.files * ranks / 1e9, subject->directory,
                       left / 1e9, p->advice);
    /* Files are mapped twice (base/spill.h), and addresses may have a limit. */
    if (machine->space > 0 && room.memory + 2 * room.files > machine->space)
        return refuse(subject, p, room.memory + 2 * room.files, machine->space, error);
    if (!p->quiet && ig_team_speaks(p->team))
        fprintf(stderr, "the rows do not fit into memory: files of %.3g GB in %s\n",
                room.files * ranks / 1e9, subject->directory);
    return IG_OK;
}

ig_status ig_placing_choose(ig_subject *subject, const ig_placing *p, ig_error *error)
{
    ig_machine machine = ig_machine_find("");
    double granted = ig_machine_memory(&machine) / (double)ig_team_host_ranks(p->team);
    ig_evaluation_room room;
    double needs;
    ig_status status = IG_OK;

    subject->memory = SIZE_MAX;
    room = ig_evaluation_room_of(p->rows, subject, p->threads);
    needs = room.memory + p->spaces * room.kept;
    if (granted > 0 && needs > granted) {
        subject->memory = 1;
        room = ig_evaluation_room_of(p->rows, subject, p->threads);
        needs = room.memory + p->spaces * room.kept;
        /* The system keeps some of the files in what is left. */
        if (needs < granted)
            subject->memory = (size_t)((granted - needs) / 2) + 1;
        status = needs > granted ? refuse(subject, p, needs, granted, error)
                                 : place_in_files(subject, p, &machine, granted, error);
    }
    return ig_team_agree(p->team, status, error);
}
