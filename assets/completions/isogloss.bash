# bash completion for isogloss
_isogloss() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    local commands='demo train search project render objectives info'
    local options='--help --version --json --threads --seed --quiet --meta --delimiter
        --vectors --pairs --dims --limit --dim --raw-type --run --no-mouse'
    local training='--method --out --epochs --batch --lr --patience --valid --pairing
        --partner --order --init --weight-decay --normalize --optimizer --set'
    local searching='--row --text --space --k --to'
    local projecting='--components --fit --svg --pdf --png'
    local choices=

    case $before in
    --method) choices=$(isogloss objectives 2>/dev/null | awk '{ print $1 }') ;;
    --partner) choices='random next' ;;
    --order) choices='shuffled sequential' ;;
    --pairing) choices='pivot all' ;;
    --space) choices='original meaning language' ;;
    --fit) choices='original meaning language joint' ;;
    --raw-type) choices='f16 f32' ;;
    objectives) choices=$(isogloss objectives 2>/dev/null | awk '{ print $1 }') ;;
    *)
        case ${COMP_WORDS[1]} in
        train) options="$options $training" ;;
        search) options="$options $searching" ;;
        project) options="$options $projecting" ;;
        render) options="$options $training --keys" ;;
        info) options='--help --version --json' ;;
        *) options="$options $training" ;;
        esac
        if [[ $word == -* ]]; then
            choices=$options
        elif [[ $COMP_CWORD -eq 1 ]]; then
            choices=$commands
        fi
        ;;
    esac
    mapfile -t COMPREPLY < <(compgen -W "$choices" -- "$word")
    # Data, runs and objectives are files.
    if [[ $word != -* ]]; then
        mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$word")
    fi
}
complete -o filenames -F _isogloss isogloss
