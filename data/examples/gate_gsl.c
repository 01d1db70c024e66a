/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A unit test of two shuffles in C: gsl_ran_shuffle() of the GNU Scientific Library has to pass the gate, and
 * the naive swap must not.
 *
 *     cc gate_gsl.c $(pkg-config --cflags --libs shufflebias gsl) -o gate_gsl && ./gate_gsl
 */
#include <shufflebias.h>

#include <gsl/gsl_randist.h>
#include <string.h>

static int gsl(void *items, size_t n, size_t size, void *rng)
{
    gsl_ran_shuffle(rng, items, n, size);
    return 0;
}

static int naive(void *items, size_t n, size_t size, void *rng)
{
    uint16_t *const a = items;

    (void)size;
    for (size_t i = 0; i < n; i++) {
        const size_t j = gsl_rng_uniform_int(rng, n);
        const uint16_t item = a[i];

        a[i] = a[j];
        a[j] = item;
    }
    return 0;
}

/* Whether the gate says of a shuffle what it should. */
static bool says(const char *verdict, const char *name, sb_own_shuffle *shuffle, gsl_rng *rng)
{
    const struct sb_subject subject = { .name = name, .shuffle = shuffle, .state = rng, .n = 4 };
    struct sb_gate_summary summary;
    struct sb_gate_options options;
    struct sb_error error;
    struct sb_gate *gate;
    bool well;

    sb_gate_options_init(&options);
    options.exclude = 0.02;
    if (sb_gate_new(&subject, &options, &error, &gate)) {
        fprintf(stderr, "%s\n", error.text);
        return false;
    }
    sb_gate_summary_get(gate, &summary);
    well = strcmp(summary.verdict, verdict) == 0;
    printf("%s: %s\n", name, summary.sentence);
    sb_gate_free(gate);
    return well;
}

int main(void)
{
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    const bool well = rng && says("pass", "gsl_ran_shuffle", gsl, rng) && says("fail", "naive", naive, rng);

    gsl_rng_free(rng);
    return !well;
}
