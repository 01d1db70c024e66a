/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A report on a matrix of counts that another program recorded. */
#include "statistic/statistic.h"
#include "study/report/report_parts.h"

#include <stdlib.h>

/* The matrix of a deck with equal cards, as counts of the statistic `card-at`. */
struct recorded_cards {
    uint64_t *count; /* [deal * kinds] how often each kind was at each position; owned */
    double *ln_p;    /* [kinds] owned */
    struct sb_tally tally;
};

static enum sb_status recorded_cards_open(const struct sb_matrix_file *matrix, const struct sb_multiset *multiset,
                                          struct recorded_cards *cards)
{
    const size_t kinds = multiset->kinds;

    cards->count = calloc(matrix->deal * kinds, sizeof cards->count[0]);
    cards->ln_p = calloc(kinds, sizeof cards->ln_p[0]);
    if (!cards->count || !cards->ln_p || sb_statistic_card_at.equal->null_law(multiset, matrix->deal, cards->ln_p))
        return SB_NO_MEMORY;
    for (size_t item = 0; item < matrix->n; item++)
        for (size_t j = 0; j < matrix->deal; j++)
            cards->count[j * kinds + multiset->kind[item]] += matrix->count[item * matrix->deal + j];
    cards->tally = (struct sb_tally) {
        .statistic = sb_statistic_card_at.name,
        .each = sb_statistic_card_at.each,
        .members = matrix->deal,
        .cells = kinds,
        .total = matrix->total,
        .count = cards->count,
        .ln_p = cards->ln_p,
    };
    return SB_OK;
}

static enum sb_status recorded_report(struct sb_matrix_file *matrix, const struct sb_request *options,
                                      struct sb_report *report)
{
    const struct sb_multiset *const multiset = sb_item_multiset(matrix->names);
    struct recorded_cards cards = { .count = NULL };
    const struct sb_statistics statistics = { .types = 1, .tallies = { .tally = &cards.tally, .count = 1 } };
    enum sb_status status = multiset ? recorded_cards_open(matrix, multiset, &cards) : SB_OK;

    report->names = matrix->names;
    matrix->names = NULL;
    if (status == SB_OK)
        status = sb_report_outside(matrix->name, "a matrix of counts", options, multiset ? &statistics : NULL, report);
    free(cards.count);
    free(cards.ln_p);
    return status;
}

static enum sb_status recorded_make(struct sb_matrix_file *matrix, const struct sb_request *options,
                                    struct sb_reports *reports)
{
    struct sb_report *const report = reports->report;
    const struct sb_tally tally = {
        .statistic = sb_statistic_position.name,
        .members = matrix->n,
        .cells = matrix->deal,
        .total = matrix->total,
        .count = matrix->count,
    };
    const enum sb_status status = sb_evidence_tallied(&tally, 1, matrix->n, matrix->deal, &report->evidence);

    if (status)
        return status;
    report->evidence.recorded = true;
    reports->n = matrix->n;
    reports->deal = matrix->deal;
    return recorded_report(matrix, options, report);
}

static enum sb_status recorded_name(const char *cards, struct sb_error *error, struct sb_matrix_file *matrix)
{
    sb_item_names_free(matrix->names);
    matrix->names = NULL;
    const enum sb_status status = sb_item_names_new(cards, error, &matrix->names);

    if (status || matrix->names->n == matrix->n)
        return status;
    return sb_error_set(error, SB_INVALID, "`cards` has %zu names, and %s has %zu items: give a name for each",
                        matrix->names->n, matrix->name, matrix->n);
}

enum sb_status sb_reports_recorded(const char *path, const struct sb_request *options, struct sb_error *error,
                                   struct sb_reports **reports)
{
    struct sb_matrix_file matrix;
    struct sb_request settled = *options;
    struct sb_reports *made;

    /* options->deal belongs to the file's n, and need not fit the options' n, which is not used here */
    settled.deal = 0;
    settled.cards = NULL;
    enum sb_status status = sb_options_settle(&settled, error, &settled);

    if (status == SB_OK && !path)
        status = sb_error_null(error, "the file");
    if (status == SB_OK)
        status = sb_matrix_file_read(path, options->deal, options->stop, error, &matrix);
    if (status)
        return status;
    settled.cards = options->cards;
    if (options->cards)
        status = recorded_name(options->cards, error, &matrix);
    if (status == SB_OK && sb_reports_one(&made))
        status = sb_error_memory(error, "a report");
    if (status) {
        sb_matrix_file_close(&matrix);
        return status;
    }
    status = recorded_make(&matrix, &settled, made)
                 ? sb_error_memory(error, "a report")
                 : sb_reports_call(options, options->title, NULL, NULL, 0, error, made);
    if (status)
        sb_reports_free(made);
    else
        *reports = made;
    sb_matrix_file_close(&matrix);
    return status;
}
