#!/bin/sh
# The commands and figures of assets/docs.
. tests/cli.sh

if command -v python3 >/dev/null 2>&1; then
    python3 tests/all/documents.py "$ISOGLOSS" assets/docs/*.md
else
    echo '1..0 # SKIP python3 runs the documents'
fi
