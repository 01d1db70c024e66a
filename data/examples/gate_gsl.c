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
    struct sb_request *const request = sb_request_new("gate");
    const bool set = request && !sb_set(request, "name", name) && !sb_set(request, "n", "4");
    struct sb_result *result = NULL;

    if (set) {
        sb_set_shuffle(request, shuffle, rng);
        result = sb_run(request);
    }
    if (!result) {
        fprintf(stderr, "%s\n", request ? sb_error(request) : "not enough memory");
        sb_request_free(request);
        return false;
    }
    const bool well = strcmp(sb_get(result, "gates.0.verdict"), verdict) == 0;

    printf("%s: %s\n", name, sb_get(result, "gates.0.sentence"));
    sb_result_free(result);
    sb_request_free(request);
    return well;
}

int main(void)
{
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    const bool well = rng && says("pass", "gsl_ran_shuffle", gsl, rng) && says("fail", "naive", naive, rng);

    gsl_rng_free(rng);
    return !well;
}
