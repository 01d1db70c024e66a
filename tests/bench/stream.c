/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Permutations of five and of 52 items per second from a pipe, on one thread: as text and as bytes, read, checked,
 * and counted by position; five items also by rank. The peer is the bare pipe, read in pieces of the same size and
 * dropped. Another process writes Fisher-Yates shuffles, made in advance, as fast as the pipe accepts them.
 *
 * The figures are medians of repetitions in turn. With five items, the gate must read at least half as many bytes per
 * second as the bare pipe.
 */
#include "bench/timing.h"
#include "subject/subject.h"
#include "tally/tally.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FEW = 5, PIECE = 1 << 16, REPEATS = 9 };

enum kind { BARE, TEXT, U8, KINDS };

/* How many permutations of how many items a recording has, and how many times it is written. */
struct size {
    size_t n, decks;
    int times;
};

static const struct size sizes[] = { { FEW, 100000, 200 }, { 52, 10000, 100 } };

struct recording {
    const struct size *size;
    char *bytes;
    size_t length;
};

/* Appends an item in one form. */
static void append(struct recording *recording, enum kind kind, uint32_t item, bool last)
{
    char *const at = recording->bytes + recording->length;

    if (kind == U8) {
        *at = (char)item;
        recording->length++;
    } else {
        recording->length += (size_t)sprintf(at, "%u%c", (unsigned)item, last ? '\n' : ' ');
    }
}

static struct recording record(const struct size *size, enum kind kind)
{
    const size_t n = size->n;
    struct recording recording = { size, malloc(size->decks * n * 3 + 1), 0 };
    struct sb_request options;
    struct sb_dealer *dealer;

    sb_request_init(&options, SB_REPORT);
    options.n = n;
    if (!recording.bytes || sb_dealer_new("fisher-yates", &options, NULL, &dealer))
        abort();
    for (size_t d = 0; d < size->decks; d++) {
        const uint32_t *items;

        if (sb_dealer_next(dealer, &items))
            abort();
        for (size_t j = 0; j < n; j++)
            append(&recording, kind, items[j], j + 1 == n);
    }
    sb_dealer_free(dealer);
    return recording;
}

/* Starts a process that writes the recording over and over into what is standard input from now on. */
static pid_t begin(const struct recording *recording)
{
    int ends[2];
    pid_t child;

    if (pipe(ends) || (child = fork()) < 0)
        abort();
    if (child == 0) {
        close(ends[0]);
        for (int times = 0; times < recording->size->times; times++)
            for (size_t done = 0; done < recording->length;) {
                const ssize_t wrote = write(ends[1], recording->bytes + done, recording->length - done);

                if (wrote < 0)
                    _exit(1);
                done += (size_t)wrote;
            }
        _exit(0);
    }
    close(ends[1]);
    if (dup2(ends[0], STDIN_FILENO) < 0)
        abort();
    close(ends[0]);
    return child;
}

static uint64_t drop(void)
{
    static char piece[PIECE];
    uint64_t bytes = 0;

    for (ssize_t got; (got = read(STDIN_FILENO, piece, sizeof piece)) > 0;)
        bytes += (uint64_t)got;
    return bytes;
}

static uint64_t tally(size_t n, enum kind kind)
{
    static const struct sb_statistic_type *const types[] = { &sb_statistic_position, &sb_statistic_rank };
    const struct sb_patience patience = { .timeout = 60 };
    const struct sb_subject form = {
        .input = kind == U8 ? "u8" : "text",
        .n = n,
        .timeout = 60,
    };
    struct sb_tally tallies[2];
    struct sb_observer *observer;
    struct sb_bytes *bytes;
    struct sb_feed *feed;
    const sb_item *items;
    size_t count;

    if (sb_observer_new(NULL, n, n, types, n == FEW ? 2 : 1, 0, false, NULL, &observer) ||
        sb_bytes_open_file("-", &patience, NULL, &bytes) || sb_stream_new(bytes, &form, NULL, &feed))
        abort();
    while (feed->next(feed, SIZE_MAX, &items, &count, NULL) == SB_OK && count > 0)
        sb_observer_add(observer, items, count);
    sb_observer_read(observer, tallies);
    sb_feed_free(feed);
    sb_observer_free(observer);
    return tallies[0].total;
}

/* Bytes a second. */
static double measure(enum kind kind, const struct recording *recording)
{
    const struct size *const size = recording->size;
    const uint64_t bytes = (uint64_t)size->times * recording->length;
    const pid_t child = begin(recording);
    const double began = timing_seconds(CLOCK_MONOTONIC);
    const uint64_t got = kind == BARE ? drop() : tally(size->n, kind);
    const double took = timing_seconds(CLOCK_MONOTONIC) - began;

    if (waitpid(child, NULL, 0) != child || got != (kind == BARE ? bytes : (uint64_t)size->times * size->decks))
        abort();
    return (double)bytes / took;
}

static void compare_size(const struct size *size)
{
    static const char *const names[KINDS] = { "a bare pipe", "text", "u8" };
    struct recording recordings[KINDS];
    double speed[KINDS][REPEATS];

    for (enum kind kind = BARE; kind < KINDS; kind++)
        recordings[kind] = record(size, kind);
    for (int r = 0; r < REPEATS; r++)
        for (enum kind kind = BARE; kind < KINDS; kind++)
            speed[kind][r] = measure(kind, &recordings[kind]);
    printf("n = %zu, out of a pipe, one thread\n%-12s %8s %22s %6s\n", size->n, "", "GB/s", "million permutations/s",
           "ratio");
    for (enum kind kind = BARE; kind < KINDS; kind++) {
        const double width = (double)recordings[kind].length / (double)size->decks;
        const double rate = timing_median(speed[kind], REPEATS);

        printf("%-12s %8.2f %22.1f %6.2f\n", names[kind], 1e-9 * rate, 1e-6 * rate / width,
               rate / timing_median(speed[BARE], REPEATS));
        free(recordings[kind].bytes);
    }
}

int main(void)
{
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        compare_size(&sizes[i]);
    return 0;
}
