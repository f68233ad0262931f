#!/bin/sh
# Disks that are full at some point, in earnest: a small file system that has room for a
# part of what is written, a limit of the size of files, streams that take nothing.
# A file system of its own is mounted where that is allowed, for this script alone.
case ${1-} in
apart) mounts=yes ;;
*) # unshare may be there and refused
    unshare -m true 2>/dev/null && exec unshare -m sh "$0" apart
    mounts= ;;
esac
. tests/faults/faults.sh

writing='report svg pdf png transform train replace sweep explore'

# Runs with room for a part of what the command writes: offences.
with_room() { # command, rooms in KiB...
    with_name=$1
    shift
    tried=0 refused=0 found=
    for room; do
        perform "$with_name"
        tried=$((tried + 1))
        [ $status -eq 0 ] || refused=$((refused + 1))
        offence=$(judge "$with_name")
        [ -z "$offence" ] || found="$found
with $room KiB: $offence"
    done
    no_offence "$with_name, a small disk: $tried sizes, $refused too small" "$found"
}

with_limit() { # command, limits in blocks of 512 bytes...
    with_name=$1
    shift
    found=
    for limit; do
        perform "$with_name" sh -c "ulimit -f $limit"' && exec "$@"' sh
        offence=$(judge "$with_name")
        [ -z "$offence" ] || found="$found
$limit blocks: $offence"
    done
    no_offence "$with_name, files have a limit: $*" "$found"
}

# What goes to standard output is lost: that is a failure, but for a reader that left.
without_output() { # command, what, redirection
    perform "$1" sh -c "exec \"\$@\" $3" sh
    if [ -s "$scratch/out.$1" ] && [ $status -eq 0 ]; then
        fail "$1, $2" 'exit 0, and nothing was printed'
        return
    fi
    cp "$scratch/out.$1" "$scratch/out" # none is there to be compared
    offence=$(judge "$1")
    no_offence "$1, $2" "$offence"
}

make_world
snapshot "$world" >"$scratch/before"
small=$scratch/small
mkdir "$small"
if [ -n "$mounts" ] && mount -t tmpfs -o size=8m faults "$small" 2>/dev/null; then
    trap 'umount "$small"; rm -rf "$scratch"' EXIT
else
    mounts=
fi
[ "${COMMANDS-}" != writing ] || COMMANDS=$writing
for command in ${COMMANDS:-$(all_commands)}; do
    reference "$command" || continue
    case " $writing " in *" $command "*)
        if [ -n "$mounts" ]; then
            # Pages of 4 KiB: those of the world, and so many for what is written.
            kept=$work work=$small/work room=
            prepare() {
                mount -o "remount,size=8m" "$small"
                used=$(df -k "$small" | awk 'END { print $3 }')
                mount -o "remount,size=$((used + room))k" "$small"
            }
            case $command in report | svg | sweep | explore) pages=50 ;; *) pages=12 ;; esac
            # shellcheck disable=SC2046 # numbers
            with_room "$command" $(sample $pages $((2 * FAULTS)) | awk '{ print $1 * 4 }')
            prepare() { :; }
            rm -rf "$work"
            mount -o "remount,size=8m" "$small"
            work=$kept
        else
            skip "$command, a small disk" 'no file system may be mounted'
        fi
        with_limit "$command" 1 5 40 ;;
    esac
    without_output "$command" 'a full device' '>/dev/full'
    without_output "$command" 'no standard output' '>&-'
done
finish
