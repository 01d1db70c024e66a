/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The program that tests/promise/run.sh runs: docs/testing.md.
 *
 *     promise run [--short] [--part I/K] [CASE...]   runs trials I-1, I-1+K, ... of the cases, and prints tallies
 *     promise table FILE...                          adds up the tallies of several runs, and prints the tables
 *     promise short                                  runs the short form of all cases
 *     promise list                                   lists the cases and their trials
 *
 * A line of tallies has a case, the index of a promise, and the trials, events, sum and squares of struct
 * promise_tally. The exit status is 1 if a promise does not hold.
 */
#include "promise/promise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct promise_part *const parts[] = {
    &promise_alarms, &promise_passes,  &promise_rare,    &promise_watches,
    &promise_suites, &promise_ledgers, &promise_reports, &promise_few,
};

enum { PARTS = sizeof parts / sizeof parts[0] };

/* Which trials to run. */
struct request {
    bool brief;
    unsigned long part, of; /* part 1..of */
    char **names;           /* [count] cases; count = 0: all */
    int count;
};

void promise_check(enum sb_status status, const struct promise_case *one, const struct sb_error *error)
{
    if (!status)
        return;
    fprintf(stderr, "%s: %s\n", one->name, error->text);
    exit(2);
}

static bool asked(const struct request *request, const char *name)
{
    for (int i = 0; i < request->count; i++)
        if (strcmp(request->names[i], name) == 0)
            return true;
    return request->count == 0;
}

static void run_case(const struct promise_case *one, const struct request *request, struct promise_tally tally[])
{
    const uint64_t trials = request->brief ? one->brief : one->full;

    for (uint64_t index = request->part - 1; index < trials; index += request->of) {
        double outcome[PROMISE_LINES_MOST];

        for (size_t i = 0; i < PROMISE_LINES_MOST; i++)
            outcome[i] = NAN;
        one->trial(one, index, outcome);
        for (size_t i = 0; i < PROMISE_LINES_MOST; i++)
            promise_add(outcome[i], &tally[i]);
    }
}

static void print_tallies(const struct promise_case *one, const struct promise_tally tally[])
{
    for (size_t i = 0; i < PROMISE_LINES_MOST && one->line[i].promise; i++)
        printf("%s %zu %llu %llu %llu %llu\n", one->name, i, (unsigned long long)tally[i].trials,
               (unsigned long long)tally[i].events, (unsigned long long)tally[i].sum,
               (unsigned long long)tally[i].squares);
    fflush(stdout);
}

/* Runs the cases; all[] gets their tallies. Prints each case when it is done, if `print`. */
static void run(const struct request *request, bool print, struct promise_tally all[])
{
    for (size_t p = 0; p < PARTS; p++)
        for (size_t c = 0; c < parts[p]->count; c++, all += PROMISE_LINES_MOST)
            if (asked(request, parts[p]->cases[c].name)) {
                run_case(&parts[p]->cases[c], request, all);
                if (print)
                    print_tallies(&parts[p]->cases[c], all);
            }
}

/* The tallies of a case; NULL if no case has this name. */
static struct promise_tally *find(const char *name, struct promise_tally all[])
{
    for (size_t p = 0; p < PARTS; p++)
        for (size_t c = 0; c < parts[p]->count; c++, all += PROMISE_LINES_MOST)
            if (strcmp(parts[p]->cases[c].name, name) == 0)
                return all;
    return NULL;
}

/* Adds the tallies of a file. Returns false if the file is not one of tallies. */
static bool add_file(const char *path, struct promise_tally all[])
{
    FILE *const file = fopen(path, "r");
    unsigned long long trials, events, sum, squares;
    char name[64];
    size_t line;
    int fields = 6;

    while (file && (fields = fscanf(file, "%63s %zu %llu %llu %llu %llu", name, &line, &trials, &events, &sum,
                                    &squares)) == 6) {
        struct promise_tally *const tally = find(name, all);

        if (!tally || line >= PROMISE_LINES_MOST) {
            fields = 0;
            break;
        }
        tally[line].trials += trials;
        tally[line].events += events;
        tally[line].sum += sum;
        tally[line].squares += squares;
    }
    if (file)
        fclose(file);
    if (fields != EOF)
        fprintf(stderr, "%s: not a file of tallies\n", path);
    return fields == EOF;
}

static void list(void)
{
    for (size_t p = 0; p < PARTS; p++)
        for (size_t c = 0; c < parts[p]->count; c++)
            printf("%s %llu %llu\n", parts[p]->cases[c].name, (unsigned long long)parts[p]->cases[c].full,
                   (unsigned long long)parts[p]->cases[c].brief);
}

static bool parse(int argc, char *argv[], struct request *request)
{
    int i = 2;

    *request = (struct request) { .part = 1, .of = 1 };
    for (; i < argc && argv[i][0] == '-'; i++) {
        if (strcmp(argv[i], "--short") == 0)
            request->brief = true;
        else if (strcmp(argv[i], "--part") != 0 || ++i == argc ||
                 sscanf(argv[i], "%lu/%lu", &request->part, &request->of) != 2 || request->part < 1 ||
                 request->part > request->of)
            return false;
    }
    request->names = argv + i;
    request->count = argc - i;
    return true;
}

int main(int argc, char *argv[])
{
    static struct promise_tally all[256 * PROMISE_LINES_MOST]; /* more than there are cases */
    const char *const verb = argc > 1 ? argv[1] : "";
    struct request request;

    if (!parse(argc, argv, &request))
        return 2;
    if (strcmp(verb, "list") == 0) {
        list();
    } else if (strcmp(verb, "run") == 0) {
        for (int i = 0; i < request.count; i++)
            if (!find(request.names[i], all))
                return 2;
        run(&request, true, all);
    } else if (strcmp(verb, "short") == 0) {
        request.brief = true;
        run(&request, false, all);
        return !promise_table(parts, PARTS, all, stdout);
    } else if (strcmp(verb, "table") == 0) {
        for (int i = 0; i < request.count; i++)
            if (!add_file(request.names[i], all))
                return 2;
        return !promise_table(parts, PARTS, all, stdout);
    } else {
        return 2;
    }
    return 0;
}
