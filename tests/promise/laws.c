/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The null laws of the statistics depend on the number of items only, and computing them takes most of the time of a
 * report on one list. The linker puts this function in the place of the library's (--wrap): it computes each law once,
 * and the following reports borrow it.
 *
 * One list of ten items has no p-value for its order, because every order is equally unlikely, but the report's table
 * of the 3,628,800 orders takes 99% of the time. With promise_no_orders, a report is made as one of more than ten
 * items, without this table. The findings with a p-value and the verdict are the same.
 *
 * With promise_no_bounds, bounds on total variation are 0 and 1: such a gate never passes, and fails as any
 * other without `tolerate`.
 */
#include "fit/sequential.h"
#include "promise/promise.h"
#include "tally/tally.h"

#include <string.h>

enum { LAWS_MOST = 256, TYPES_MOST = 64, DEALS_FEW = 720 };

bool promise_no_orders, promise_no_bounds;

static struct law {
    const struct sb_statistic_type *types[TYPES_MOST];
    size_t n, deal, count, most;
    bool fine;
    struct sb_observer *observer; /* never freed */
} laws[LAWS_MOST];
static size_t laws_count;

enum sb_status __real_sb_observer_new(const struct sb_multiset *multiset, size_t n, size_t deal,
                                      const struct sb_statistic_type *const types[], size_t count, size_t most,
                                      bool fine, struct sb_error *error, struct sb_observer **observer);
enum sb_status __wrap_sb_observer_new(const struct sb_multiset *multiset, size_t n, size_t deal,
                                      const struct sb_statistic_type *const types[], size_t count, size_t most,
                                      bool fine, struct sb_error *error, struct sb_observer **observer);

size_t __real_sb_cells(size_t n, size_t k);
size_t __wrap_sb_cells(size_t n, size_t k);

size_t __wrap_sb_cells(size_t n, size_t k)
{
    return promise_no_orders ? 0 : __real_sb_cells(n, k);
}

enum sb_status __real_sb_tv_high(const struct sb_tally *tally, double ln_level, double high[]);
enum sb_status __wrap_sb_tv_high(const struct sb_tally *tally, double ln_level, double high[]);

enum sb_status __wrap_sb_tv_high(const struct sb_tally *tally, double ln_level, double high[])
{
    for (size_t i = 0; promise_no_bounds && i < tally->members; i++)
        high[i] = 1;
    return promise_no_bounds ? SB_OK : __real_sb_tv_high(tally, ln_level, high);
}

enum sb_status __real_sb_tv_low(const struct sb_tally *tally, const struct sb_e_value e[], double ln_level,
                                double low[]);
enum sb_status __wrap_sb_tv_low(const struct sb_tally *tally, const struct sb_e_value e[], double ln_level,
                                double low[]);

enum sb_status __wrap_sb_tv_low(const struct sb_tally *tally, const struct sb_e_value e[], double ln_level,
                                double low[])
{
    for (size_t i = 0; promise_no_bounds && i < tally->members; i++)
        low[i] = 0;
    return promise_no_bounds ? SB_OK : __real_sb_tv_low(tally, e, ln_level, low);
}

enum sb_status __real_sb_tv_high_largest(const struct sb_tally *tally, double ln_level, double size, double *high);
enum sb_status __wrap_sb_tv_high_largest(const struct sb_tally *tally, double ln_level, double size, double *high);

enum sb_status __wrap_sb_tv_high_largest(const struct sb_tally *tally, double ln_level, double size, double *high)
{
    *high = promise_no_bounds ? 1 : *high;
    return promise_no_bounds ? SB_OK : __real_sb_tv_high_largest(tally, ln_level, size, high);
}

/* An observer of equal items or of few deals has its own laws; any other is a fork of the first one of its kind. */
enum sb_status __wrap_sb_observer_new(const struct sb_multiset *multiset, size_t n, size_t deal,
                                      const struct sb_statistic_type *const types[], size_t count, size_t most,
                                      bool fine, struct sb_error *error, struct sb_observer **observer)
{
    if (multiset || sb_deals(n, deal) <= DEALS_FEW || laws_count == LAWS_MOST || count > TYPES_MOST)
        return __real_sb_observer_new(multiset, n, deal, types, count, most, fine, error, observer);
    for (size_t i = 0; i < laws_count; i++) {
        const struct law *const law = &laws[i];

        if (law->n == n && law->deal == deal && law->count == count && law->most == most && law->fine == fine &&
            memcmp(law->types, types, count * sizeof types[0]) == 0)
            return sb_observer_fork(law->observer, observer);
    }
    struct law *const law = &laws[laws_count];
    *law = (struct law) { .n = n, .deal = deal, .count = count, .most = most, .fine = fine };
    memcpy(law->types, types, count * sizeof types[0]);
    const enum sb_status status =
        __real_sb_observer_new(NULL, n, deal, types, count, most, fine, error, &law->observer);

    if (status)
        return status;
    laws_count++;
    return sb_observer_fork(law->observer, observer);
}
