/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The reader of known vectors: a correct file has no faults, and each way of damaging it gives one fault. */
#include "unit/test.h"

#include "unit/vectors.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void compute_root(const struct vector *v, struct vector_field got[])
{
    got[0].real = v->in[0].real == 4 ? 2 : 1.4142135623730951;
}

static void compute_powers(const struct vector *v, struct vector_field got[])
{
    uint64_t power = 1;

    for (size_t i = 0; i < v->outs; i++)
        got[i].whole = power *= v->in[0].whole;
}

static bool powers_of_two_and_three(const struct vector *v)
{
    return v->in[0].whole <= 3;
}

static const struct vector_kind kinds[] = {
    { "root", .in = "r", .out = "r", .relative = 3e-10, .least = 2, .compute = compute_root },
    { "powers", .in = "n", .out = "n+", .least = 2, .covers = powers_of_two_and_three, .compute = compute_powers },
    { .name = NULL },
};

/* All of 5 is wrong, but the test does not compute it; the fourth power of 3 is said to be unknown. */
static const char sound[] = "# Roots and powers.\n"
                            "\n"
                            "# Source: a pocket calculator, 10 digits\n"
                            "root 2 1.414213562\n"
                            "root 4 2\n"
                            "\n"
                            "# By hand.\n"
                            "# Source: multiplication\n"
                            "powers 2 2 4 8 16\n"
                            "powers 3 3 9 27 -\n"
                            "powers 5 1 2\n";

/* How many faults the reader finds in a file of this text; the caller frees what it says of them. */
static size_t faults_of(const char *text, const struct vector_kind list[], char **said)
{
    char path[] = "/tmp/vectors-XXXXXX";
    const int fd = mkstemp(path);
    size_t size;

    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    close(fd);
    FILE *const to = open_memstream(said, &size);

    assert_non_null(to);
    const size_t faults = vectors_faults(path, list, to);

    fclose(to);
    unlink(path);
    return faults;
}

/* The sound text with `old` replaced by `new` has one fault, whose line has these words. */
static void one_fault(const char *old, const char *new, const char *words)
{
    const char *const at = strstr(sound, old);
    char text[sizeof sound + 400], *said = NULL;

    assert_non_null(at);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - sound), sound, new, at + strlen(old));
    assert_int_equal(faults_of(text, kinds, &said), 1);
    if (!strstr(said, words))
        fail_msg("'%s' is missing in: %s", words, said);
    free(said);
}

TEST(damage_is_one_fault)
{
    static const struct {
        const char *old, *new, *words;
    } cases[] = {
        /* a blank line ends a block, and what follows has no source */
        { "root 4", "\nroot 4", ":6: no line '# Source: ...'" },
        { "powers 5", "\n# Sources: several\npowers 5", ":13: no line '# Source: ...'" },
        { "powers 5", "power 5", ":11: the test knows no vectors of the kind 'power'" },
        { "powers 5 1 2", "powers 5", "malformed" },
        { "powers 5 1 2", "powers", "malformed" },
        { "powers 5 1 2", "powers 5 1 -2", "malformed" },
        { "powers 5 1 2", "powers 5 1 2.0", "malformed" },
        { "powers 5 1 2", "powers 5 1 2x", "malformed" },
        { "powers 5 1 2", "powers - 1 2", "malformed" },
        { "powers 5 1 2", "powers 5 1 18446744073709551616", "malformed" },
        { "powers 5 1 2", "powers 5 1 2 3 4 5 6 7 8 9 1 2 3 4 5 6 7", "malformed" },
        { "powers 5 1 2", "root 4 2 2", "malformed" },
        { "powers 5 1 2", "root 4 nan", "malformed" },
        { "powers 5 1 2", "root 4 two", "malformed" },
        { "root 4 2\n", "", "1 vectors of the kind 'root' for the test, which needs 2" },
        { "root 4 2\n", "# root 4 2\n", "needs 2" },
        { "powers 2 2 4 8 16\n", "", "1 vectors of the kind 'powers'" }, /* 5 does not count */
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        one_fault(cases[i].old, cases[i].new, cases[i].words);
}

/* Poison: each digit of every value that the test computes, changed in turn. */
TEST(changed_digits)
{
    static const char *const values[] = { "1.414213562", "2\n\n", "2 4 8 16", "3 9 27" };

    for (size_t v = 0; v < sizeof values / sizeof values[0]; v++)
        for (size_t i = 0; values[v][i]; i++) {
            char changed[40];

            strcpy(changed, values[v]);
            if (changed[i] < '0' || changed[i] > '9')
                continue;
            changed[i] = changed[i] == '9' ? '8' : (char)(changed[i] + 1);
            one_fault(values[v], changed, ", not ");
        }
}

/* A sound file has no faults; a file without vectors has too few of both kinds, too; and a value shows nothing where
 * the tolerance swallows all of its digits. */
TEST(whole_files)
{
    static const struct vector_kind loose[] = {
        { "root", .in = "r", .out = "r", .absolute = 10, .compute = compute_root },
        { "powers", .in = "n", .out = "n+", .covers = powers_of_two_and_three, .compute = compute_powers },
        { .name = NULL },
    };
    static const struct {
        const char *text;
        const struct vector_kind *list;
        size_t faults;
        const char *words;
    } cases[] = {
        { sound, kinds, 0, "" },
        { "", kinds, 3, "no vectors" },
        { "\n", kinds, 3, "no vectors" },
        { "# Source: nothing\n", kinds, 3, "no vectors" },
        { sound, loose, 2, ":5: root: value 1 may be anything near 2" },
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *said = NULL;

        assert_int_equal(faults_of(cases[i].text, cases[i].list, &said), cases[i].faults);
        assert_true(strstr(said, cases[i].words) && (cases[i].faults > 0 || said[0] == '\0'));
        free(said);
    }
    assert_int_equal(vectors_faults("/nowhere/roots.txt", kinds, stderr), 1);
}
