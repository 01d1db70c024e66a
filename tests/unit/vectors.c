/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The reader of data/vectors: it parses each line, computes and compares it, and compares it again with
 * changed digits.
 */
#include <setjmp.h>
#include <stdarg.h>

#include "unit/test.h"
#include "unit/vectors.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_ROOM = 1000, WORDS_MOST = LINE_ROOM / 2, KINDS_MOST = 16 };

struct reader {
    const char *path;
    const struct vector_kind *kinds;
    FILE *to;
    size_t line, vectors, faults;
    size_t computed[KINDS_MOST]; /* by kind */
    bool sourced;                /* this block has said its source */
};

static void vectors_fault(struct reader *reader, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    fprintf(reader->to, "%s:%zu: ", reader->path, reader->line);
    vfprintf(reader->to, format, arguments);
    fputc('\n', reader->to);
    va_end(arguments);
    reader->faults++;
}

static bool vectors_is_real(char letter)
{
    return letter == 'r' || letter == 'e';
}

/* How many fields the letters stand for at least, without the +. */
static size_t vectors_least(const char *letters)
{
    return strcspn(letters, "+");
}

static bool vectors_repeats(const char *letters)
{
    return letters[vectors_least(letters)] == '+';
}

static char vectors_letter(const char *letters, size_t i)
{
    const size_t least = vectors_least(letters);

    return letters[i < least ? i : least - 1];
}

static bool vectors_parse_field(char letter, const char *text, struct vector_field *field)
{
    char *end = NULL;

    *field = (struct vector_field) { .text = text };
    if (letter == 't')
        return true;
    errno = 0;
    if (vectors_is_real(letter))
        field->real = strtod(text, &end);
    else
        field->whole = strtoull(text, &end, letter == 'x' ? 16 : 10);
    return *end == '\0' && errno == 0 && isfinite(field->real) &&
           (vectors_is_real(letter) || isxdigit((unsigned char)text[0]));
}

/* `word`: the fields behind the name of the kind. */
static bool vectors_parse(const struct vector_kind *kind, size_t words, char *const word[], struct vector *vector)
{
    const size_t ins = vectors_least(kind->in), outs = vectors_least(kind->out);
    const size_t more = words - (ins + outs);

    if (words < ins + outs || words > VECTOR_FIELDS_MOST ||
        (more > 0 && !vectors_repeats(kind->in) && !vectors_repeats(kind->out)))
        return false;
    vector->ins = vectors_repeats(kind->in) ? ins + more : ins;
    vector->outs = words - vector->ins;
    for (size_t i = 0; i < vector->ins; i++)
        if (!vectors_parse_field(vectors_letter(kind->in, i), word[i], &vector->in[i]))
            return false;
    for (size_t i = 0; i < vector->outs; i++) {
        char *const text = word[vector->ins + i];

        vector->out[i].text = text;
        if (strcmp(text, "-") != 0 && !vectors_parse_field(vectors_letter(kind->out, i), text, &vector->out[i]))
            return false;
    }
    return true;
}

/* The difference that a value of this vector may have from what is computed. */
static double vectors_tolerance(const struct vector_kind *kind, const struct vector *vector, double expected)
{
    double relative = kind->relative;

    for (size_t i = 0; i < vector->ins; i++)
        if (vectors_letter(kind->in, i) == 'e')
            relative = vector->in[i].real;
    return fmax(kind->absolute, relative * fabs(expected));
}

static bool vectors_agree(char letter, const struct vector_field *got, const struct vector_field *expected,
                          double tolerance)
{
    return vectors_is_real(letter) ? fabs(got->real - expected->real) <= tolerance : got->whole == expected->whole;
}

/* Whether a changed digit of the value is noticed: the tolerance does not swallow all of its digits. */
static bool vectors_notice_poison(char letter, const struct vector_field *got, const struct vector_field *expected,
                                  double tolerance)
{
    char changed[LINE_ROOM];

    snprintf(changed, sizeof changed, "%s", expected->text);
    for (size_t i = 0; changed[i] && !(vectors_is_real(letter) && strchr("eE", changed[i])); i++) {
        const char digit = changed[i];
        struct vector_field poison;

        if (!isdigit((unsigned char)digit))
            continue;
        changed[i] = digit == '9' ? '8' : (char)(digit + 1);
        if (vectors_parse_field(letter, changed, &poison) && !vectors_agree(letter, got, &poison, tolerance))
            return true;
        changed[i] = digit;
    }
    return false;
}

/* Value i of the vector against the computed one. */
static void vectors_compare_value(struct reader *reader, const struct vector_kind *kind, const struct vector *vector,
                                  size_t i, const struct vector_field *got)
{
    const struct vector_field *const expected = &vector->out[i];
    const char letter = vectors_letter(kind->out, i);
    const double tolerance = vectors_tolerance(kind, vector, expected->real);
    char shown[40];

    snprintf(shown, sizeof shown, letter == 'x' ? "%" PRIx64 : "%" PRIu64, got->whole);
    if (vectors_is_real(letter))
        snprintf(shown, sizeof shown, "%.17g", got->real);
    if (!vectors_agree(letter, got, expected, tolerance))
        vectors_fault(reader, "%s: value %zu is %s, not %s", kind->name, i + 1, shown, expected->text);
    else if (!vectors_notice_poison(letter, got, expected, tolerance))
        vectors_fault(reader, "%s: value %zu may be anything near %s", kind->name, i + 1, expected->text);
}

static void vectors_compare(struct reader *reader, const struct vector_kind *kind, const struct vector *vector)
{
    struct vector_field got[VECTOR_FIELDS_MOST];

    for (size_t i = 0; i < VECTOR_FIELDS_MOST; i++)
        got[i] = (struct vector_field) { .real = NAN, .whole = UINT64_MAX };
    kind->compute(vector, got);
    for (size_t i = 0; i < vector->outs; i++)
        if (strcmp(vector->out[i].text, "-") != 0)
            vectors_compare_value(reader, kind, vector, i, &got[i]);
}

static const struct vector_kind *vectors_find(const struct vector_kind kinds[], const char *name)
{
    while (kinds->name && strcmp(kinds->name, name) != 0)
        kinds++;
    return kinds->name ? kinds : NULL;
}

/* A line that is no comment and not blank. */
static void vectors_take(struct reader *reader, size_t words, char *const word[])
{
    const struct vector_kind *const kind = vectors_find(reader->kinds, word[0]);
    struct vector vector = { .ins = 0 };

    reader->vectors++;
    if (!reader->sourced)
        vectors_fault(reader, "no line '# Source: ...' stands above it in its block");
    if (!kind)
        vectors_fault(reader, "the test knows no vectors of the kind '%s'", word[0]);
    else if (!vectors_parse(kind, words - 1, word + 1, &vector))
        vectors_fault(reader, "%s: malformed, as arguments are '%s' and values '%s'", kind->name, kind->in, kind->out);
    else if (!kind->covers || kind->covers(&vector)) {
        reader->computed[kind - reader->kinds]++;
        vectors_compare(reader, kind, &vector);
    }
}

/* Cuts the line into words, of which it has WORDS_MOST at most; returns how many. */
static size_t vectors_split(char line[], char *word[])
{
    char *rest = NULL;
    size_t words = 0;

    for (char *next = strtok_r(line, " \n", &rest); next; next = strtok_r(NULL, " \n", &rest))
        word[words++] = next;
    return words;
}

static void vectors_read(struct reader *reader, FILE *from)
{
    char line[LINE_ROOM], *word[WORDS_MOST];

    while (fgets(line, sizeof line, from)) {
        reader->line++;
        if (line[0] == '#') {
            reader->sourced = reader->sourced || strncmp(line, "# Source: ", strlen("# Source: ")) == 0;
            continue;
        }
        const size_t words = vectors_split(line, word);

        if (words > 0)
            vectors_take(reader, words, word);
        else
            reader->sourced = false;
    }
}

/* Writes a line to `faults` for each fault, and returns how many there are. */
static size_t vectors_faults(const char *path, const struct vector_kind kinds[], FILE *faults)
{
    struct reader reader = { .path = path, .kinds = kinds, .to = faults };
    FILE *const from = fopen(path, "r");

    for (size_t k = 0; kinds[k].name; k++)
        assert_true(k < KINDS_MOST);
    if (!from) {
        vectors_fault(&reader, "cannot read it: %s", strerror(errno));
        return reader.faults;
    }
    vectors_read(&reader, from);
    fclose(from);
    if (reader.vectors == 0)
        vectors_fault(&reader, "it has no vectors");
    for (size_t k = 0; kinds[k].name; k++)
        if (reader.computed[k] < kinds[k].least)
            vectors_fault(&reader, "it has %zu vectors of the kind '%s' for the test, which needs %zu",
                          reader.computed[k], kinds[k].name, kinds[k].least);
    return reader.faults;
}

void vectors_check(const char *name, const struct vector_kind kinds[])
{
    char path[LINE_ROOM], *said = NULL;
    size_t size;
    FILE *const faults = open_memstream(&said, &size);

    assert_non_null(faults);
    snprintf(path, sizeof path, "%s/%s", VECTORS_FOLDER, name);
    const size_t count = vectors_faults(path, kinds, faults);
    fclose(faults);
    if (count > 0)
        fail_msg("%s", said); /* which leaves the text to the end of the program */
    free(said);
}
