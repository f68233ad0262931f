#!/bin/sh
# The script for Slurm, as far as it can be had without Slurm: by mpirun, and by an srun
# that is one here.
. tests/mpi.sh
small_demo
set=$scratch/demo.npy
script() { # name arguments...
    script_name=$1
    shift
    ISOGLOSS=$program RANKS=2 MPIRUN_OPTIONS=$job OMP_NUM_THREADS=1 \
        bash assets/isogloss.slurm "$@" >"$out" 2>"$err" </dev/null
    status=$?
    exits "$script_name" 0
}

script 'it trains' "$set" "$scratch/run" --batch 64 --epochs 2
says 'by two ranks' "$scratch/run/run.json" '"ranks": 2'
sed 's/"ending": "[^"]*"/"ending": "checkpoint"/' "$scratch/run/run.json" >"$scratch/run.json"
mv "$scratch/run.json" "$scratch/run/run.json"
script 'it begins again' "$set" "$scratch/run" --batch 64 --epochs 4
says 'from the checkpoint' "$scratch/run/run.json" "\"init\": \"$scratch/run\""
says 'to the end' "$scratch/run/epochs.csv" '^4,'

mkdir "$scratch/bin"
cat >"$scratch/bin/srun" <<END
#!/bin/sh
while :; do case \$1 in --*) shift ;; *) break ;; esac; done
OMP_NUM_THREADS=1 exec $MPIRUN $job -n 3 "\$@"
END
chmod +x "$scratch/bin/srun"
PATH=$scratch/bin:$PATH SLURM_JOB_ID=1 SLURM_CPUS_PER_TASK=1
export SLURM_JOB_ID SLURM_CPUS_PER_TASK
script 'by srun' "$set" "$scratch/slurm" --batch 64 --epochs 1
says 'with its tasks' "$scratch/slurm/run.json" '"ranks": 3'
finish
