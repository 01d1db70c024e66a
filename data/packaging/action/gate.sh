#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The second step of action.yml: runs the gate, with annotations and a summary. `options` and `command` are words as a
# shell reads them, because the workflow's author writes them, on one or several lines.
set -eu
INPUT_OPTIONS=$(printf '%s' "$INPUT_OPTIONS" | tr '\n' ' ')
INPUT_COMMAND=$(printf '%s' "$INPUT_COMMAND" | tr '\n' ' ')
set -- --github --quiet
[ -z "$INPUT_SUITE" ] || set -- "$@" --suite "$INPUT_SUITE"
[ -z "$INPUT_N" ] || set -- "$@" -n "$INPUT_N"
[ -z "$INPUT_EXCLUDE" ] || set -- "$@" --exclude "$INPUT_EXCLUDE"
[ -z "$INPUT_JUNIT" ] || set -- "$@" --export "junit:$INPUT_JUNIT"
eval "set -- \"\$@\" $INPUT_OPTIONS"
[ -z "$INPUT_COMMAND" ] || eval "set -- \"\$@\" -- $INPUT_COMMAND"

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
