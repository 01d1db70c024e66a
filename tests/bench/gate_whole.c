/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * False alarms of the gate with all that takes part at three cards: the rank, the positions, the lags and the
 * catalogue. Figures of docs/gate-method.md, section "Calibration".
 *
 *     build/tests/bench-gate-whole alarms [RUNS]   fair runs at alpha = 1e-3, until they pass at 0.3: 10^6 by default
 *     build/tests/bench-gate-whole rare [RUNS]     rare alarms by importance sampling: 20,000 runs by default
 *
 * calibration/whole_trial.h describes the importance sampling. Every run has its own seed. The exit status is 1
 * if there are more alarms than alpha allows.
 */
#include "calibration/whole_trial.h"
#include "core/system.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the threads share. */
struct runs {
    struct sb_gate_terms terms;
    bool fair;
    size_t count;
    atomic_size_t next, alarms, passes;
    pthread_mutex_t lock;
    long double sum, squares, apart; /* of 1/E at alarms; by how much ln E of the gate is above it; locked */
};

static void work(void *state, size_t thread)
{
    struct runs *const runs = state;
    struct whole whole;
    size_t i;

    if (!whole_open(&whole))
        abort();
    while ((i = atomic_fetch_add(&runs->next, 1)) < runs->count) {
        const struct whole_outcome outcome = whole_trial(&whole, &runs->terms, runs->fair, i + 1);

        runs->passes += outcome.verdict == SB_VERDICT_PASS;
        if (outcome.verdict == SB_VERDICT_FAIL) {
            const long double e = outcome.ratio;

            runs->alarms++;
            pthread_mutex_lock(&runs->lock);
            runs->sum += 1 / e;
            runs->squares += 1 / e / e;
            runs->apart = fmaxl(runs->apart, outcome.ln_e - logl(e));
            pthread_mutex_unlock(&runs->lock);
        }
    }
    whole_close(&whole);
}

static bool fair_runs(size_t count)
{
    enum { CHUNK_RUNS = 50000 };
    struct runs runs = { .terms = { .alpha = 1e-3, .delta = 1e-6, .exclude = 0.3, .limit = 100000 },
                         .fair = true,
                         .lock = PTHREAD_MUTEX_INITIALIZER };

    while (runs.count < count) {
        runs.next = runs.count;
        runs.count = runs.count + CHUNK_RUNS < count ? runs.count + CHUNK_RUNS : count;
        sb_threads_run(sb_threads_count(0, count), work, &runs);
        fprintf(stderr, "      %zu alarms in %zu runs\n", (size_t)runs.alarms, runs.count);
    }
    printf("alpha 0.001: %zu alarms and %zu passes in %zu fair runs\n", (size_t)runs.alarms,
           (size_t)runs.passes, count);
    return (double)runs.alarms <= fmax(3, 1e-3 * (double)count);
}

static bool rare_runs(double alpha, size_t count)
{
    struct runs runs = { .terms = { .alpha = alpha, .delta = 1e-300, .exclude = 1e-9, .limit = 500000 },
                         .count = count,
                         .lock = PTHREAD_MUTEX_INITIALIZER };

    sb_threads_run(sb_threads_count(0, count), work, &runs);
    const long double all = (long double)count, mean = runs.sum / all;
    const long double error = sqrtl((runs.squares / all - mean * mean) / all);

    printf("alpha %g: alarms with probability %.3Lg +- %.1Lg, by %zu alarms in %zu runs; ln E at most %.1Lg "
           "above\n",
           alpha, mean, error, runs.alarms, count, runs.apart);
    return mean + 3 * error <= (long double)alpha && runs.apart < 1e-8L;
}

int main(int argc, char *argv[])
{
    const bool alarms = argc > 1 && strcmp(argv[1], "alarms") == 0;
    const size_t runs = argc > 2 ? strtoul(argv[2], NULL, 10) : alarms ? 1000000 : 20000;
    bool fine;

    if (argc < 2 || (!alarms && strcmp(argv[1], "rare") != 0))
        return EXIT_FAILURE;
    whole_prepare();
    if (alarms) {
        fine = fair_runs(runs);
    } else {
        fine = rare_runs(1e-6, runs);
        fine = rare_runs(1e-9, runs) && fine;
    }
    return fine ? EXIT_SUCCESS : EXIT_FAILURE;
}
