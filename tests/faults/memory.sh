#!/bin/sh
# The N-th piece of memory is refused: that one alone, or all from there on.
. tests/faults/faults.sh

make_world
for command in ${COMMANDS:-$(all_commands)}; do
    reference "$command" || continue
    each_call "$command" 'one piece of memory is refused' memory ''
    each_call "$command" 'no more memory' memory '' FAULT_ON=1
done
# What cairo and those it calls ask for: they leave out parts of a picture and say
# nothing. (In pixels and in texts some of them end the process: README.md.)
FAULT_WITH='cairo pixman libz. freetype libpng'
export FAULT_WITH
for command in ${COMMANDS:-svg pdf report}; do
    case $command in svg | pdf | report) ;; *) continue ;; esac
    reference "$command" || continue
    each_call "$command" 'one piece of the memory of cairo is refused' memory ''
done
finish
