# shellcheck shell=sh
# Several processes on this machine. Sourced by tests/mpi/*.sh. After `ranks N` the functions
# of tests/cli.sh run the program under mpirun.
. tests/cli.sh

program=$ISOGLOSS
MPIRUN=${MPIRUN:-mpirun}
# Containers are root, have fewer processors than ranks, and no ssh.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_plm_rsh_agent=false OMPI_MCA_btl_base_warn_component_unused=0
case $($MPIRUN --version 2>&1) in
*'Open MPI'* | *OpenRTE*) job='--oversubscribe --bind-to none' ;;
*) job= ;;
esac

# From now on the program has N ranks of one thread each; 0: none, without mpirun.
ranks() { # N [environment...]
    count=$1
    shift
    if [ "$count" -eq 0 ]; then
        ISOGLOSS=$program
        return
    fi
    cat >"$scratch/ranks" <<END
#!/bin/sh
OMP_NUM_THREADS=\${OMP_NUM_THREADS:-1} exec $MPIRUN $job -n $count env $* "$program" "\$@"
END
    chmod +x "$scratch/ranks"
    ISOGLOSS=$scratch/ranks
}

# Starts N processes in the background, as $job_pid; the process of rank R is in $scratch/pid.R.
start() { # N arguments...
    count=$1
    shift
    rm -f "$scratch"/pid.*
    cat >"$scratch/rank" <<END
#!/bin/sh
echo \$\$ >"$scratch/pid.new.\$\$"
mv "$scratch/pid.new.\$\$" "$scratch/pid.\${OMPI_COMM_WORLD_RANK:-\$PMI_RANK}"
exec "$program" "\$@"
END
    chmod +x "$scratch/rank"
    # shellcheck disable=SC2086 # words of a command
    OMP_NUM_THREADS=1 $MPIRUN $job -n "$count" "$scratch/rank" "$@" >"$out" 2>"$err" </dev/null &
    job_pid=$!
    for started in $(seq 0 $((count - 1))); do
        until [ -f "$scratch/pid.$started" ] || ! kill -0 $job_pid 2>/dev/null; do sleep 0.05; done
    done
}

# Waits until a command is true, or the job has ended.
until_true() { # command...
    until "$@" >/dev/null 2>&1 || ! kill -0 $job_pid 2>/dev/null; do sleep 0.02; done
}

# Kills a rank of the job that `start` started, and waits for the end of it; $status.
kill_rank() { # rank
    kill -9 "$(cat "$scratch/pid.$1")"
    wait $job_pid
    status=$?
}

# Files with the same bytes.
same() { # name file file
    succeeds "$1" cmp "$2" "$3"
}

# Numbers that differ by more than 1e-6 (relative above 1), and words that differ.
differ() { # file file
    sed 's/[][,{}"]/ /g' "$1" >"$scratch/left"
    sed 's/[][,{}"]/ /g' "$2" >"$scratch/right"
    paste -d '|' "$scratch/left" "$scratch/right" | awk -F'|' '
    { n = split($1, a, " "); if (n != split($2, b, " ")) { print "line " NR ": " $0; exit }
      for (i = 1; i <= n; i++) {
        if (a[i] == b[i]) continue
        d = a[i] - b[i]; d = d < 0 ? -d : d; s = a[i] < 0 ? -a[i] : a[i]
        if (!(a[i] ~ /[0-9]/) || d > 1e-6 * (s > 1 ? s : 1)) { print "line " NR ": " a[i] " and " b[i]; exit }
      } }'
}

# A command's figures by one, and by 3 ranks, or by $several.
each() { # name arguments...
    each_name=$1
    shift
    ranks 0
    works "$each_name by one" "$@"
    cp "$out" "$scratch/expected"
    for n in ${several:-3}; do
        ranks $n
        works "$each_name by $n" "$@"
        rule "$each_name by $n as by one" differ "$scratch/expected" "$out"
    done
}
