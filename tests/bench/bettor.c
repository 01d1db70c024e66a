/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How many decks of 52 the gate needs to fail planted faults (faulty_decks.c) and biased shuffles at alpha = 1e-9,
 * with its bettor and without it, and how many the bettor needs alone. The figures of docs/gate-method.md, section "The
 * bettor".
 *
 *     build/tests/bench-bettor [SEEDS [NAME ...]]
 *
 * It prints a line for each fault: the medians over the seeds 1 to 40, and the largest median that is allowed. "-"
 * stands for no failure within 60,000 decks. The exit status is 1 if a median is larger, if a fair shuffle fails,
 * or if the bettor's share of alpha makes another statistic's failure more than 5% later.
 */
#include "bench/faulty_decks.h"
#include "core/system.h"
#include "gate/gate.h"
#include "study/run/run.h"
#include "subject/subject.h"
#include "tally/tally.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 60000, SEEDS_MOST = 1000, WAYS = 3 }; /* with the bettor, without it, the bettor alone */

/* A fault, or a shuffle. */
struct subject {
    const char *name;
    const struct fault *fault; /* NULL: a scheme */
    double most;               /* the largest median allowed with the bettor; 0: must not fail; INFINITY: any */
    bool dear;                 /* the bettor's share must cost less than 5% */
};

/* The decks of a subject, one at a time. */
struct dealer {
    const struct subject *subject;
    struct faulty_decks faulty;
    struct sb_feed *feed;
    sb_item deck[FAULTY_CARDS];
};

static const sb_item *dealer_next(struct dealer *dealer)
{
    struct sb_feed *const feed = dealer->feed;

    if (!feed) {
        faulty_next(dealer->subject->fault, &dealer->faulty, dealer->deck);
        return dealer->deck;
    }
    if (feed->count == 0 && sb_feed_next(feed, MOST, NULL))
        abort();
    feed->count--;
    feed->items += FAULTY_CARDS;
    return feed->items - FAULTY_CARDS;
}

static void dealer_open(const struct subject *subject, uint64_t seed, struct dealer *dealer)
{
    const struct sb_subject scheme = { .scheme = subject->name, .n = FAULTY_CARDS, .seed = seed };

    *dealer = (struct dealer) { .subject = subject };
    faulty_begin(seed, &dealer->faulty);
    if (!subject->fault && sb_feed_open(&scheme, NULL, MOST, NULL, &dealer->feed))
        abort();
}

/* The gate's tallies of whole decks. */
static void tallies_open(const struct sb_gate_terms *terms, struct sb_tallies *tallies)
{
    const size_t n = FAULTY_CARDS;
    const struct sb_statistic_type *type[128];
    const size_t types = sb_selection_choose(NULL, n, n, NULL, terms, type);

    if (sb_tallies_open(NULL, n, n, type, types, SB_TALLIES_REPEATS | SB_TALLIES_LAGS | SB_TALLIES_BETTOR, NULL,
                        tallies))
        abort();
}

/* How many decks it takes to fail in each way; INFINITY: more than MOST. */
static void decks_of(const struct subject *subject, uint64_t seed, double decks[WAYS])
{
    const struct sb_gate_terms terms = { .alpha = 1e-9, .delta = 1e-6, .exclude = 0.01, .limit = 2000000 };
    struct sb_gate gate[2];
    struct sb_tallies tallies;
    struct dealer dealer;
    uint64_t look = 1;

    dealer_open(subject, seed, &dealer);
    tallies_open(&terms, &tallies);
    for (size_t way = 0; way < WAYS; way++)
        decks[way] = INFINITY;
    for (size_t way = 0; way < 2; way++) /* the bettor's tally is the last */
        if (sb_gate_open(&terms, tallies.tally, tallies.count - way, &gate[way]))
            abort();
    for (uint64_t t = 1; t <= MOST && (isinf(decks[0]) || isinf(decks[1]) || isinf(decks[2])); t++) {
        sb_tallies_add(&tallies, dealer_next(&dealer), 1);
        if (t < look)
            continue;
        look = sb_gate_next_look(t);
        sb_tallies_read(&tallies);
        for (size_t way = 0; way < 2; way++) {
            if (isinf(decks[way]) && sb_gate_look(tallies.tally, tallies.count - way, &gate[way]))
                abort();
            if (isinf(decks[way]) && gate[way].ln_e >= -log(terms.alpha))
                decks[way] = (double)t;
        }
        if (isinf(decks[2]) && *tallies.tally[tallies.count - 1].ln_e >= -log(terms.alpha))
            decks[2] = (double)t;
    }
    sb_gate_close(&gate[0]);
    sb_gate_close(&gate[1]);
    sb_tallies_close(&tallies);
    sb_feed_free(dealer.feed);
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double median(size_t count, double values[])
{
    qsort(values, count, sizeof values[0], compare);
    return 0.5 * (values[(count - 1) / 2] + values[count / 2]);
}

/* What the threads share. */
struct bettor_run {
    const struct subject *subject;
    double decks[SEEDS_MOST][WAYS];
    size_t seeds;
    atomic_size_t next; /* seed to be taken */
};

static void bettor_work(void *state, size_t thread)
{
    struct bettor_run *const run = state;
    size_t i;

    while ((i = atomic_fetch_add(&run->next, 1)) < run->seeds)
        decks_of(run->subject, i + 1, run->decks[i]);
}

static void print_decks(double decks)
{
    if (isinf(decks))
        printf(" %10s", "-");
    else
        printf(" %10.1f", decks);
}

/* Runs all seeds; returns whether the medians are as allowed. */
static bool fails_within(const struct subject *subject, size_t seeds)
{
    static struct bettor_run run;
    double middle[WAYS], of_way[SEEDS_MOST];
    bool fine;

    run.subject = subject;
    run.seeds = seeds;
    run.next = 0;
    sb_threads_run(sb_threads_count(0, seeds), bettor_work, &run);
    for (size_t way = 0; way < WAYS; way++) {
        for (size_t i = 0; i < seeds; i++)
            of_way[i] = run.decks[i][way];
        middle[way] = median(seeds, of_way);
    }
    fine = subject->most > 0 ? middle[0] <= subject->most : isinf(middle[0]);
    if (subject->dear)
        fine = fine && middle[0] <= 1.05 * middle[1];
    printf("%s  %-24s", fine ? "ok  " : "MISS", subject->name);
    for (size_t way = 0; way < WAYS; way++)
        print_decks(middle[way]);
    printf(" %10.0f\n", subject->most);
    fflush(stdout);
    return fine;
}

int main(int argc, char *argv[])
{
    static const struct {
        const char *name;
        double most;
        bool dear;
    } cases[] = {
        { "fair", 0, false },
        { "chain-2", 1600, false },
        { "chain-3", 1600, false },
        { "buffer", 20, false },
        { "buffer-across", 20, false },
        { "hand", INFINITY, false },
        { "first-differs", INFINITY, false },
        { "cut", 100, false },
        { "three-kept", 100, false },
        { "five-ago", 60000, false },
        { "next-by-place", 60000, false },
        { "naive", 2500, true },
        { "sattolo", 20, true },
        { "fisher-yates/modulo:8", 40000, true },
    };
    const size_t asked = argc > 1 ? strtoul(argv[1], NULL, 10) : 40;
    const size_t seeds = asked < SEEDS_MOST ? asked : SEEDS_MOST;
    bool fine = seeds > 0;

    printf("      %-24s %10s %10s %10s %10s\n", "", "gate", "without", "bettor", "limit");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0] && seeds; i++) {
        struct subject subject = { .name = cases[i].name, .most = cases[i].most, .dear = cases[i].dear };
        bool wanted = argc <= 2;

        for (int j = 2; j < argc; j++)
            wanted = wanted || strcmp(argv[j], subject.name) == 0;
        for (size_t j = 0; j < faults_count; j++)
            if (strcmp(faults[j].name, subject.name) == 0)
                subject.fault = &faults[j];
        fine = (!wanted || fails_within(&subject, seeds)) && fine;
    }
    return fine ? EXIT_SUCCESS : EXIT_FAILURE;
}
