/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Draws per second that go through the pipe to a peer and back, beside a bare echo over the same two pipes.
 * In the bare echo, one process reads a line and writes a line, and the other waits for each line.
 *
 *     bench-oracle [PATHS [REPEATS]]     series of answers, a multiple of 200 (10000); runs (3)
 *
 * It prints the median of the runs. The peer is this program. It draws once below PATHS/200, and then tosses
 * a coin until it is 0, but at most 199 times. So a series has 101 draws on average. Probes and repeated
 * series are not counted, so a small number of series seems slower than a large one.
 */
#include "bench/timing.h"
#include "core/calls.h"
#include "study/results.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { COINS = 199, ECHOES = 200000, REPEATS = 3, REPEATS_MOST = 99 };

/* Reads what is there, which is a line, and writes one. */
static void say(int in, int out, const char *line)
{
    char answer[32];

    if (write(out, line, strlen(line)) < 0 || read(in, answer, sizeof answer) <= 0)
        exit(0);
}

/* A peer in its own words: the answer to a question that is written on standard output. */
static unsigned ask(const char *question)
{
    static char answer[64];

    if (write(STDOUT_FILENO, question, strlen(question)) < 0 || read(STDIN_FILENO, answer, sizeof answer) <= 0)
        exit(0);
    return (unsigned)strtoul(answer, NULL, 10);
}

static void peer(const char *first)
{
    const char *line = "";

    for (;;) {
        unsigned odd, coin = 1;

        ask(line); /* and reads "start" */
        odd = ask(first);
        for (int i = 0; i < COINS && coin; i++)
            odd += coin = ask("draw 2\n");
        line = odd % 2 ? "deck 1 0\n" : "deck 0 1\n";
    }
}

static double echo_rate(void)
{
    int there[2], back[2];

    if (pipe(there) || pipe(back))
        abort();
    const pid_t child = fork();
    if (child == 0) {
        close(there[1]); /* else it never ends */
        for (;;)
            say(there[0], back[1], "draw 2\n");
    }
    close(there[0]);
    close(back[1]);
    const double began = timing_seconds(CLOCK_MONOTONIC);
    for (int i = 0; i < ECHOES; i++)
        say(back[0], there[1], "1\n");
    const double took = timing_seconds(CLOCK_MONOTONIC) - began;
    close(there[1]);
    close(back[0]);
    waitpid(child, NULL, 0);
    return ECHOES / took;
}

static double oracle_rate(const char *program, unsigned long units)
{
    char first[32];
    const char *const command[] = { program, first, NULL };
    const double draws = (double)units * (COINS * (COINS + 1) / 2. + COINS + (COINS + 1));
    struct sb_request proof;
    struct sb_reports *reports;
    struct sb_error error;

    snprintf(first, sizeof first, "draw %lu\n", units);
    sb_request_init(&proof, SB_PROVE);
    proof.n = 2;
    proof.paths = 1000000000; /* the estimate of so lopsided a tree may be anything */
    const double began = timing_seconds(CLOCK_MONOTONIC);
    if (sb_prove_command(command, &proof, &error, &reports)) {
        fprintf(stderr, "%s\n", error.text);
        abort();
    }
    sb_reports_free(reports);
    return draws / (timing_seconds(CLOCK_MONOTONIC) - began);
}

int main(int argc, char *argv[])
{
    double ours[REPEATS_MOST], theirs[REPEATS_MOST];
    const unsigned long paths = argc > 1 ? strtoul(argv[1], NULL, 10) : 10000;
    const unsigned long repeats = argc > 2 ? strtoul(argv[2], NULL, 10) : REPEATS;

    if (argc > 1 && strncmp(argv[1], "draw", 4) == 0)
        peer(argv[1]);
    if (paths < COINS + 1 || repeats < 1 || repeats > REPEATS_MOST)
        return fprintf(stderr, "usage: bench-oracle [PATHS [REPEATS]], from 200, from 1 to 99\n"), 2;
    signal(SIGPIPE, SIG_IGN);
    for (unsigned long r = 0; r < repeats; r++) {
        theirs[r] = echo_rate();
        ours[r] = oracle_rate(argv[0], paths / (COINS + 1));
    }
    const double our = timing_median(ours, repeats), their = timing_median(theirs, repeats);

    printf("%lu series of answers: %.0f draws a second; bare echo %.0f; ratio %.2f\n", paths, our, their, our / their);
    return 0;
}
