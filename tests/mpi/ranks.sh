#!/bin/sh
# What ranks are told and tell: info, refusals, one sentence where all fail.
. tests/mpi.sh

for n in 1 2 3 4; do
    ranks $n
    works "info of $n" info --quiet
    says "it has $n" "$out" "^ranks  *count $n, "
    if [ "$(wc -l <"$out")" -eq "$(sort -u "$out" | wc -l)" ]; then pass 'said once'; else fail 'said once' "$(cat "$out")"; fi
done
ranks 2
works 'info --json of 2' info --json
says 'as JSON' "$out" '"count": 2'

# Threads are shared by the ranks of a machine, unless told.
unset OMP_NUM_THREADS
half=$(($(nproc) / 2))
[ $half -gt 0 ] || half=1
sed 's/^OMP_NUM_THREADS=[^ ]* //' "$scratch/ranks" >"$scratch/shared"
chmod +x "$scratch/shared"
ISOGLOSS=$scratch/shared
works 'threads of two ranks' info
says 'half each' "$out" "^threads  *$half$"
works 'threads that are asked for' info --threads 3
says 'at its word' "$out" '^threads  *3$'

# Where all fail alike one speaks.
ranks 3
run info --no-such-option
says 'an option that is not there' "$err" 'no-such-option'
if [ "$(grep -c '^isogloss: ' "$err")" -eq 1 ]; then pass 'said once, too'; else fail 'said once, too' "$(cat "$err")"; fi

# All other commands run once, on the root process.
small_demo
set=$scratch/demo.npy
ranks 0
works 'a row by one' search "$set" --row 5 --k 20 --json
cp "$out" "$scratch/expected"
ranks 3
works 'a row by 3' search "$set" --row 5 --k 20 --json
same 'is printed once' "$scratch/expected" "$out"
run search "$scratch/none.npy" --row 1
says 'a file that does not exist is named' "$err" 'none.npy'
if [ "$(grep -c '^isogloss: ' "$err")" -eq 1 ]; then pass 'once'; else fail 'once' "$(cat "$err")"; fi

# Commands without meaning for several.
for command in data/demo.npy 'render data/demo.npy --keys q' demo; do
    # shellcheck disable=SC2086 # words
    run $command
    says "refused: ${command%% *}" "$err" 'runs as one process, without mpirun'
done
ranks 1
works 'one rank is as none' objectives
finish
