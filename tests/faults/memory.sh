#!/bin/sh
# The N-th piece of memory is refused: that one alone, or all from there on.
. tests/faults/faults.sh

make_world
for command in ${COMMANDS:-$(all_commands)}; do
    reference "$command" || continue
    each_call "$command" 'one piece of memory is refused' memory ''
    each_call "$command" 'no more memory' memory '' FAULT_ON=1
done
finish
