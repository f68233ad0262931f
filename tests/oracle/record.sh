#!/bin/sh
# Trains the runs and records the figures, only with a build of commit a3fcb3d: a newer
# program is compared with these records and must not write them.
#
#   git worktree add ../old a3fcb3d && make -C ../old
#   sh tests/oracle/record.sh ../old/build/isogloss
set -eu
ISOGLOSS=$(realpath "$1")
export ISOGLOSS
cd "$(dirname "$0")/../.."

train() { # dataset, its file, options...
    name=$1 file=$2
    shift 2
    for method in seed centre leace dream; do
        "$ISOGLOSS" train "$file" --method $method "$@" \
            --out "tests/oracle/runs/$name/$method" --overwrite -q
    done
}

mkdir -p tests/oracle/records tests/oracle/runs
for name in demo mixed several incomplete; do
    mkdir -p tests/oracle/runs/$name
done
train demo data/demo.npy --dims 64 --epochs 8 --lr 3e-4
train mixed tests/golden/mixed.npy --dims 64 --epochs 8 --lr 3e-4
train several tests/golden/several.npy --batch 32 --epochs 20 --lr 1e-3
train incomplete tests/oracle/incomplete.npy --batch 64 --epochs 20 --lr 1e-3 --holdout 0.3
python3 tests/oracle/compare.py --record
