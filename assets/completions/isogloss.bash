# bash completion for isogloss, from the program's own help
_isogloss() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    local commands command='' help choices=''
    commands=$(isogloss --help 2>/dev/null | sed -n '/^Commands:/,/^$/s/^  \([a-z][a-z]*\) .*/\1/p')
    [[ " ${commands//$'\n'/ } " == *" ${COMP_WORDS[1]} "* ]] && command=${COMP_WORDS[1]}
    help=$(isogloss $command --help 2>/dev/null)
    COMPREPLY=()

    case $before in
    --method | objectives)
        choices=$(isogloss objectives 2>/dev/null | awk '{ print $1 }')
        ;;
    help)
        choices=$commands
        ;;
    --*)
        # The words of a choice such as "--partner random|next".
        choices=$(sed -n "s/^ .*$before \([^ ]*|[^ ]*\).*/\1/p" <<<"$help" | tr '|' '\n' | grep '^[a-z0-9]')
        ;;
    esac
    if [[ $word == -* ]]; then
        choices=$(grep -o -e '^  .*--[a-z][a-z0-9-]*' <<<"$help" | grep -o -e '--[a-z0-9-]*')
    elif [[ $COMP_CWORD -eq 1 ]]; then
        choices=$commands
    fi
    mapfile -t COMPREPLY < <(compgen -W "$choices" -- "$word")
    # Data, runs and objectives are files.
    if [[ $word != -* && ( -z $choices || $before == --method || $COMP_CWORD -eq 1 ) ]]; then
        mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$word")
    fi
}
complete -o filenames -F _isogloss isogloss
