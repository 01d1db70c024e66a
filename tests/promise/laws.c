/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The null laws of the statistics depend on the number of items only, and computing them takes most of the time of a report
 * on one list. The linker puts these functions in the place of the library's (--wrap): they compute each law once, and
 * the following reports borrow it.
 *
 * One list of ten items has no p-value for its order, because every order is equally unlikely, but the report's table of the
 * 3,628,800 orders takes 99% of the time. With promise_no_orders, a report is made as one of more than ten items, without this
 * table. The findings with a p-value and the verdict are the same.
 */
#include "promise/promise.h"
#include "tally/observe_part.h"

enum { LAWS_MOST = 256 };

bool promise_no_orders;

static struct law {
    const struct sb_statistic_type *type;
    size_t n, k, most;
    bool fine;
    struct sb_observe_part part; /* never closed */
} laws[LAWS_MOST];
static size_t laws_count;

enum sb_status __real_sb_observe_part_open(const struct sb_statistic_type *type,
                                           const struct sb_multiset *multiset, size_t n, size_t k,
                                           size_t most, bool fine, size_t few, struct sb_error *error,
                                           struct sb_observe_part *part);
enum sb_status __wrap_sb_observe_part_open(const struct sb_statistic_type *type,
                                           const struct sb_multiset *multiset, size_t n, size_t k,
                                           size_t most, bool fine, size_t few, struct sb_error *error,
                                           struct sb_observe_part *part);
void __real_sb_observe_part_close(struct sb_observe_part *part, bool forked);
void __wrap_sb_observe_part_close(struct sb_observe_part *part, bool forked);

size_t __real_sb_cells(size_t n, size_t k);
size_t __wrap_sb_cells(size_t n, size_t k);

size_t __wrap_sb_cells(size_t n, size_t k)
{
    return promise_no_orders ? 0 : __real_sb_cells(n, k);
}

enum sb_status __wrap_sb_observe_part_open(const struct sb_statistic_type *type,
                                           const struct sb_multiset *multiset, size_t n, size_t k,
                                           size_t most, bool fine, size_t few, struct sb_error *error,
                                           struct sb_observe_part *part)
{
    if (multiset || few || laws_count == LAWS_MOST)
        return __real_sb_observe_part_open(type, multiset, n, k, most, fine, few, error, part);
    for (size_t i = 0; i < laws_count; i++) {
        const struct law *const law = &laws[i];

        if (law->type == type && law->n == n && law->k == k && law->most == most && law->fine == fine)
            return sb_observe_part_fork(&law->part, part);
    }
    struct law *const law = &laws[laws_count];
    *law = (struct law) { .type = type, .n = n, .k = k, .most = most, .fine = fine };
    const enum sb_status status =
        __real_sb_observe_part_open(type, NULL, n, k, most, fine, 0, error, &law->part);

    if (status) {
        *part = law->part;
        return status;
    }
    laws_count++;
    return sb_observe_part_fork(&law->part, part);
}

/* A part that was forked borrows its law. One of equal items or of few deals has its own. */
void __wrap_sb_observe_part_close(struct sb_observe_part *part, bool forked)
{
    __real_sb_observe_part_close(part, forked || !(part->multiset || part->few));
}
