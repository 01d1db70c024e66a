/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The zoo: runs every statistic, or the user's test, on every biased shuffle. The number of permutations that a
 * statistic needs follows from the law, if it is known, or from an experiment (zoo_trials.c). */
#include "study/zoo/zoo.h"
#include "core/text.h"
#include "report/page.h"

#include <inttypes.h>

static void zoo_json_row(struct sb_json *json, const struct sb_zoo *zoo, const struct sb_zoo_row *row)
{
    sb_json_object(json, NULL);
    sb_json_string(json, "shuffle", row->name);
    sb_json_bool(json, "fair", row->fair);
    if (zoo->test) {
        sb_json_integer(json, "runs", row->runs);
        sb_json_integer(json, "passed", row->passed);
        sb_json_close(json);
        return;
    }
    sb_json_string(json, "by", row->exact ? "law" : "runs");
    sb_json_reals(json, "needed", row->needed, zoo->columns);
    sb_json_close(json);
}

static void zoo_json(const void *result, struct sb_json *json)
{
    const struct sb_zoo *const zoo = result;

    sb_json_integer(json, "n", zoo->n);
    sb_json_integer(json, "deal", zoo->deal);
    sb_json_integer(json, "samples", zoo->samples);
    sb_json_integer(json, "seeds", zoo->seeds);
    sb_json_string(json, "test", zoo->test);
    sb_json_real(json, "alpha", zoo->test ? NAN : zoo->alpha);
    sb_json_strings(json, "statistics", zoo->column, zoo->columns);
    sb_json_array(json, "shuffles", false);
    for (size_t i = 0; i < zoo->rows; i++)
        zoo_json_row(json, zoo, &zoo->row[i]);
    sb_json_close(json);
}

static void zoo_csv(const void *result, FILE *stream)
{
    const struct sb_zoo *const zoo = result;

    fputs(zoo->test ? "shuffle,fair,runs,passed\n" : "shuffle,fair,by,statistic,needed\n", stream);
    for (size_t i = 0; i < zoo->rows; i++) {
        const struct sb_zoo_row *const row = &zoo->row[i];
        const char *const fair = row->fair ? "true" : "false";

        if (zoo->test)
            fprintf(stream, "\"%s\",%s,%zu,%zu\n", row->name, fair, row->runs, row->passed);
        for (size_t j = 0; j < zoo->columns; j++)
            fprintf(stream, "\"%s\",%s,%s,%s,%s\n", row->name, fair, row->exact ? "law" : "runs", zoo->column[j],
                    isfinite(row->needed[j]) ? sb_number_full(row->needed[j]).text : "");
    }
}

/* The test may be several lines of a shell's program. */
static bool zoo_test_line(struct sb_template *template, const void *result)
{
    const struct sb_zoo *const zoo = result;
    char *const line = zoo->test ? sb_sanitize_text(zoo->test, strlen(zoo->test)) : NULL;
    const bool well = !zoo->test || (line && json_object_set_new(template->names, "test", json_string(line)) == 0);

    free(line);
    return well;
}

static void zoo_page(const void *result, struct sb_page *page)
{
    sb_template_page("zoo", &sb_zoo_result, result, zoo_test_line, page);
}

const struct sb_result_type sb_zoo_result = {
    .what = "the zoo",
    .of = "a zoo",
    .schema = "shufflebias.zoo/1",
    .page = zoo_page,
    .title = "shufflebias zoo",
    .json = zoo_json,
    .csv = zoo_csv,
};

/* the largest number of deals of several cards for which the entrants that are fair by their law are found; among more
 * deals, no entrant is fair */
enum { ZOO_ACQUIT_CELLS = 120 };
/* for each run of a test on a biased shuffle, the number of runs on the fair shuffle */
enum { ZOO_FAIR_RUNS = 4 };

static enum sb_status zoo_check(const struct sb_request *options, struct sb_error *error, struct sb_request *settled)
{
    *settled = *options;
    if (options->n < 2 || options->n > SB_LAW_ITEMS_MOST)
        return sb_error_set(error, SB_INVALID, "`n = %zu`: use 2 to %d", options->n, SB_LAW_ITEMS_MOST);
    if (options->deal > options->n)
        return sb_error_deal(error, options->deal, options->n);
    if (settled->deal == 0)
        settled->deal = options->n;
    if (settled->samples == 0)
        settled->samples = options->test ? 1000 : 20000;
    return SB_OK;
}

static enum sb_status zoo_columns(struct sb_zoo_run *run)
{
    struct sb_zoo *const zoo = run->zoo;

    run->type = calloc(sb_statistic_types_count + 1, sizeof *run->type);
    zoo->column = calloc(sb_statistic_types_count + 1, sizeof *zoo->column);
    if (!run->type || !zoo->column)
        return sb_error_memory(run->error, "the zoo");
    for (size_t i = 0; i < sb_statistic_types_count; i++)
        if (sb_statistic_joins(sb_statistic_types[i], zoo->n, zoo->deal)) {
            run->type[run->count] = sb_statistic_types[i];
            zoo->column[run->count++] = sb_statistic_types[i]->name;
        }
    zoo->columns = run->count;
    if (sb_cells(zoo->n, zoo->deal) == 0)
        zoo->column[zoo->columns++] = sb_statistics_repeat;
    return SB_OK;
}

/* Returns whether a row, whose first number is that of the rank, is fair by its law, although its shuffle is biased in
 * general: the naive swap of two items is fair, and so is the first card after a rotation. */
static bool zoo_acquits(const struct sb_zoo_row *row)
{
    return row->exact && isinf(row->needed[0]);
}

static enum sb_status zoo_statistics(struct sb_zoo_run *run)
{
    struct sb_zoo *const zoo = run->zoo;
    enum sb_status status = zoo_columns(run);
    const bool ranked = run->count && run->type[0] == &sb_statistic_rank;

    for (size_t i = 0; i < zoo->rows && status == SB_OK; i++) {
        struct sb_zoo_row *const row = &zoo->row[i];

        row->needed = calloc(zoo->columns + 1, sizeof row->needed[0]);
        if (!row->needed)
            return sb_error_memory(run->error, "the zoo");
        status = sb_zoo_of_law(run->options, run->type, run->count, run->error, row);
        row->fair = row->fair || (ranked && zoo_acquits(row));
        if (run->options->progress)
            run->options->progress(run->options->progress_state, row->name, i, zoo->rows);
    }
    return status ? status : sb_zoo_sample(run);
}

static enum sb_status zoo_acquit(struct sb_zoo_run *run)
{
    static const struct sb_statistic_type *const rank = &sb_statistic_rank;
    struct sb_zoo *const zoo = run->zoo;
    const size_t cells = sb_cells(zoo->n, zoo->deal);
    enum sb_status status = SB_OK;

    if (zoo->deal > 1 && cells > ZOO_ACQUIT_CELLS)
        return SB_OK;
    for (size_t i = 0; i < zoo->rows && status == SB_OK; i++) {
        double needed = NAN;
        struct sb_zoo_row law = zoo->row[i];

        law.needed = &needed;
        status = sb_zoo_of_law(run->options, &rank, 1, run->error, &law);
        zoo->row[i].fair = zoo->row[i].fair || zoo_acquits(&law);
    }
    return status;
}

static enum sb_status zoo_jury(struct sb_zoo_run *run)
{
    struct sb_zoo *const zoo = run->zoo;
    enum sb_status status = zoo_acquit(run);

    for (size_t i = 0; i < zoo->rows && status == SB_OK; i++) {
        struct sb_zoo_row *const row = &zoo->row[i];
        const size_t runs = (size_t)zoo->seeds * (row->fair ? ZOO_FAIR_RUNS : 1);

        for (; row->runs < runs && status == SB_OK; row->runs++) {
            struct sb_feed *feed = NULL;
            bool passed = false;

            status = sb_zoo_feed(row, zoo->n, zoo->deal, 1 + row->runs, run->options->stop, run->error, &feed);
            if (status == SB_OK)
                status = sb_zoo_ask(run->options, feed, run->error, &passed);
            row->passed += passed;
            sb_feed_free(feed);
        }
        if (run->options->progress)
            run->options->progress(run->options->progress_state, row->name, i, zoo->rows);
    }
    return status;
}

static enum sb_status zoo_make(struct sb_zoo_run *run)
{
    const struct sb_request *const options = run->options;
    struct sb_zoo *const zoo = run->zoo;
    const enum sb_status status = sb_zoo_rows(options->n, options->deal, run->error, &zoo->row, &zoo->rows);

    if (status)
        return status;
    zoo->n = options->n;
    zoo->deal = options->deal;
    zoo->alpha = options->alpha;
    zoo->samples = options->samples;
    zoo->seeds = (unsigned)options->seeds;
    zoo->test = options->test ? strdup(options->test) : NULL;
    if (options->test && !zoo->test)
        return sb_error_memory(run->error, "the zoo");
    return options->test ? zoo_jury(run) : zoo_statistics(run);
}

enum sb_status sb_zoo_new(const struct sb_request *options, struct sb_error *error, struct sb_zoo **zoo)
{
    struct sb_request settled;
    struct sb_zoo_run run = { .options = &settled, .error = error };
    enum sb_status status = zoo_check(options, error, &settled);

    if (status)
        return status;
    run.zoo = calloc(1, sizeof *run.zoo);
    if (!run.zoo)
        return sb_error_memory(error, "the zoo");
    status = zoo_make(&run);
    free(run.type);
    if (status)
        sb_zoo_free(run.zoo);
    else
        *zoo = run.zoo;
    return status;
}

void sb_zoo_free(struct sb_zoo *zoo)
{
    if (!zoo)
        return;
    for (size_t i = 0; zoo->row && i < zoo->rows; i++)
        free(zoo->row[i].needed);
    free(zoo->row);
    free(zoo->column);
    free(zoo->test);
    free(zoo);
}
