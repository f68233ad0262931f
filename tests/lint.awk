# Reads all C files of the program and prints a line "rule|file:line: what is wrong" for
# each offence that text alone shows. tests/lint names the rules and counts them.
#
#   awk -v documents='README.md src/train/METHODS.md' -f tests/lint.awk FILES
BEGIN {
    split(documents, list, " ")
    for (i in list) is_document[list[i]] = 1

    # A room may include itself and the rooms named after it.
    allow("core", "")
    allow("data", "core")
    allow("encode", "core data")
    allow("measure", "core data")
    allow("view", "core data")
    allow("train", "core data encode measure view")
    allow("report", "core data encode measure view train")
    allow("api", "core data encode measure view train report")
    allow("explorer", "core data encode measure view train report")
    allow("cli", "core data encode measure view train report explorer")
    program["explorer"] = program["cli"] = 1

    # A foreign header, and the only places that may see it (patterns of awk).
    foreign("cblas\\.h", "src/core/blas\\.c")
    foreign("lapacke\\.h", "src/core/blas\\.c")
    foreign("csv\\.h", "src/data/table\\.c")
    foreign("(n?curses|term|ncursesw/.*)\\.h", "src/explorer/terminal\\.c")
    foreign("zlib\\.h", "src/data/content\\.c")
    foreign("cairo.*", "src/view/picture.*")
    foreign("curl/.*", "src/encode/encoder\\.c")
    foreign("mpi\\.h", "src/core/comm\\.c")
    foreign("pthread\\.h", "src/(core|explorer|api)/.*")
    foreign("utf8proc\\.h", "src/core/text\\.c")

    # The library never prints, exits, reads the environment, touches the locale or signals.
    before = "(^|[^A-Za-z0-9_>.])"
    loud = before "(printf|vprintf|puts|putchar|perror|stdout|stderr|exit|_exit|_Exit|abort" \
        "|quick_exit|atexit|getenv|secure_getenv|setenv|putenv|setlocale|uselocale|signal" \
        "|sigaction|raise)([^A-Za-z0-9_]|$)"
    random = before "(s?rand|s?random|drand48|gets)[ \t]*\\("
    raw = before "(malloc|calloc|realloc|strdup|strndup)[ \t]*\\("
}

function allow(room, others,    list, i) {
    may_include[room, room] = rooms[room] = 1
    split(others, list, " ")
    for (i in list) may_include[room, list[i]] = 1
}

function foreign(header, places) {
    foreigners++
    foreign_header[foreigners] = "^(" header ")$"
    foreign_places[foreigners] = "^(" places ")$"
}

function offence(rule, what) {
    print rule "|" FILENAME ":" FNR ": " what
}

# What is left of a line without comments and strings; `comment` is what the comments say.
function bare(line,    out, end, what) {
    out = comment = ""
    while (line != "") {
        if (inside) {
            end = index(line, "*/")
            comment = comment " " (end ? substr(line, 1, end - 1) : line)
            if (!end) break
            line = substr(line, end + 2)
            inside = 0
        } else if (match(line, /\/\*|\/\/|"(\\.|[^"\\])*"|'(\\.|[^'\\])*'/)) {
            what = substr(line, RSTART, 2)
            out = out substr(line, 1, RSTART - 1) " "
            if (what == "//") {
                comment = comment " " substr(line, RSTART + 2)
                break
            }
            if (what == "/*") inside = 1
            line = substr(line, RSTART + (inside ? 2 : RLENGTH))
        } else {
            out = out line
            break
        }
    }
    return out
}

function include(line,    header, from, i) {
    header = line
    sub(/^[ \t]*#[ \t]*include[ \t]*["<]/, "", header)
    sub(/[">].*/, "", header)
    if (line ~ /</) {
        for (i = 1; i <= foreigners; i++)
            if (header ~ foreign_header[i] && FILENAME !~ foreign_places[i])
                offence("foreign", "<" header "> is not seen here")
        return
    }
    if (header ~ /\.c$/) offence("source", "includes " header)
    from = header
    sub("/.*", "", from)
    if (!((room, from) in may_include)) offence("order", room " may not include " header)
    if (!includes_seen++ && is_source) first_include[stem] = header
    sub(/\.h$/, "", header)
    if (header != stem && !((stem, header) in edge)) {
        edge[stem, header] = FILENAME ":" FNR
        out_degree[stem]++
        to[stem, out_degree[stem]] = header
    }
}

# A type that is defined here: its name must be nowhere else, with another meaning or not.
function defined(name) {
    sub(/^.*ig_/, "ig_", name)
    if (!(name in definition))
        definition[name] = FILENAME
    else if (definition[name] != FILENAME)
        offence("twice", name " is defined in " definition[name] ", too")
}

FNR == 1 {
    if (length_of_file > 900)
        print "long|" last_file ": " length_of_file " lines, more than 900"
    stem = FILENAME
    sub(/^.*src\//, "", stem)
    is_source = sub(/\.c$/, "", stem)
    sub(/\.h$/, "", stem)
    room = base = stem
    sub("/.*", "", room)
    sub(".*/", "", base)
    module[stem] = 1
    if (!is_source) header_of[stem] = FILENAME
    else source_of[stem] = FILENAME
    if ((base in room_of) && room_of[base] != room)
        print "same|" FILENAME ": there is " room_of[base] "/" base ", too"
    room_of[base] = room
    if (!(room in rooms)) print "names|" FILENAME ": not in one of the rooms"
    if (base ~ /^(util|utils|common|misc|helpers)$/) print "names|" FILENAME ": says nothing"
    inside = includes_seen = 0
    last_file = FILENAME
}

{
    length_of_file = FNR
    # Columns, not bytes: a character beyond ASCII counts once.
    if (length($0) > 88) {
        text = $0
        gsub(/[\200-\277]/, "", text)
        if (length(text) > 88) offence("columns", length(text) " columns, more than 88")
    }
    if (/\t/) offence("columns", "a tab")
    if (/[ \t\r]$/) offence("columns", "space at the end of the line")
    if (/(^|[^A-Za-z0-9_])(TODO|FIXME|XXX|HACK)([^A-Za-z0-9_]|$)/) offence("unfinished", $0)
    if (!inside && /^[ \t]*#[ \t]*include/) include($0)

    code = inside || /[\/"']/ ? bare($0) : $0
    if (!(room in program)) {
        text = code
        sub(/format\(printf,/, "", text)
        if (text ~ loud && text !~ /^[ \t]*#[ \t]*include/) offence("loud", $0)
        if (text ~ raw && FILENAME !~ /src\/core\/memory\.c$/) offence("raw", $0)
    }
    if (code ~ random) offence("random", $0)

    if (code ~ /^(typedef )?(struct|union|enum) ig_[a-z0-9_]+ *\{/) {
        text = code
        sub(/ *\{.*/, "", text)
        defined(text)
    }
    if (code ~ /^\} ig_[a-z0-9_]+;/) {
        text = code
        sub(/;.*/, "", text)
        if (definition[substr(text, 3)] != FILENAME) defined(text)
    }

    while (comment != "" && match(comment, /[A-Za-z_\/]*[A-Za-z_]+\.md/)) {
        text = substr(comment, RSTART, RLENGTH)
        comment = substr(comment, RSTART + RLENGTH)
        if (text ~ /^\//) continue # an ending among others, such as FILE.csv|.md
        if (!(text in is_document) && !(("src/" text) in is_document) &&
            !(("src/" room "/" text) in is_document))
            offence("documents", text " is not in the repository")
    }
    comment = ""
}

# What a module reaches, by depth-first search.
function reach(from, at,    i, next_one) {
    for (i = 1; i <= out_degree[at]; i++) {
        next_one = to[at, i]
        if ((from, next_one) in reaches) continue
        reaches[from, next_one] = 1
        reach(from, next_one)
    }
}

END {
    if (length_of_file > 900)
        print "long|" last_file ": " length_of_file " lines, more than 900"
    for (m in source_of)
        if ((m in header_of) && first_include[m] != m ".h")
            print "alone|" source_of[m] ": its own header is not what it includes first"
    for (m in module) reach(m, m)
    for (m in module) {
        if (!((m, m) in reaches)) continue
        count = 0
        other = ""
        room = m
        sub("/.*", "", room)
        for (n in module)
            if (((m, n) in reaches) && ((n, m) in reaches)) {
                count++
                if (n < m) other = "x"
            }
        if (other != "") continue # told by the first of the circle
        text = ""
        for (n in module)
            if (((m, n) in reaches) && ((n, m) in reaches)) text = text " " n
        print "circle-" room "|" (m in source_of ? source_of[m] : header_of[m]) \
            ": a circle of " count " modules:" text
    }
}
