# fish completion for isogloss, from the program's own help
function __isogloss_commands
    isogloss --help 2>/dev/null | sed -n '/^Commands:/,/^$/s/^  \([a-z][a-z]*\)  *\(.*\)/\1\t\2/p'
end

function __isogloss_help
    set -l words (commandline -opc)
    set -l command
    if set -q words[2]; and contains -- $words[2] (__isogloss_commands | string split -f1 \t)
        set command $words[2]
    end
    isogloss $command --help 2>/dev/null
end

function __isogloss_options
    __isogloss_help | sed -n 's/^  \(-., \)*\(--[a-z0-9-]*\).*/\2/p'
end

# The words of a choice such as "--partner random|next", after that option.
function __isogloss_choices
    set -l words (commandline -opc)
    set -l before $words[-1]
    switch $before
        case --method objectives
            isogloss objectives 2>/dev/null | string split -f1 ' '
        case help
            __isogloss_commands
        case '--*'
            __isogloss_help | sed -n "s/^ .*$before \([^ ]*|[^ ]*\).*/\1/p" | tr '|' '\n' | grep '^[a-z0-9]'
    end
end

complete -c isogloss -n 'string match -q -- "-*" (commandline -ct)' -a '(__isogloss_options)'
complete -c isogloss -n 'test (count (commandline -opc)) -eq 1' -a '(__isogloss_commands)'
complete -c isogloss -a '(__isogloss_choices)'
