#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The second step of action.yml: runs the gate, with annotations and a summary. The inputs `options` and `command` are
# words with the quotation marks, backslashes and comments of a shell, on one or several lines. No shell reads the words:
# a character with which a shell would do more than to separate words is an error.
set -eu
newline='
'

# broken REASON...
broken() {
    printf 'shufflebias: %s\n' "$*" >&2
    echo verdict=broken >>"$GITHUB_OUTPUT"
    exit 2
}

# Moves $1 characters from the start of $rest to $taken.
take() {
    taken=$rest
    for _ in $(seq "$1"); do
        rest=${rest#?}
    done
    taken=${taken%"$rest"}
}

refuse() {
    take 1
    broken "the input '$input' has $taken where a shell would interpret it: put the word in single quotation marks," \
        "or give sh -c '...' as the command"
}

# Moves the text in double quotation marks at the start of $rest to $word.
take_quoted() {
    rest=${rest#?}
    while :; do
        plain=${rest%%[\"\\\$\`]*}
        word=$word$plain
        rest=${rest#"$plain"}
        case $rest in
        \"*) rest=${rest#?} && return ;;
        "\\$newline"*) rest=${rest#??} ;;
        \\[\"\\\$\`]*) take 2 && word=$word${taken#?} ;;
        \\*) take 1 && word=$word$taken ;;
        '') broken "the input '$input' has a quotation mark without a partner" ;;
        *) refuse ;;
        esac
    done
}

# Moves the next word from $rest to $word. Returns 1 if there are no more words.
take_word() {
    word=
    began=false
    while [ -n "$rest" ]; do
        case $rest in
        [[:space:]]*) rest=${rest#?} && { ! $began || return 0; } && continue ;;
        "\\$newline"*) rest=${rest#??} && continue ;;
        \#*) $began || { rest=${rest#"${rest%%"$newline"*}"} && continue; } ;;
        \~*) $began || refuse ;;
        esac
        began=true
        case $rest in
        \\?*) take 2 && word=$word${taken#?} ;;
        \\) broken "the input '$input' ends in a backslash" ;;
        \'*\'*) rest=${rest#?} && word=$word${rest%%\'*} && rest=${rest#*\'} ;;
        \'*) broken "the input '$input' has a quotation mark without a partner" ;;
        \"*) take_quoted ;;
        [\;\&\|\<\>\(\)\$\`*?[]*) refuse ;;
        *) take 1 && word=$word$taken ;;
        esac
    done
    $began
}

set -- --github --quiet
[ -z "$INPUT_SUITE" ] || set -- "$@" --suite "$INPUT_SUITE"
[ -z "$INPUT_N" ] || set -- "$@" -n "$INPUT_N"
[ -z "$INPUT_MAX_BIAS" ] || set -- "$@" --max-bias "$INPUT_MAX_BIAS"
[ -z "$INPUT_JUNIT" ] || set -- "$@" --export "junit:$INPUT_JUNIT"
for input in options command; do
    case $input in
    options) rest=$INPUT_OPTIONS ;;
    command) rest=$INPUT_COMMAND && [ -n "$rest" ] && set -- "$@" -- ;;
    esac
    while take_word; do
        set -- "$@" "$word"
    done
done

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
