#!/bin/sh
# Ranks that share sentences, each with an encoder of its own: the bytes of one.
. tests/mpi.sh
small_demo
for language in en de; do
    awk -F, -v l=$language '$1 == l' "$scratch/demo.csv" | sed 's/^[^,]*,[^,]*,[^,]*,//; s/^"//; s/"$//; s/""/"/g' >"$scratch/$language.txt"
done
# A program that answers with the length of a line, and one that a rank has not.
cat >"$scratch/lengths" <<'END'
#!/bin/sh
while read -r text; do echo "{\"embedding\":[${#text},1]}"; done
END
cat >"$scratch/broken" <<'END'
#!/bin/sh
[ "${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-0}}" -ne 1 ] || exit 3
while read -r text; do echo "{\"embedding\":[${#text},1]}"; done
END
chmod +x "$scratch/lengths" "$scratch/broken"

encode() { # name encoder out
    works "$1" encode --encoder "$2" "en=$scratch/en.txt" "de=$scratch/de.txt" --encoder-batch 16 --out "$3"
}

for encoder in "npy:$scratch/demo.npy" "$scratch/lengths"; do
    case $encoder in npy:*) kind='set' ;; *) kind='program' ;; esac
    ranks 0
    encode "$kind by one" "$encoder" "$scratch/one.npy"
    for n in 2 3 4; do
        ranks $n
        encode "$kind by $n" "$encoder" "$scratch/by$n.npy"
        same "$kind by $n: the same vectors" "$scratch/one.npy" "$scratch/by$n.npy"
        same "$kind by $n: the same table" "$scratch/one.csv" "$scratch/by$n.csv"
    done
done
ranks 3
run encode --encoder "$scratch/broken" "en=$scratch/en.txt" --encoder-batch 16 --out "$scratch/no.npy"
if [ $status -ne 0 ]; then pass 'an encoder of one rank fails'; else fail 'an encoder of one rank fails' "$(told)"; fi
says 'its rank says so' "$err" '^isogloss: rank 1 on '
if [ -e "$scratch/no.npy" ]; then fail 'nothing is written'; else pass 'nothing is written'; fi
finish
