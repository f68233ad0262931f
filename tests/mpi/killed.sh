#!/bin/sh
# A rank that dies: the job ends, says so, and leaves no half of anything.
. tests/mpi.sh
small_demo
set=$scratch/demo.npy

has_epochs() { # run epochs
    [ "$(grep -c . "$1/epochs.csv")" -gt $(($2 + 1)) ]
}

has_read() { # rank bytes
    [ "$(sed -n 's/^rchar: //p' "/proc/$(cat "$scratch/pid.$1")/io")" -gt "$2" ]
}

# What mpirun says of a rank that was killed: Open MPI on stderr, MPICH on stdout.
says_killed() { # name
    cat "$out" "$err" >"$scratch/words"
    says "$1" "$scratch/words" '[Ss][Ii][Gg][Nn][Aa][Ll]:* 9'
}

ended() { # name
    if [ $status -ne 0 ]; then pass "$1 ends the job"; else fail "$1 ends the job" "$(last_output)"; fi
}

# --- in training ----------------------------------------------------------------------
for rank in 0 2; do
    rm -rf "$scratch/run"
    start 3 train "$set" --overwrite --batch 64 --epochs 100000 --patience 0 --checkpoint 2 --out "$scratch/run"
    until_true has_epochs "$scratch/run" 4
    kill_rank $rank
    ended "rank $rank killed in training"
    says_killed 'a sentence says so'
    ranks 2
    works "another number of ranks begins from its weights" train "$set" --epochs 2 --init "$scratch/run" --out "$scratch/run" --overwrite
    says 'to the end' "$scratch/run/epochs.csv" '^2,'
done

# Told to end, all ranks stop after the same batch, and the run is written.
rm -rf "$scratch/run"
start 2 train "$set" --overwrite --batch 64 --epochs 100000 --patience 0 --checkpoint 1 --out "$scratch/run"
until_true has_epochs "$scratch/run" 2
for rank in 0 1; do kill -TERM "$(cat "$scratch/pid.$rank")"; done
wait $job_pid
status=$?
ended 'told to end'
says 'the best epoch is there' "$err" 'interrupted in epoch'
ranks 0
works 'and is a run' eval "$set" --run "$scratch/run" --measures retrieval --quiet

# --- in an evaluation -----------------------------------------------------------------
start 3 eval data/demo.npy --json
until_true has_read 1 "$(wc -c <data/demo.npy)"
kill_rank 1
ended 'killed in an evaluation'
says_killed 'that is said'
if grep -q '^{' "$out"; then fail 'nothing of it is printed' "$(head -n 3 "$out")"; else pass 'nothing of it is printed'; fi

finish
