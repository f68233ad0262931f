# bash completion for isogloss, from the program's own tables
_isogloss() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    local commands command='explorer' tables choices='' data=''
    tables=$(isogloss info --tables 2>/dev/null)
    commands=$(awk -F '\t' '$1 == "command" { print $2 }' <<<"$tables")
    [[ " ${commands//$'\n'/ } " == *" ${COMP_WORDS[1]} "* ]] && command=${COMP_WORDS[1]}
    COMPREPLY=()
    # bash splits "--method=seed" at its sign.
    if [[ $word == = ]]; then
        word=
    elif [[ $before == = ]]; then
        before=${COMP_WORDS[COMP_CWORD - 2]}
    fi

    case $before in
    --method | objectives)
        choices=$(isogloss objectives 2>/dev/null | awk '{ print $1 }')
        ;;
    help)
        choices=$commands
        ;;
    demo)
        choices='e5 layers'
        ;;
    --measures)
        choices=$(awk -F '\t' '$1 == "measure" { print $2; print $3 } END { print "all" }' <<<"$tables" | sort -u)
        ;;
    --*)
        # The words of a choice such as "--partner random|next".
        choices=$(awk -F '\t' -v o="$before" '$1 == "option" && "--" $4 == o && /\|/ { print $5 }' <<<"$tables" |
            tr '|' '\n' | grep '^[a-z0-9]*$')
        ;;
    *)
        data='demo demo-e5 demo-layers'
        ;;
    esac
    # Of a list, the next name.
    if [[ $word == *,* ]]; then
        choices=$(awk -v list="${word%,*}," '!index("," list, "," $1 ",") { print list $1 }' <<<"$choices")
    fi
    if [[ $word == -* ]]; then
        choices=$(awk -F '\t' -v c="$command" \
            '$1 == "option" && index(" " $6, " " c " ") { print "--" $4 }' <<<"$tables")
    elif [[ $COMP_CWORD -eq 1 ]]; then
        choices=$commands
    fi
    mapfile -t COMPREPLY < <(compgen -W "$choices" -- "$word")
    # Data, runs and objectives are files, or data the name of a demo.
    if [[ $word != -* && ( -z $choices || $before == --method || $COMP_CWORD -eq 1 ) ]]; then
        mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -W "$data" -- "$word")
    fi
}
complete -o filenames -F _isogloss isogloss
