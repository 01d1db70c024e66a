/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A sampled report has the same bytes with one thread and with three: ranks, deals, increments and repeats. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/calls.h"

/* The report as JSON. The caller frees it with sb_text_free(). */
static char *report(const char *scheme, const struct sb_request *asked, unsigned threads)
{
    struct sb_request options = *asked;
    struct sb_reports *reports = NULL;
    struct sb_error error = { .status = SB_OK };
    char *text = NULL;

    options.threads = threads;
    if (sb_reports_new(&scheme, 1, &options, &error, &reports))
        fail_msg("%s", error.text);
    assert_int_equal(sb_reports_text(reports, "json", NULL, NULL, &text, NULL), SB_OK);
    sb_reports_free(reports);
    return text;
}

static void threads_do_not_change_a_report(void **state)
{
    static const struct {
        const char *scheme;
        size_t n, deal;
        bool increments;
    } cases[] = {
        { "naive", 4, 4, false },         { "naive", 4, 4, true },     { "fisher-yates", 9, 5, false },
        { "fisher-yates", 12, 12, true }, { "sattolo", 60, 60, true }, { "naive", 200, 10, false },
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct sb_request options;

        sb_request_init(&options, SB_REPORT);
        options.n = cases[i].n;
        options.deal = cases[i].deal;
        options.increments = cases[i].increments;
        options.by = SB_BY_SAMPLE;
        options.samples = cases[i].n < 10 ? 200000 : 5000; /* several blocks of work */
        char *const one = report(cases[i].scheme, &options, 1), *const three =
                                                                    report(cases[i].scheme, &options, 3);

        assert_string_equal(one, three);
        sb_text_free(one);
        sb_text_free(three);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(threads_do_not_change_a_report) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
