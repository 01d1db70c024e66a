#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What `meson install` installs is enough to build against: install.sh BUILD SOURCE CC...
#
# Each header compiles by itself in C17 and C++. A small program builds through pkg-config, shared and static, and runs.
# So do the installed examples, which check their own results, also with sanitizers and under valgrind.
set -eu
build=$1
source=$2
shift 2 # the C compiler stays as "$@"

fail() {
    echo "install: $*" >&2
    exit 1
}

root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
meson install -C "$build" --no-rebuild --quiet --destdir "$root" >"$root/log" 2>&1 ||
    { cat "$root/log" >&2; fail 'meson install failed'; }

installed() {
    found=$(find "$root" -name "$1" | head -n 1)
    [ -n "$found" ] || fail "no $1 was installed"
    echo "$found"
}

header=$(installed shufflebias.h)
pc=$(installed shufflebias.pc)
shared=$(installed libshufflebias.so)
static=$(installed libshufflebias.a)
prefix=${header%/include/shufflebias.h}
program=$prefix/bin/shufflebias
[ -x "$program" ] || fail 'no program was installed'
cmp "$header" "$source/src/shufflebias.h"
[ "$(find "$prefix/include" | wc -l)" -eq 2 ] || fail 'more than shufflebias.h was installed'

for each in man/man1/shufflebias-gate.1 man/man3/shufflebias.3 man/man5/shufflebias-suite.5 bash-completion/completions/shufflebias zsh/site-functions/_shufflebias \
    fish/vendor_completions.d/shufflebias.fish shufflebias/schema/report-2.json shufflebias/ci/github.yml \
    shufflebias/adapters/prove.py shufflebias/subjects/naive.py shufflebias/watch/shufflebias-watch.service \
    doc/shufflebias/gate.md; do
    [ -s "$prefix/share/$each" ] || fail "share/$each was not installed"
done

# The header alone.
echo '#include <shufflebias.h>' >"$root/alone.c"
"$@" -std=c17 -Wall -Wextra -Wpedantic -Werror -I"$prefix/include" -fsyntax-only "$root/alone.c"
plus=
for each in c++ g++ clang++; do
    command -v $each >/dev/null && plus=$each && break
done
if [ -n "$plus" ]; then
    $plus -x c++ -std=c++11 -Wall -Wextra -Wpedantic -Werror -I"$prefix/include" -fsyntax-only "$root/alone.c"
else
    echo 'no C++ compiler here: the header was tried as C alone'
fi

# A program against it. Everything under $prefix, as if it had been installed there.
cat >"$root/try.c" <<'END'
#include <shufflebias.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    struct sb_request *request = sb_request_new("report");
    struct sb_result *result;
    int well;

    sb_set(request, "scheme", "naive");
    sb_set(request, "by", "exact");
    result = sb_run(request);
    well = result && strcmp(sb_get(result, "reports.0.verdict"), "biased") == 0;
    sb_result_free(result);
    sb_request_free(request);
    return !well || puts(sb_version()) == EOF;
}
END
PKG_CONFIG_PATH=${pc%/*}
export PKG_CONFIG_PATH
flags() {
    pkg-config --define-variable=prefix="$prefix" "$@" shufflebias
}
version=$(flags --modversion)

# shellcheck disable=SC2046 # flags are words
"$@" -std=c17 -Wall -Werror "$root/try.c" -o "$root/try-shared" $(flags --cflags --libs)
seen=$(LD_LIBRARY_PATH=${shared%/*} "$root/try-shared")
[ "$seen" = "$version" ] || fail "the shared library says it is $seen, its pkg-config file says $version"

# The unit test that docs/library.md shows, which passes.
# shellcheck disable=SC2016 # a fence of Markdown
sed -n '/^```c$/,/^```$/{/^```/d;p}' "$source/docs/library.md" >"$root/shown.c"
grep -q sb_request_new "$root/shown.c" || fail 'docs/library.md shows no unit test'
# shellcheck disable=SC2046
"$@" -std=gnu17 -Wall -Werror "$root/shown.c" -o "$root/shown" $(flags --cflags --libs)
LD_LIBRARY_PATH=${shared%/*} "$root/shown" >"$root/log" || fail "the unit test of docs/library.md fails: $(cat "$root/log")"

# Each function's comment names an example, which was installed and calls it, or has one.
examples=$(find "$prefix/share" -type d -path '*/shufflebias/examples')
python3 - "$prefix/include" "$examples" <<'END' || fail 'a function has no example'
import pathlib, re, sys
headers, examples = map(pathlib.Path, sys.argv[1:])
for header in sorted(headers.glob('*.h')):
    for comment, function in re.findall(r'/\*((?:(?!\*/).)*)\*/\nSB_API [^;]*?(sb_\w+)\(', header.read_text(), re.DOTALL):
        named = re.search(r'Example: (\w+\.c|above|below)\.', ' '.join(comment.replace('*', ' ').split()))
        where = header if named and named[1] in ('above', 'below') else examples / named[1] if named else None
        if not where or function not in where.read_text():
            sys.exit(f'{header.name}: {function}()')
    if len(re.findall('^SB_API', header.read_text(), re.MULTILINE)) != len(re.findall(r'\*/\nSB_API', header.read_text())):
        sys.exit(f'{header.name}: a function has no comment')
END

# The examples: example NAME HOW FLAG... builds one with these flags and runs it by `HOW`, a command or nothing.
example() {
    name=$1
    how=$2
    shift 2
    # shellcheck disable=SC2046,SC2086
    "$@" -std=c17 -g -Wall -Wextra -Werror "$examples/$name.c" -o "$root/$name" \
        $(flags --cflags --libs) $(pkg-config --libs gsl) -lm
    # shellcheck disable=SC2086
    LD_LIBRARY_PATH=${shared%/*} $how "$root/$name" "$root" >"$root/log" 2>&1 ||
        { cat "$root/log" >&2; fail "$name, built by '$*' and run by '$how', failed"; }
}
for name in $(cd "$examples" && ls | sed 's/\.c$//'); do
    example "$name" '' "$@"
    example "$name" '' "$@" -fsanitize=address
    example "$name" '' "$@" -fsanitize=undefined -fno-sanitize-recover=all
    if command -v valgrind >/dev/null; then
        example "$name" 'valgrind --quiet --leak-check=full --error-exitcode=9' "$@"
    else
        echo "no valgrind here: $name was not run under it"
    fi
done

rm -f "${shared%/*}"/libshufflebias.so* # so that -lshufflebias is the static one
# shellcheck disable=SC2046
"$@" -std=c17 -Wall -Werror "$root/try.c" -o "$root/try-static" $(flags --static --cflags --libs)
seen=$("$root/try-static")
[ "$seen" = "$version" ] || fail "the static library $static says it is $seen, its pkg-config file says $version"

"$program" --version | grep -qF "$version" || fail "the installed program does not say that it is $version"
