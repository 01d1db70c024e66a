/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A report on a table of counts. The labels of the rows say what was counted:
 *
 *   orders: then the counts by rank are those of a sample, with all of its tests.
 *   values of a statistic, which `statistics` or the labels name: cells with the null law of the statistic.
 *   results with probabilities: cells with these probabilities.
 *   items: each came up in so many of N draws of K of n items. Each item has two cells, drawn (K/n) and not drawn, and
 *     the sum over both of (O-E)^2/E, times (n-1)/n, is sum (O-E)^2/E (n-1)/(n-K) over the items: the rows of a matrix
 *     of items by two groups, with n - 1 degrees of freedom (fit/matrix.c). Of single draws it is Pearson's.
 *
 * Cells have Pearson's chi-square if each expects 5 or more. Otherwise they have two tests: cells are merged, and each
 * cell by itself has an exact p. Counts have no order of arrival, so there is no gate for them.
 */
#include "core/text.h"
#include "study/report/report_result.h"
#include "study/run/run.h"

#include <strings.h>

/* The table, and what is read from it. */
struct counted {
    const struct sb_request *options;
    struct sb_error *error;
    struct sb_count_file file;
    size_t n, deal; /* as given; 0: not given */
    struct sb_item_names *names;
};

/* Reports on counts by rank as on those of any sample. */
static enum sb_status orders_report(struct counted *counted, const struct sb_count_orders *orders,
                                    struct sb_report *report)
{
    const size_t n = orders->n, k = orders->k, cells = sb_cells(n, k);
    uint64_t *const count = calloc(cells, sizeof *count);
    const struct sb_tally tally = {
        .statistic = sb_statistic_rank.name,
        .members = 1,
        .cells = cells,
        .total = counted->file.total,
        .count = count,
    };
    struct sb_statistics statistics = { 0 };
    enum sb_status status;

    if (!count)
        return sb_error_memory(counted->error, "the orders");
    for (size_t i = 0; i < counted->file.rows; i++)
        count[sb_permutation_cell(n, k, orders->items + i * k)] += counted->file.count[i];
    status = sb_statistics_open(counted->options, NULL, n, k, tally.total, counted->error, &statistics);
    if (status == SB_OK && sb_evidence_tallied(&tally, 1, n, k, &report->evidence))
        status = sb_error_memory(counted->error, "the orders");
    report->evidence.recorded = true;
    report->names = counted->names;
    counted->names = NULL;
    if (status == SB_OK && (sb_statistics_read(&report->evidence, counted->options->threads, &statistics) ||
                            sb_report_outside(counted->file.name, k < n ? "counts of deals" : "counts of orders",
                                              counted->options, &statistics, report)))
        status = sb_error_memory(counted->error, "a report");
    sb_statistics_close(&statistics);
    free(count);
    return status;
}

/* ---- cells ---- */

/* Runs a test, and keeps its finding if that is reliable. */
static enum sb_status counted_test(const struct sb_test_type *test, const struct sb_tally *tally,
                                   struct sb_report *report)
{
    const size_t before = report->findings_count;
    const enum sb_status status = sb_report_test(test, tally, report);

    if (report->findings_count > before && !sb_finding_reliable(&report->findings[before]))
        report->findings_count = before;
    return status;
}

static enum sb_status counted_tests(const struct sb_tally *tally, struct sb_report *report)
{
    enum { TESTS_MOST = 2 };
    const bool single = tally->members == 1 && !tally->number; /* the count that stands out most says more than a sum */
    const struct sb_test_type *const usual = tally->members > 1 ? &sb_test_matrix : &sb_test_pearson;
    struct sb_sentence s = { 0 };

    report->findings = calloc(TESTS_MOST, sizeof *report->findings);
    if (!report->findings || counted_test(usual, tally, report))
        return SB_NO_MEMORY;
    const bool few = report->findings_count == 0;

    if (few && tally->members == 1 && counted_test(&sb_test_merged, tally, report))
        return SB_NO_MEMORY;
    const bool merged = few && report->findings_count;

    /* without any other test, the exact one stays even if no outcome could reach alpha: it says how many could */
    if ((few || single) && (merged || !few ? counted_test : sb_report_test)(&sb_test_exact, tally, report))
        return SB_NO_MEMORY;
    sb_sentence_fill(&s, "report", "correction_counts",
                     json_pack("{s:b, s:b, s:b, s:b}", "few", few || single, "single", !few, "merged", merged, "number",
                               tally->number));
    report->correction = sb_sentence_take(&s);
    return report->correction ? SB_OK : SB_NO_MEMORY;
}

/* Makes the report on the cells of a tally. Takes ownership of `made`. */
static enum sb_status counted_report(struct counted *counted, const char *title, const struct sb_tally *tally,
                                     struct sb_counted *made, struct sb_report *report)
{
    struct sb_report *const reports[] = { report };

    report->counted = made;
    report->names = counted->names;
    counted->names = NULL;
    report->name = strdup(counted->file.name);
    report->title = title;
    report->alpha = counted->options->alpha;
    report->p = report->ln_p = NAN;
    if (!report->name || sb_evidence_tallied(NULL, 0, counted->n, counted->deal, &report->evidence))
        return sb_error_memory(counted->error, "a report");
    report->evidence.total = tally->total;
    report->evidence.recorded = true;
    report->evidence.names = report->names;
    sb_counted_judge(made, tally->total, report->alpha);
    return counted_tests(tally, report) || sb_report_conclude(reports, 1) ? sb_error_memory(counted->error, "a report")
                                                                          : SB_OK;
}

/* ---- items ---- */

/* Returns the item of a row; SB_ITEMS_MOST if it is none of n. `base` is the number of the first item. */
static size_t items_find(const struct counted *counted, size_t row, size_t base)
{
    uint64_t number;

    if (sb_item_names_given(counted->names))
        return sb_item_names_find(counted->names, counted->file.label[row]);
    return sb_name_number(counted->file.label[row], &number) && number >= base && number - base < counted->n
               ? (size_t)(number - base)
               : SB_ITEMS_MOST;
}

/* Returns whether all labels are numbers, and sets the smallest and the largest of them. */
static bool items_numbers(const struct sb_count_file *file, uint64_t *least, uint64_t *most)
{
    *least = UINT64_MAX;
    *most = 0;
    for (size_t i = 0; i < file->rows; i++) {
        uint64_t number;

        if (!sb_name_number(file->label[i], &number))
            return false;
        *least = number < *least ? number : *least;
        *most = number > *most ? number : *most;
    }
    return true;
}

/* Sets n and, unless they are numbers from 0 or 1, the names of the items. */
static enum sb_status items_name(struct counted *counted, size_t *base)
{
    const struct sb_count_file *const file = &counted->file;
    uint64_t least, most;
    const bool numbers = items_numbers(file, &least, &most);
    const size_t given = counted->n;

    *base = numbers && least == 0 ? 0 : 1;
    counted->n = given ? given : counted->names ? counted->names->n : file->rows;
    if (counted->n < 2 || counted->n > SB_ITEMS_MOST || (counted->names && counted->names->n != counted->n))
        return sb_error_set(counted->error, SB_INVALID, "%s: %zu items: give 2 to %d, and as many names in `cards`",
                            file->name, counted->n, SB_ITEMS_MOST);
    if (counted->names)
        return SB_OK;
    if (numbers && most - *base < counted->n)
        return sb_item_names_numbers((uint32_t)*base, &counted->names) ? SB_NO_MEMORY : SB_OK;
    if (file->rows != counted->n)
        return sb_error_set(counted->error, SB_INVALID,
                            "%s: %zu rows, and `n` is %zu: give each item a row, also with a count of 0, or number the "
                            "items from 1",
                            file->name, file->rows, counted->n);
    if (numbers && !given && most - least < 2 * file->rows)
        return sb_error_set(counted->error, SB_INVALID,
                            "%s: %zu rows, but numbers from %llu to %llu: say `n=%llu`, or give each item a row, also "
                            "with a count of 0",
                            file->name, file->rows, (unsigned long long)least, (unsigned long long)most,
                            (unsigned long long)(most + 1 - *base));
    return sb_item_names_take((const char *const *)file->label, file->rows, &counted->names);
}

/* Sets the counts of the items. `count` is [n]. */
static enum sb_status items_count(const struct counted *counted, size_t base, uint64_t draws, uint64_t count[])
{
    const struct sb_count_file *const file = &counted->file;

    for (size_t i = 0; i < file->rows; i++) {
        const size_t item = items_find(counted, i, base);

        if (item >= counted->n)
            return sb_error_set(counted->error, SB_INVALID,
                                "%s: line %zu: '%.40s' is none of the %zu items: correct it", file->name, file->line[i],
                                file->label[i], counted->n);
        if (file->count[i] > draws)
            return sb_error_set(counted->error, SB_INVALID,
                                "%s: line %zu: '%.40s' came up %llu times in %llu draws of %zu: correct one of them",
                                file->name, file->line[i], file->label[i], (unsigned long long)file->count[i],
                                (unsigned long long)draws, counted->deal);
        count[item] = file->count[i];
    }
    return SB_OK;
}

static enum sb_status items_check(const struct counted *counted)
{
    const struct sb_count_file *const file = &counted->file;

    if (file->joined)
        return sb_error_set(counted->error, SB_INVALID,
                            "%s: line %zu: '%.40s' has several fields, and is no order: give a label, a count and at "
                            "most a probability, or titles that say which column is the count",
                            file->name, file->line[0], file->label[0]);
    if (counted->deal >= counted->n)
        return sb_error_set(counted->error, SB_INVALID,
                            "%s: draws of %zu of %zu items draw all of them: give a smaller `deal`", file->name,
                            counted->deal, counted->n);
    if (file->total % counted->deal)
        return sb_error_set(counted->error, SB_INVALID,
                            "%s: the counts add up to %llu, which is no multiple of the %zu items of a draw: correct "
                            "the counts, or `deal`",
                            file->name, (unsigned long long)file->total, counted->deal);
    return SB_OK;
}

static enum sb_status items_report(struct counted *counted, struct sb_report *report)
{
    size_t base;
    enum sb_status status;

    counted->deal = counted->deal ? counted->deal : 1;
    status = items_name(counted, &base);
    if (status == SB_NO_MEMORY)
        return sb_error_memory(counted->error, "the items");
    if (status == SB_OK)
        status = items_check(counted);
    if (status)
        return status;
    const size_t n = counted->n, deal = counted->deal;
    const uint64_t draws = counted->file.total / deal;
    const double share = (double)deal / (double)n, ln_p[2] = { log(share), log1p(-share) };
    uint64_t *const count = calloc(n, sizeof *count), *const pairs = calloc(2 * n, sizeof *pairs);
    struct sb_counted *const made = sb_counted_new(n, "draw", NULL);

    status = count && pairs && made ? items_count(counted, base, draws, count)
                                    : sb_error_memory(counted->error, "the items");
    for (size_t i = 0; count && pairs && made && i < n && status == SB_OK; i++) {
        char name[SB_ITEM_ROOM];

        made->cell[i] = (struct sb_counted_cell) {
            .label = strdup(sb_item_words(counted->names, i, name)),
            .count = count[i],
            .fair = share,
        };
        pairs[2 * i] = count[i];
        pairs[2 * i + 1] = draws - count[i];
        if (!made->cell[i].label)
            status = sb_error_memory(counted->error, "the items");
    }
    const struct sb_tally tally = {
        .statistic = "item",
        .members = deal == 1 ? 1 : n,
        .cells = deal == 1 ? n : 2,
        .total = draws,
        .count = deal == 1 ? count : pairs,
        .ln_p = deal == 1 ? NULL : ln_p,
    };

    if (status == SB_OK)
        status = counted_report(counted, "counts of items", &tally, made, report);
    else
        sb_counted_free(made);
    free(count);
    free(pairs);
    return status;
}

/* ---- results with probabilities ---- */

static enum sb_status classes_report(struct counted *counted, struct sb_report *report)
{
    const struct sb_count_file *const file = &counted->file;
    double *const ln_p = calloc(file->rows, sizeof *ln_p);
    struct sb_counted *const made = sb_counted_new(file->rows, "result", NULL);
    enum sb_status status = ln_p && made ? SB_OK : sb_error_memory(counted->error, "a report");

    if (status == SB_OK && (counted->options->statistics || counted->deal || counted->names))
        status = sb_error_set(counted->error, SB_INVALID, "%s: the probabilities stand in the table: leave `%s` out",
                              file->name,
                              counted->options->statistics ? "statistics"
                              : counted->deal              ? "deal"
                                                           : "cards");
    for (size_t i = 0; ln_p && made && i < file->rows && status == SB_OK; i++) {
        ln_p[i] = log(file->p[i]);
        made->cell[i] = (struct sb_counted_cell) {
            .label = sb_sanitize_text(file->label[i], SB_TITLE_MOST),
            .count = file->count[i],
            .fair = file->p[i],
        };
        if (!made->cell[i].label)
            status = sb_error_memory(counted->error, "a report");
    }
    const struct sb_tally tally = {
        .statistic = "result",
        .members = 1,
        .cells = file->rows,
        .total = file->total,
        .count = file->count,
        .ln_p = ln_p,
    };

    counted->n = counted->deal = file->rows;
    if (status == SB_OK)
        status = counted_report(counted, "counts of results", &tally, made, report);
    else
        sb_counted_free(made);
    free(ln_p);
    return status;
}

/* ---- values of a statistic ---- */

/* Returns what follows the name of a statistic and a blank in a label; NULL if it does not begin with one. */
static const char *values_after(const char *label, const struct sb_statistic_type *type)
{
    const size_t length = strlen(type->name);

    return strncasecmp(label, type->name, length) == 0 && strchr(" :=", label[length]) && label[length]
               ? label + length + strspn(label + length, " :=")
               : NULL;
}

/* Sets *type to the statistic that `statistics` or the labels name; to NULL if they name none. */
static enum sb_status values_type(const struct counted *counted, const struct sb_statistic_type **type)
{
    const char *const given = counted->options->statistics;
    const struct sb_count_file *const file = &counted->file;

    *type = NULL;
    if (given && *given) {
        *type = sb_statistic_find(given);
        return *type ? SB_OK
                     : sb_error_set(counted->error, SB_INVALID,
                                    "%s: `statistics` %.60s: name the one statistic whose values are counted; "
                                    "'shufflebias list statistics' shows them",
                                    file->name, given);
    }
    for (size_t i = 0; i < sb_statistic_types_count && !*type; i++)
        if (values_after(file->label[0], sb_statistic_types[i]))
            *type = sb_statistic_types[i];
    for (size_t i = 0; *type && i < file->rows; i++)
        if (!values_after(file->label[i], *type))
            return sb_error_set(counted->error, SB_INVALID,
                                "%s: line %zu: '%.40s' is no value of %s: give the values of one statistic", file->name,
                                file->line[i], file->label[i], (*type)->name);
    return SB_OK;
}

/* Returns the cell with this label; `cells` if there is none. */
static size_t values_cell(const struct counted *counted, const struct sb_statistic_type *type,
                          const struct sb_window *window, const char *label)
{
    char text[SB_LABEL_ROOM];
    uint64_t value;

    if (!type->label) {
        if (!sb_name_number(label, &value) || (value < window->low && !window->below) ||
            (value >= window->low + window->cells && !window->above))
            return window->cells;
        return sb_window_cell(window, (size_t)value);
    }
    for (size_t cell = 0; cell < window->cells; cell++)
        if (strcasecmp(label, sb_statistic_label(type, counted->names, counted->n, counted->deal, 0, cell, text)) == 0)
            return cell;
    return window->cells;
}

static enum sb_status values_check(const struct counted *counted, const struct sb_statistic_type *type, size_t cells)
{
    const char *const name = counted->file.name;

    if (counted->n < 2)
        return sb_error_set(counted->error, SB_INVALID, "%s: the law of %s depends on the number of items: give `n`",
                            name, type->name);
    if (counted->deal > counted->n)
        return sb_error_set(counted->error, SB_INVALID,
                            "%s: `deal` %zu is more than the %zu items: correct one of them", name, counted->deal,
                            counted->n);
    if (sb_statistic_members(type, NULL, counted->n, counted->deal) != 1)
        return sb_error_set(counted->error, SB_INVALID,
                            "%s: %s has values for each %s, which a column of counts does not show: %s", name,
                            type->name, type->each ? type->each : "item",
                            type == &sb_statistic_position ? "use `matrix`" : "report on the decks themselves");
    if (cells < 2)
        return sb_error_set(counted->error, SB_INVALID, "%s: %s has no known law of %zu items out of %zu: use %s", name,
                            type->name, counted->deal, counted->n, type->range);
    return SB_OK;
}

/* Counts the rows in cells. */
static enum sb_status values_count(const struct counted *counted, const struct sb_statistic_type *type,
                                   const struct sb_window *window, const double ln_p[], uint64_t count[])
{
    const struct sb_count_file *const file = &counted->file;

    for (size_t i = 0; i < file->rows; i++) {
        const char *const after = values_after(file->label[i], type), *const label = after ? after : file->label[i];
        const size_t cell = values_cell(counted, type, window, label);

        if (cell == window->cells || (!(ln_p[cell] > -INFINITY) && file->count[i]))
            return sb_error_set(counted->error, SB_INVALID,
                                "%s: line %zu: %s of %zu items is never '%.40s': correct it, or `n`", file->name,
                                file->line[i], type->name, counted->n, label);
        count[cell] += file->count[i];
    }
    return SB_OK;
}

/* Makes the cells that are possible. */
static enum sb_status values_cells(const struct counted *counted, const struct sb_tally *tally,
                                   const struct sb_statistic_type *type, struct sb_counted *made)
{
    size_t used = 0;

    for (size_t cell = 0; cell < tally->cells; cell++) {
        char text[SB_LABEL_ROOM];

        if (!(tally->ln_p[cell] > -INFINITY))
            continue;
        made->cell[used] = (struct sb_counted_cell) {
            .label = strdup(sb_statistic_label(type, counted->names, counted->n, counted->deal, 0, cell, text)),
            .count = tally->count[cell],
            .fair = sb_exp(tally->ln_p[cell]),
        };
        if (!made->cell[used].label)
            return sb_error_memory(counted->error, "a report");
        made->count = ++used;
    }
    return SB_OK;
}

static enum sb_status values_report(struct counted *counted, const struct sb_statistic_type *type,
                                    struct sb_report *report)
{
    counted->n = counted->n ? counted->n : counted->names ? counted->names->n : 0;
    counted->deal = counted->deal ? counted->deal : counted->n;
    const size_t n = counted->n, deal = counted->deal;
    const size_t cells = n < 2 || deal > n ? 0 : sb_statistic_cells(type, NULL, n, deal);
    const struct sb_window window =
        type->window && cells ? type->window(n, deal) : (struct sb_window) { .cells = cells };
    enum sb_status status = values_check(counted, type, cells);

    if (status)
        return status;
    double *const ln_p = calloc(cells + 1, sizeof *ln_p);
    uint64_t *const count = calloc(cells + 1, sizeof *count);
    struct sb_counted *const made = sb_counted_new(cells, "shuffle", type->name);
    const struct sb_tally tally = {
        .statistic = type->name,
        .members = 1,
        .cells = cells,
        .total = counted->file.total,
        .count = count,
        .ln_p = ln_p,
        .number = !type->label,
        .low = window.low,
        .below = window.below,
        .above = window.above,
    };

    if (!ln_p || !count || !made || sb_statistic_null_law(type, NULL, n, deal, ln_p))
        status = sb_error_memory(counted->error, "a report");
    if (status == SB_OK)
        status = values_count(counted, type, &window, ln_p, count);
    if (status == SB_OK)
        status = values_cells(counted, &tally, type, made);
    if (status == SB_OK)
        status = counted_report(counted, "counts of a statistic", &tally, made, report);
    else
        sb_counted_free(made);
    free(ln_p);
    free(count);
    return status;
}

/* ---- the report ---- */

static enum sb_status counted_make(struct counted *counted, struct sb_report *report)
{
    const struct sb_statistic_type *type;
    struct sb_count_orders orders = { .k = 0 };
    enum sb_status status;

    if (counted->file.p)
        return classes_report(counted, report);
    status = sb_count_orders_read(&counted->file, counted->n, counted->deal, &counted->names, counted->error, &orders);
    if (status == SB_OK && orders.k)
        status = orders_report(counted, &orders, report);
    free(orders.items);
    if (status || orders.k)
        return status;
    status = values_type(counted, &type);
    if (status)
        return status;
    return type ? values_report(counted, type, report) : items_report(counted, report);
}

enum sb_status sb_reports_counted(const char *path, const struct sb_request *options, struct sb_error *error,
                                  struct sb_reports **reports)
{
    struct sb_request settled = *options;
    struct sb_reports *made = NULL;
    struct counted counted = { .options = &settled, .error = error };

    /* n and deal belong to the file, and need not fit the options' defaults */
    settled.n = settled.deal = 0;
    settled.cards = NULL;
    enum sb_status status = sb_options_settle(&settled, error, &settled);

    if (status == SB_OK)
        status = sb_count_file_read(path, options->stop, error, &counted.file);
    if (status)
        return status;
    counted.n = sb_request_given(options, "n") ? options->n : 0;
    counted.deal = options->deal;
    if (options->cards)
        status = sb_item_names_new(options->cards, error, &counted.names);
    if (status == SB_OK && sb_reports_one(&made))
        status = sb_error_memory(error, "a report");
    if (status == SB_OK)
        status = counted_make(&counted, made->report);
    if (made)
        status = sb_reports_end(made, options, options->title, NULL, status, error, reports);
    sb_item_names_free(counted.names);
    sb_count_file_close(&counted.file);
    return status;
}
