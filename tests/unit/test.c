/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit/test.h"

#include <stdlib.h>

static struct CMUnitTest test_list[64];
static size_t test_count;

void test_add(const struct CMUnitTest *test)
{
    if (test_count == sizeof test_list / sizeof test_list[0])
        abort();
    test_list[test_count++] = *test;
}

int test_run(void)
{
    return _cmocka_run_group_tests("tests", test_list, test_count, NULL, NULL);
}

__attribute__((weak)) int main(void)
{
    return test_run();
}
