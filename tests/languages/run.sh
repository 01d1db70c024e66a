#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The tests of data/languages: in each, the language's own shuffle passes, and a naive one fails with the gate's sentence. A shuffle
# that throws or loses an item fails, too, and says so.
#
#     sh tests/languages/run.sh BUILD SOURCE [LANGUAGE...]
#
# A language that is not installed is skipped; if there is no other, the exit status is 77. install.sh installs all of them. The shuffles
# draw new random numbers: a test fails by chance with a probability of at most 1e-9, and a naive shuffle passes with 1e-6.
set -u
build=$(cd "$1" && pwd)
source=$(cd "$2" && pwd)
shift 2
[ $# -gt 0 ] || set -- cpp go java r rust cargo
export PATH="$build:$PATH" PKG_CONFIG_PATH="$build/meson-uninstalled" LD_LIBRARY_PATH="$build/src"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
junit=/usr/share/java/junit-platform-console-standalone.jar

# Whether a command is missing: lacks COMMAND...
lacks() {
    for command in "$@"; do
        command -v "$command" >/dev/null || { echo "no $command"; return 0; }
    done
    return 1
}

# missing_LANGUAGE prints what is missing; pass_LANGUAGE is what its own shuffle's pass looks like; run_LANGUAGE builds and runs.
missing_cpp() { lacks c++ pkg-config || { pkg-config --exists gtest_main || echo 'no GoogleTest'; }; }
pass_cpp='^\[       OK \] Shuffle.Standard'
run_cpp() {
    # shellcheck disable=SC2046 # flags are words
    c++ -std=c++17 -Wall -Wextra -Werror shuffle_test.cc $(pkg-config --cflags --libs shufflebias gtest_main) -o shuffle_test &&
        ./shuffle_test
}

missing_go() { lacks go cc pkg-config; }
pass_go='^--- PASS: TestShuffle'
run_go() {
    GOCACHE="$build/go-cache" GOFLAGS=-mod=mod GOPROXY=off go test -v .
}

missing_java() { lacks javac java || [ -f "$junit" ] || echo "no $junit"; }
pass_java='collectionsShuffle() \[OK\]'
run_java() {
    javac -cp "$junit" -d classes ShuffleTest.java &&
        java -jar "$junit" -cp classes --select-class ShuffleTest --disable-ansi-colors --details-theme=ascii
}

missing_r() { lacks Rscript || Rscript -e 'library(testthat)' >/dev/null 2>&1 || echo 'no testthat'; }
pass_r='FAIL 2 | WARN 0 | SKIP 0 | PASS 1'
run_r() {
    mkdir 'a folder' && TMPDIR="$PWD/a folder" Rscript -e 'testthat::test_file("test-shuffle.R", reporter = "check", stop_on_failure = TRUE)'
}

missing_cargo() { lacks cargo pkg-config; }
pass_cargo='^test fisher_yates \.\.\. ok'
run_cargo() { # as docs/languages.md says
    mkdir src tests && touch src/lib.rs && mv shuffle.rs tests &&
        printf '[package]\nname = "game"\nversion = "0.1.0"\nedition = "2021"\n' >Cargo.toml &&
        RUSTFLAGS="$(pkg-config --libs shufflebias)" cargo test --offline
}

missing_rust() { lacks rustc pkg-config; }
pass_rust='^test fisher_yates \.\.\. ok'
run_rust() {
    # shellcheck disable=SC2046
    rustc --edition 2021 --test -O -D warnings shuffle.rs $(pkg-config --libs-only-L --libs-only-l shufflebias) && ./shuffle
}

# mishap_LANGUAGE adds a test of a shuffle that throws or loses an item, and says_LANGUAGE is what the output says of it.
says_cpp='C++ exception with description "the shuffle changed the number of items" thrown in the test body'
mishap_cpp() {
    cat >>shuffle_test.cc <<'END'
TEST(Shuffle, Mishap) { EXPECT_TRUE(is_fair([](Deck &deck) { deck.resize(1000000); }, 5, 0.02)); }
END
}

says_java='4 integers instead of 5'
mishap_java() { # the remaining items are 1 to 4, and fair
    sed -i '$d' ShuffleTest.java && cat >>ShuffleTest.java <<'END'
    @Test
    void mishap() throws Exception {
        assertFair(5, deck -> {
            deck.remove(0);
            Collections.shuffle(deck);
        });
    }
}
END
}

says_r='result is length 3'
mishap_r() {
    cat >>test-shuffle.R <<'END'
test_that("a mishap", expect_fair(function(deck) sample(deck)[-1]))
END
}

says_rust='^test mishap \.\.\. FAILED'
mishap_rust() { # a panic must not end the tests that follow
    cat >>shuffle.rs <<'END'
#[test]
fn mishap() {
    assert_fair(5, 0.02, |deck| { let n = deck.len(); deck[n] = 0; });
}
END
}

# Runs the test of a language, whose output stays in a file: try LANGUAGE
try() {
    folder=$1
    [ "$1" != cargo ] || folder=rust
    cp -r "$source/data/languages/$folder" "$work/$1" && cd "$work/$1" || return 1
    says=.
    if command -v mishap_"$1" >/dev/null; then
        mishap_"$1" || return 1
        eval "says=\$says_$1"
    fi
    if (run_"$1") >output 2>&1; then
        echo "languages: $1: the naive shuffle passed:"
    elif ! eval "grep -q \"\$pass_$1\" output"; then
        echo "languages: $1: the language's own shuffle did not pass:"
    elif ! grep -q 'FAIL  the shuffle is not fair' output; then
        echo "languages: $1: the output has no sentence of the gate:"
    elif ! grep -q "$says" output; then
        echo "languages: $1: the output does not have '$says':"
    else
        echo "ok      $1: $(grep -o 'after [0-9,]* shuffles' output | head -n 1)"
        return 0
    fi
    cat output
    return 1
}

tried=0
failed=0
for language in "$@"; do
    missing=$(missing_"$language")
    if [ -n "$missing" ]; then
        echo "skipped $language: $missing"
        continue
    fi
    tried=$((tried + 1))
    try "$language" || failed=$((failed + 1))
done
[ "$failed" -eq 0 ] || exit 1
[ "$tried" -gt 0 ] || exit 77
