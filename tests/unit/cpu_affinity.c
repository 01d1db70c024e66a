/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two processes that take turns share a processor. Afterwards the thread may use all processors that it
 * could use before.
 */
#define _GNU_SOURCE /* CPU_COUNT() */
#include "unit/test.h"

#include "subject/subject.h"

#include <sched.h>

TEST(one_processor_and_then_all_again)
{
    cpu_set_t before, between, after;

    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    struct sb_cpu_affinity *const affinity = sb_cpu_affinity_begin();
    assert_non_null(affinity);
    assert_int_equal(sched_getaffinity(0, sizeof between, &between), 0);
    sb_cpu_affinity_end(affinity);
    assert_int_equal(sched_getaffinity(0, sizeof after, &after), 0);
    assert_int_equal(CPU_COUNT(&between), 1);
    assert_true(CPU_EQUAL(&before, &after));
}

TEST(nothing_to_end_changes_nothing)
{
    cpu_set_t before, after;

    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    sb_cpu_affinity_end(NULL);
    assert_int_equal(sched_getaffinity(0, sizeof after, &after), 0);
    assert_true(CPU_EQUAL(&before, &after));
}
