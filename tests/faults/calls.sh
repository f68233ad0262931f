#!/bin/sh
# The N-th system call fails: as on a full disk, a broken one, when too many files are open,
# when a signal comes in between, when less is read or written than was asked for.
. tests/faults/faults.sh

# what | calls (fault.c) | errno or what happens
faults='
a full disk|write sync mkdir rename truncate|28
a broken disk|read write sync close rename list|5
no more descriptors|open dup|24
no permission|open mkdir rename remove stat|13
no memory for mappings|map|12
calls are interrupted|open read write sync lock|4
reads and writes in part|read write|short'

make_world
for command in ${COMMANDS:-$(all_commands)}; do
    reference "$command" || continue
    echo "$faults" | tail -n +2 >"$scratch/faults"
    while IFS='|' read -r what calls error; do
        each_call "$command" "$what" "$calls" "$error"
    done <"$scratch/faults"
    each_call "$command" 'a disk that stays full' 'write sync mkdir rename truncate' 28 FAULT_ON=1
done
finish
