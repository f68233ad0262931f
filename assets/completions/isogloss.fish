# fish completion for isogloss
set -l commands demo train search project render objectives info
set -l first "not __fish_seen_subcommand_from $commands"

complete -c isogloss -n $first -a demo -d 'The explorer on the demo set'
complete -c isogloss -n $first -a train -d 'Train and write a run directory'
complete -c isogloss -n $first -a search -d 'The nearest rows of a sentence'
complete -c isogloss -n $first -a project -d 'Principal components as CSV or a picture'
complete -c isogloss -n $first -a render -d 'One frame as text'
complete -c isogloss -n $first -a objectives -d 'List the presets, or print one'
complete -c isogloss -n $first -a info -d 'Version, BLAS, vector instructions, terminal'

complete -c isogloss -s h -l help -d 'Help'
complete -c isogloss -s V -l version -d 'Version'
complete -c isogloss -l json -d 'One JSON document on stdout'
complete -c isogloss -l threads -x -d 'Threads to use'
complete -c isogloss -l seed -x -d 'Seed of every random choice'
complete -c isogloss -s q -l quiet -d 'No progress'
complete -c isogloss -l meta -r -d 'Table beside the matrix'
complete -c isogloss -l pairs -r -d 'Pairs of rows'
complete -c isogloss -l dims -x -d 'First K columns'
complete -c isogloss -l limit -x -d 'Stratified sample of ids'
complete -c isogloss -l run -r -d 'Apply a run'
complete -c isogloss -l method -r -a '(isogloss objectives 2>/dev/null | string split -f1 " ")' -d 'Preset or file'
complete -c isogloss -l init -r -d 'Weights to start from'
for option in epochs batch lr patience valid weight-decay
    complete -c isogloss -l $option -x
end
complete -c isogloss -l pairing -x -a 'pivot all'
complete -c isogloss -l partner -x -a 'random next'
complete -c isogloss -l order -x -a 'shuffled sequential'
complete -c isogloss -n '__fish_seen_subcommand_from train' -l out -r -d 'Run directory to write'

complete -c isogloss -n '__fish_seen_subcommand_from search' -l row -x -d 'Query row'
complete -c isogloss -n '__fish_seen_subcommand_from search' -l text -x -d 'Query text'
complete -c isogloss -n '__fish_seen_subcommand_from search' -l space -x -a 'original meaning language'
complete -c isogloss -n '__fish_seen_subcommand_from search' -l k -x -d 'Neighbours'
complete -c isogloss -n '__fish_seen_subcommand_from search' -l to -x -d 'Languages'
complete -c isogloss -n '__fish_seen_subcommand_from project' -l components -x
complete -c isogloss -n '__fish_seen_subcommand_from project' -l fit -x -a 'original meaning language joint'
complete -c isogloss -n '__fish_seen_subcommand_from project' -l svg -r
complete -c isogloss -n '__fish_seen_subcommand_from project' -l pdf -r
complete -c isogloss -n '__fish_seen_subcommand_from project' -l png -r
complete -c isogloss -n '__fish_seen_subcommand_from render' -l keys -x -d 'Keys, then the frame'
complete -c isogloss -n '__fish_seen_subcommand_from objectives' -x -a '(isogloss objectives 2>/dev/null | string split -f1 " ")'
