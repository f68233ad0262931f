#!/bin/sh
# isogloss encode, search and :ask with servers as they are in the world (embedding_server.py).
. tests/cli.sh

if ! command -v python3 >/dev/null 2>&1; then
    skip 'servers' 'no python3'
    finish
    exit
fi
XDG_CONFIG_HOME=$scratch/config
export XDG_CONFIG_HOME
unset ISOGLOSS_API_KEY CURL_CA_BUNDLE SSL_CERT_FILE SSL_CERT_DIR REQUESTS_CA_BUNDLE
serve=$PWD/tests/cli/embedding_server.py
here=$PWD
cd "$scratch" || exit 1
mkdir home
if openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 2 -subj /CN=127.0.0.1 \
    -addext subjectAltName=IP:127.0.0.1 >/dev/null 2>&1; then
    python3 -S "$serve" home cert.pem key.pem 2>server-errors &
else
    python3 -S "$serve" home 2>server-errors &
fi
server=$!
trap 'kill $server 2>/dev/null; rm -rf "$scratch"' EXIT
until [ -e home/port ] || ! kill -0 $server 2>/dev/null; do sleep 0.05; done
port=$(cat home/port)
at=http://127.0.0.1:$port
too_long='a sentence that is too long'
printf 'One\ntwo\nth,ree\nfour\n%s\nsix\nseven\n' "$too_long" >en.txt
printf 'One\ntwo\nth,ree\nfour\n' >few.txt
encode() { # name mode file arguments...
    encode_name=$1 encode_mode=$2 encode_file=$3
    shift 3
    works "$encode_name" encode --encoder "$at/$encode_mode/v1" "en=$encode_file" --out x.npy "$@"
}
refused() { # name status text mode arguments...
    refused_name=$1 refused_status=$2 refused_text=$3 refused_mode=$4
    shift 4
    rm -f x.*
    fails "$refused_name" "$refused_status" "$refused_text" \
        encode --encoder "$at/$refused_mode/v1" en=en.txt --out x.npy "$@"
}

# --- texts that are refused --------------------------------------------------------------------
for code in 400 422; do
    refused "a text too long, $code" 1 "/long$code/v1/embeddings: en: row 4, '$too_long': answered $code: input is longer than 20" "long$code"
done
says 'what comes before it is kept' "$err" 'x.npy.part has 4 of 7 rows'
rm -f x.*
encode 'too many texts' batch en.txt -q
if [ "$(grep -c '^batch 4 ' home/log)" -ge 1 ]; then pass 'are sent in parts'; else fail 'are sent in parts' "$(cat home/log)"; fi

# --- stopped and resumed -----------------------------------------------------------------------
printf 'Eins\nzwei\n' >de.txt
mkdir config config/isogloss
printf 'encoder-batch = 1\nencoder-requests = 1\n' >config/isogloss/config
stops=$at/twice/v1
fails 'a server that stops' 1 'answered 403: no more' encode --encoder "$stops" en=few.txt de=de.txt --out r.npy
says 'what there is' "$err" 'answered 403: no more; r.npy.part has 2 of 6 rows; run the same command to resume$'
if [ -e r.npy ]; then fail 'no half of a set'; else pass 'no half of a set'; fi
fails 'other texts' 2 'r.npy.part was begun with other texts, another encoder, prefix or type, or is no part' \
    encode --encoder "$stops" en=few.txt --out r.npy
for other in --prefix=x; do
    fails "$other" 2 'r.npy.part was begun with other' encode --encoder "$stops" $other en=few.txt de=de.txt --out r.npy
done
printf x >>r.npy.part # a row cut short
: >home/go
works 'the same command' encode --encoder "$stops" en=few.txt de=de.txt --out r.npy
says 'resumes' "$out" '^resumed *2$'
is 'no sentence is encoded twice' 7 "$(grep -c '^twice 1 ' home/log)"
rm home/go
start_until "asking again" encode --encoder "$at/hangs/v1" --encoder-timeout 1 en=few.txt --out s.npy
end_by TERM
exits 'interrupted' 143
says 'is reported' "$err" 's.npy.part has 1 of 4 rows'
rm -r config
works 'in one piece' encode --encoder "$at/plain/v1" en=few.txt de=de.txt --out one.npy -q
if cmp -s r.npy one.npy && cmp -s r.csv one.csv; then pass 'the same set'; else fail 'the same set' "$(cat r.csv)"; fi
fails 'a table written meanwhile' 2 'late.csv exists and is not known' \
    encode --encoder "$at/meanwhile/v1" en=few.txt --out late.npy
says 'stays, with what was encoded' "$err" 'late.npy.part has 4 of 4 rows; run the same command to resume'
rm late.csv
works 'which is then the set' encode --encoder "$at/meanwhile/v1" en=few.txt --out late.npy
rm -f x.*

# --- servers that are busy ---------------------------------------------------------------------
encode 'a server that is busy' busy few.txt
says 'is waited for' "$err" '/busy/v1/embeddings: answered 429: slow down; asking again in 1 s (try 2 of 6)$'

# --- addresses ---------------------------------------------------------------------------------
works 'an address without http://' encode --encoder "127.0.0.1:$port/plain/v1" en=few.txt --out a.npy -q
says 'its model' a.json '"model": "the-model"'
rm -f x.*
fails 'another scheme' 2 '--encoder ftp://host/v1: a server is http://' encode --encoder ftp://host/v1 en=few.txt --out x.npy
works 'a socket' encode --encoder "unix:$scratch/home/socket:/plain/v1" en=few.txt --out b.npy -q
if cmp -s a.npy b.npy; then pass 'the same vectors'; else fail 'the same vectors'; fi
printf 'def encode(texts):\n    return [[len(text.encode()), 1] for text in texts]\n' >own.py
python3 -S "$here/assets/encode.py" own.py:encode --port 0 >url &
trap 'kill $server $! 2>/dev/null; rm -rf "$scratch"' EXIT
until [ -s url ] || ! kill -0 $! 2>/dev/null; do sleep 0.05; done
works 'the server of assets' encode --encoder "$(cat url)" en=few.txt --out c.npy -q
says 'its model' c.json '"model": "own.py:encode"'
if cmp -s a.npy c.npy; then pass 'the same vectors of its function'; else fail 'the same vectors of its function'; fi
works 'an address without /v1' encode --encoder "$at" en=few.txt --out x.npy -q
fails 'a page that is nowhere' 1 '/bare/none/embeddings: answered 404: no such page' \
    encode --encoder "$at/bare/none" en=few.txt --out y.npy
works 'a query' encode --encoder "$at/plain/v1/embeddings?api-version=1" en=few.txt --out x.npy -q
says 'stands at the end' home/log ' /plain/v1/embeddings?api-version=1 '
refused 'a model that must be named' 1 'answered 400: model is required' model
works 'named' encode --encoder "$at/model/v1" --encoder-model m en=few.txt --out x.npy -q
refused 'a redirect' 1 'answered 307; redirects are not followed: name their target' moved

# --- certificates ------------------------------------------------------------------------------
if [ -e home/tls ]; then
    tls=https://127.0.0.1:$(cat home/tls)/plain/v1
    fails 'an unknown certificate' 1 'ertificate' encode --encoder "$tls" en=few.txt --out x.npy
    for variable in SSL_CERT_FILE CURL_CA_BUNDLE REQUESTS_CA_BUNDLE; do
        eval "$variable=cert.pem; export $variable"
        works "one of $variable" encode --encoder "$tls" en=few.txt --out x.npy -q
        unset "$variable"
    done
    mkdir certificates
    cp cert.pem "certificates/$(openssl x509 -hash -noout -in cert.pem).0"
    SSL_CERT_DIR=certificates
    export SSL_CERT_DIR
    works 'one of SSL_CERT_DIR' encode --encoder "$tls" en=few.txt --out x.npy -q
    unset SSL_CERT_DIR
else
    skip 'certificates' 'openssl makes none'
fi

# --- headers, dimensions, bounds ---------------------------------------------------------------
SESAME=sesame-4712
export SESAME
# shellcheck disable=SC2016 # isogloss expands it
{
    works 'a header from the environment' encode --encoder "$at/header/v1" --encoder-header 'api-key: $SESAME' en=few.txt --out h.npy
    refused 'that a server repeats' 1 'answered 403: ***' echo --encoder-header 'api-key: $SESAME'
    refused 'that is not there' 2 '--encoder-header api-key: the environment has no line of text NOBODY' header --encoder-header 'api-key: $NOBODY'
}
refused 'no header' 2 "--encoder-header takes 'NAME: VALUE'" header --encoder-header nonsense
if grep -rlF sesame-4712 "$scratch" >leaks; then fail 'its value is nowhere' "$(cat leaks)"; else pass 'its value is nowhere'; fi
encode 'dimensions' plain few.txt --encoder-dims 3 --overwrite
says 'are asked for' "$out" '^dims *3$'
works 'and again of the set' search x.npy --text 'new words' --k 1 --json -q
refused 'others' 1 '2 dimensions in the answer to text 1, not 3 as --encoder-dims asks' two --encoder-dims 3
encode 'a prefix' plain few.txt --prefix 'q: ' --overwrite
says 'is reported' x.json '"prefix": "q: "'
is 'stands before the text' '6 1 6 1 9 1 7 1' "$(od -An -j128 -v -tfF x.npy | xargs)"
refused 'a small answer with many lists' 1 'the answer is longer than its vectors need' bomb
refused 'an answer without end' 1 'the answer is longer than its vectors need' endless

# --- who is asked ------------------------------------------------------------------------------
works 'a sentence that is sent' search a.npy --text 'new words' --k 1 --json
says 'says to whom' "$err" "^isogloss: encoding the query: http://127.0.0.1:$port\$"
works 'not where a row has it' search a.npy --text two --k 1 --json
if grep -q asked "$err"; then fail 'nobody is asked' "$(cat "$err")"; else pass 'nobody is asked'; fi
works 'the explorer' render a.npy --size 120x24 --keys ':ask two words<Enter>'
says 'says so' "$out" "typed sentence 1 .*; asked http://127.0.0.1:$port "
works 'and again' render a.npy --size 120x24 --keys ':ask two words<Enter>:ask more<Enter>'
says 'of two' "$out" '^.* typed sentence 2 (en?) is on the map.*; asked http'
cd "$here" || exit 1
finish
