/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A program of tests in C: what cmocka needs, and tests that register themselves.
 *
 *     TEST(deals_have_n_items)
 *     {
 *         assert_int_equal(...);
 *     }
 *
 * test.c has main(), which runs the tests in the order of their definitions. A program whose tests need the arguments
 * has a main() of its own, which calls test_run().
 */
#ifndef TESTS_UNIT_TEST_H
#define TESTS_UNIT_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Defines a test. */
#define TEST(name) TEST_OF(name, void **unused, NULL, NULL)

/* Defines a test that runs between two functions of cmocka's type, which prepare `state` and tidy up. */
#define TEST_WITH(name, before, after) TEST_OF(name, void **state, before, after)

#define TEST_OF(name, argument, before, after)                               \
    static void name(argument);                                              \
    __attribute__((constructor)) static void name##_registers(void)          \
    {                                                                        \
        test_add(&(struct CMUnitTest) { #name, name, before, after, NULL }); \
    }                                                                        \
    static void name(argument)

void test_add(const struct CMUnitTest *test);

/* Runs all tests; returns the number of those that failed. */
int test_run(void);

#endif
