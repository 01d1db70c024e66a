/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A saved subject fills in what the caller leaves out about the stream, and nothing else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/calls.h"
#include "store/store.h"
#include "subject/subject.h"

/* A subject in which each of these fields has this text. */
static struct sb_subject with_texts(const char *text)
{
    return (struct sb_subject) {
        .input = text,
        .base = text,
        .cards = text,
        .match = text,
        .json_path = text,
        .field = text,
        .separator = text,
    };
}

static void expect_texts(const struct sb_subject *subject, const char *text)
{
    assert_ptr_equal(subject->input, text);
    assert_ptr_equal(subject->base, text);
    assert_ptr_equal(subject->cards, text);
    assert_ptr_equal(subject->match, text);
    assert_ptr_equal(subject->json_path, text);
    assert_ptr_equal(subject->field, text);
    assert_ptr_equal(subject->separator, text);
}

static void the_stream_is_filled_in(void **state)
{
    static const char was[] = "was", is[] = "is";
    struct sb_subject subject = with_texts(was), other = with_texts(is), empty = with_texts(NULL);

    subject.chained = subject.free = true;
    const struct sb_subject_saved saved = sb_subject_saved_of("file", "decks", &subject);

    sb_subject_saved_fill(&saved, &empty);
    expect_texts(&empty, was);
    assert_true(empty.chained && empty.free);
    sb_subject_saved_fill(&saved, &other);
    expect_texts(&other, is);
    assert_true(other.chained && other.free);
}

static void nothing_saved_fills_in_nothing(void **state)
{
    struct sb_subject empty = with_texts(NULL), other = with_texts("is");
    const struct sb_subject_saved saved = sb_subject_saved_of("file", "decks", &empty);

    sb_subject_saved_fill(&saved, &empty);
    expect_texts(&empty, NULL);
    assert_false(empty.chained || empty.free);
    other.chained = other.free = true;
    sb_subject_saved_fill(&saved, &other);
    assert_true(other.chained && other.free);
}

/* Only schemes have seeds. */
static void a_seed_belongs_to_a_scheme(void **state)
{
    struct sb_subject subject = with_texts(NULL);

    subject.seed = 7;
    assert_int_equal(sb_subject_saved_of("file", "decks", &subject).of.seed, 0);
    subject.scheme = "naive";
    assert_int_equal(sb_subject_saved_of("scheme", "naive", &subject).of.seed, 7);
}

/* A command that starts in another folder may be another program. Only commands have folders. */
static void a_folder_belongs_to_a_command(void **state)
{
    static const char *const command[] = { "./deal", NULL };
    struct sb_subject subject = with_texts(NULL);

    assert_int_equal(sb_subject_saved_of("file", "decks", &subject).words, 0);
    subject.command = command;
    const uint64_t here = sb_subject_saved_of("command", "./deal", &subject).words;

    subject.cwd = "one";
    const uint64_t one = sb_subject_saved_of("command", "./deal", &subject).words;

    subject.cwd = "other";
    const uint64_t other = sb_subject_saved_of("command", "./deal", &subject).words;

    assert_true(here != one && here != other && one != other);
}

/* What an identity has, and what it leaves out. */
static void identities(void **state)
{
    struct sb_subject subject = with_texts(NULL), other;

    subject.file = "decks";
    const uint64_t plain = sb_subject_identity(&subject);

    other = subject;
    other.input = "text"; /* the default */
    other.title = "a title";
    other.timeout = 3;
    other.seed = 7;
    assert_int_equal(sb_subject_identity(&other), plain);
    other = subject;
    other.free = true;
    assert_int_not_equal(sb_subject_identity(&other), plain);
    const char **const texts[] = { &other.file,  &other.input,     &other.base,  &other.cards,
                                   &other.match, &other.json_path, &other.field, &other.separator };
    uint64_t seen[sizeof texts / sizeof texts[0]];

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        other = subject;
        *texts[i] = "other";
        seen[i] = sb_subject_identity(&other);
        assert_int_not_equal(seen[i], plain);
        for (size_t j = 0; j < i; j++)
            assert_int_not_equal(seen[i], seen[j]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_stream_is_filled_in),
        cmocka_unit_test(nothing_saved_fills_in_nothing),
        cmocka_unit_test(a_seed_belongs_to_a_scheme),
        cmocka_unit_test(a_folder_belongs_to_a_command),
        cmocka_unit_test(identities),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
