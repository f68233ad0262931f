#!/bin/sh
# A folder of versions that grows, shrinks and is damaged while it is watched.
. tests/screen.sh

cd "$scratch" || exit 1
mkdir ft
printf 'lang,id,text\nen,1,one\nen,2,two\nde,1,eins\nde,2,zwei\n' >ft/set.csv
npy() { # rows, byte of the values, FILE: appears by rename
    {
        printf "\223NUMPY\001\000v\000%-117s\n" \
            "{'descr': '|u1', 'fortran_order': False, 'shape': ($1, 4), }"
        for i in 1 2 3 4 5 6 7 8; do printf "$2\001\002\00$i"; done | head -c "$(($1 * 4))"
    } >"$3.tmp"
    mv "$3.tmp" "$3"
}
npy 4 '\001' 'ft/step 9.npy'
npy 4 '\002' 'ft/step 10.npy'

terminal 100 30
type_in "cd $scratch && isogloss ft"
shows 'the first version is shown' 'version 9 '
shows 'of the dataset that the folder names' 'isogloss  ft .*4 rows'
npy 4 '\003' 'ft/step 11.npy'
shows 'a file that appears joins' '11 joined'
shows 'the version shown stays' 'version 9 '
keys '}' '}'
shows 'to the last' 'version 11 '
npy 4 '\003' ft/11.npy
shows 'another one of its name is called by its file' 'version 11.npy '
npy 4 '\004' 'ft/step 12.npy'
shows 'who looks at the last moves along' 'version 12 '
npy 3 '\004' 'ft/step 13.npy'
shows 'other rows are refused' 'step 13.npy has 3 rows but ft/step 9.npy has 4'
npy 4 '\005' 'ft/step 13.npy'
shows 'a good one in its place joins' 'version 13 '
printf 'no array' >'ft/step 14.npy'
shows 'a damaged file is refused' 'step 14.npy: '
rm 'ft/step 14.npy' 'ft/step 10.npy'
keys '{' '{' '{' '{'
shows 'the version of a file that is removed stays' 'version 10 '
npy 4 '\006' 'ft/step 9.npy'
shows 'a file that is replaced is reported' 'ft/step 9.npy was changed'
keys '{'
shows 'its version is there, too' 'version 9 '
keys '}' '}' '}' '}' '}'
shows 'the last' 'version 13 '
keys ':'
npy 4 '\007' 'ft/step 15.npy'
keys Escape
shows 'the folder is still watched' 'version 15 '
dd if='ft/step 13.npy' of='ft/step 12.npy' conv=notrunc 2>/dev/null # the folder does not show it
shows 'a file that is changed in place is reported, too' 'ft/step 12.npy was changed'
printf 'no array' >'ft/step 16.npy'
shows 'a damaged one' 'step 16.npy: '
cat 'ft/step 15.npy' >'ft/step 16.npy'
shows 'joins once it is good' '16 joined'
mv ft/set.csv ft/set.csv~
npy 4 '\007' 'ft/step 17.npy'
mv ft/set.csv~ ft/set.csv
shows 'files join once the table is back' '17 joined'
: >'ft/step 11.npy'
shows 'a file that is truncated is reported' 'ft/step 11.npy was changed'
keys q
shows 'it has ended' '^ready>'
finish
