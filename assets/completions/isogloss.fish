# fish completion for isogloss, from the program's own tables
function __isogloss_commands
    isogloss info --tables 2>/dev/null | awk -F '\t' '$1 == "command" && $2 != "" { print $2 "\t" $4 }'
end

function __isogloss_options
    set -l words (commandline -opc)
    set -l command explorer
    if set -q words[2]; and contains -- $words[2] (__isogloss_commands | string split -f1 \t)
        set command $words[2]
    end
    isogloss info --tables 2>/dev/null |
        awk -F '\t' -v c=$command '$1 == "option" && index(" " $6, " " c " ") { print "--" $4 "\t" $7 }'
end

# The words of a choice such as "--partner random|next", after that option or "--partner="; of a
# list the next name.
function __isogloss_choices
    set -l list (string match -r '.*[,=]' -- (commandline -ct))
    __isogloss_words | string replace -r -- '^' "$list"
end

function __isogloss_words
    set -l words (commandline -opc)
    set -l before (string match -r '^--[^=]*(?==)' -- (commandline -ct); or echo $words[-1])
    switch $before
        case --method objectives
            isogloss objectives 2>/dev/null | string split -f1 ' '
        case help
            __isogloss_commands
        case demo
            printf '%s\n' e5 layers
        case --measures
            isogloss info --tables 2>/dev/null |
                awk -F '\t' '$1 == "measure" { print $2; print $3 } END { print "all" }' | sort -u
        case '--*'
            isogloss info --tables 2>/dev/null |
                awk -F '\t' -v o=$before '$1 == "option" && "--" $4 == o && /\|/ { print $5 }' |
                tr '|' '\n' | grep '^[a-z0-9]*$'
    end
end

complete -c isogloss -n 'string match -q -- "-*" (commandline -ct)' -a '(__isogloss_options)'
complete -c isogloss -n 'test (count (commandline -opc)) -eq 1' -a '(__isogloss_commands)'
complete -c isogloss -a '(__isogloss_choices)'
complete -c isogloss -f -n 'count (__isogloss_words); and not contains -- --method (commandline -opc)[-1]'
complete -c isogloss -n 'not string match -qr \'^(-.*|demo|help|objectives)$\' -- (commandline -opc)[-1]' -a 'demo demo-e5 demo-layers'
