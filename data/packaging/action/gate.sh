#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The second step of action.yml: runs the gate, with annotations and a summary. `options` and `command` are words as a
# shell reads them, because the workflow's author writes them, on one or several lines. The end of a line separates words,
# except within quotation marks or after a backslash.
set -eu
set -- --github --quiet
[ -z "$INPUT_SUITE" ] || set -- "$@" --suite "$INPUT_SUITE"
[ -z "$INPUT_N" ] || set -- "$@" -n "$INPUT_N"
[ -z "$INPUT_EXCLUDE" ] || set -- "$@" --exclude "$INPUT_EXCLUDE"
[ -z "$INPUT_JUNIT" ] || set -- "$@" --export "junit:$INPUT_JUNIT"
words=$INPUT_OPTIONS
[ -z "$INPUT_COMMAND" ] || words="$words
--
$INPUT_COMMAND"
part= # lines whose quotation marks are still open
while IFS= read -r line; do
    part=$part$line
    case $part in
    *\\) part=${part%?} && continue ;;
    esac
    if sh -nc "set -- $part" 2>/dev/null; then
        eval "set -- \"\$@\" $part"
        part=
    else
        part="$part
"
    fi
done <<END
$words
END
if [ -n "$part" ]; then
    echo "shufflebias: a quotation mark has no partner, or a word needs quotation marks: $part" >&2
    echo verdict=broken >>"$GITHUB_OUTPUT"
    exit 2
fi

status=0
shufflebias gate "$@" || status=$?
case $status in
0) verdict=pass ;;
1) verdict=fail ;;
3) verdict=inconclusive ;;
*) verdict=broken ;;
esac
echo "verdict=$verdict" >>"$GITHUB_OUTPUT"
exit $status
