#!/bin/sh
# Two machines: network namespaces with host names of their own, joined by a wire.
. tests/mpi.sh
small_demo
set=$scratch/demo.npy
one=ig-one-$$ two=ig-two-$$ net=10.77.0

# What the test needs is made or it is left out: a right of root, and Open MPI's way to
# reach another machine.
wire() {
    ip netns add $one && ip netns add $two &&
        ip link add "iga$$" type veth peer name "igb$$" &&
        ip link set "iga$$" netns $one && ip link set "igb$$" netns $two &&
        ip -n $one addr add $net.1/24 dev "iga$$" && ip -n $two addr add $net.2/24 dev "igb$$" &&
        ip -n $one link set "iga$$" up && ip -n $two link set "igb$$" up &&
        ip -n $one link set lo up && ip -n $two link set lo up &&
        ip netns exec $one unshare -u hostname $one
}
unwire() {
    ip netns del $one
    ip netns del $two
}
if [ -z "$job" ] || ! wire >/dev/null 2>&1; then
    unwire >/dev/null 2>&1
    skip 'two machines' 'no network namespaces, or no Open MPI'
    finish
fi
trap 'unwire; rm -rf "$scratch"' EXIT

cat >"$scratch/reach" <<END
#!/bin/sh
# Stands for ssh: [options] HOST COMMAND...
while :; do case \$1 in -*) shift ;; *) break ;; esac; done
shift
exec ip netns exec $two unshare -u sh -c "hostname $two; \$*"
END
cat >"$scratch/ranks" <<END
#!/bin/sh
export OMP_NUM_THREADS=1
exec ip netns exec $one unshare -u sh -c 'hostname $one; exec "\$@"' sh \\
    $MPIRUN --mca plm_rsh_agent "$scratch/reach" --mca btl tcp,self \\
    --mca oob_tcp_if_include $net.0/24 --mca btl_tcp_if_include $net.0/24 \\
    --bind-to none -H $net.1:2,$net.2:2 -n 4 "$program" "\$@"
END
chmod +x "$scratch/reach" "$scratch/ranks"

ISOGLOSS=$scratch/ranks
works 'two machines' info
says 'with two ranks each' "$out" "^ranks  *count 4.*here 2"
works 'as JSON' info --json
works 'they train' train "$set" --epochs 2 --batch 64 --out "$scratch/run"
cp "$scratch/run/epochs.csv" "$scratch/far"
ranks 4
works 'as ranks of one machine do' train "$set" --epochs 2 --batch 64 --out "$scratch/near"
if [ "$(cut -d, -f1-5 "$scratch/far")" = "$(cut -d, -f1-5 "$scratch/near/epochs.csv")" ]; then
    pass 'with the same bytes'
else
    fail 'with the same bytes' "$(cat "$scratch/far")"
fi
ISOGLOSS=$scratch/ranks
works 'they measure' eval "$set" --run "$scratch/run" --json --quiet
cp "$out" "$scratch/far"
ranks 0
works 'as one does' eval "$set" --run "$scratch/run" --json --quiet
rule 'with the same figures' differ "$out" "$scratch/far"
finish
