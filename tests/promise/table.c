/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rates, their intervals, and the tables.
 *
 * Each interval holds with 95%: Clopper and Pearson's for the probability of an event, and mean +- 1.96
 * standard errors for a mean of weights. A table has many lines, and some of these promises hold exactly. So
 * some intervals lie above what is allowed by chance. A promise counts as broken if the lower end of a wider
 * interval is above what is allowed, which has 1 - 0.05/(number of lines). If all rates were exactly what is
 * allowed, this would happen in at most 2.5% of all tables.
 */
#include "fit/fit.h"
#include "promise/promise.h"

#include <gsl/gsl_cdf.h>

#include <math.h>

static const double unit = 0x1p-32;

void promise_add(double outcome, struct promise_tally *tally)
{
    if (isnan(outcome))
        return;
    tally->trials++;
    tally->events += outcome > 0;
    tally->sum += (uint64_t)(outcome / unit);
    tally->squares += (uint64_t)(outcome * outcome / unit);
}

struct rate {
    double rate, low, high;
};

/* The rate, and its interval at level 1 - alpha. */
static struct rate rate_of(const struct promise_line *line, const struct promise_tally *tally, double alpha)
{
    const double trials = (double)tally->trials, mean = (double)tally->sum * unit / trials;
    struct rate rate = { .rate = mean };

    if (!line->weighted) {
        sb_binomial_interval(tally->events, tally->trials, alpha, &rate.low, &rate.high);
        return rate;
    }
    const double error = sqrt(fmax(0, (double)tally->squares * unit / trials - mean * mean) / trials);
    const double reach = gsl_cdf_ugaussian_Qinv(alpha / 2) * error;

    rate.low = fmax(0, mean - reach) * line->allowed;
    rate.high = (mean + reach) * line->allowed;
    rate.rate *= line->allowed;
    return rate;
}

/* Number of lines of all parts that have trials. */
static size_t count_lines(const struct promise_part *const part[], size_t parts, const struct promise_tally tally[])
{
    size_t lines = 0;

    for (size_t p = 0; p < parts; p++)
        for (size_t i = 0; i < part[p]->count * PROMISE_LINES_MOST; i++, tally++)
            lines += tally->trials > 0;
    return lines;
}

/* "yes", or what to say of a promise that may be broken; *fine becomes false if it is. */
static const char *within(const struct promise_line *line, const struct promise_tally *tally, size_t lines, bool *fine)
{
    if (rate_of(line, tally, 0.05).low <= line->allowed)
        return "yes";
    if (rate_of(line, tally, 0.05 / (double)lines).low <= line->allowed)
        return "by chance";
    *fine = false;
    return "**NO**";
}

static void print_count(uint64_t count, FILE *stream)
{
    if (count >= 1000) {
        print_count(count / 1000, stream);
        fprintf(stream, ",%03u", (unsigned)(count % 1000));
    } else {
        fprintf(stream, "%u", (unsigned)count);
    }
}

static void print_line(const struct promise_case *one, size_t i, const struct promise_tally *tally, size_t lines,
                       bool *fine, FILE *stream)
{
    const struct promise_line *const line = &one->line[i];
    const struct rate rate = rate_of(line, tally, 0.05);

    fprintf(stream, "| %s | %s | ", line->promise, one->setting);
    print_count(tally->trials, stream);
    fprintf(stream, " | ");
    print_count(tally->events, stream);
    fprintf(stream, " | %.3g | %.3g to %.3g | %.3g | %s |\n", rate.rate, rate.low, rate.high, line->allowed,
            within(line, tally, lines, fine));
}

static void print_long(const struct promise_part *part, const struct promise_tally tally[], size_t lines, bool *fine,
                       FILE *stream)
{
    fprintf(stream, "| event | setting | trials | events | rate | 95%% interval | allowed | within |\n"
                    "|---|---|---:|---:|---:|---:|---:|---|\n");
    for (size_t c = 0; c < part->count; c++)
        for (size_t i = 0; i < PROMISE_LINES_MOST; i++)
            if (tally[c * PROMISE_LINES_MOST + i].trials)
                print_line(&part->cases[c], i, &tally[c * PROMISE_LINES_MOST + i], lines, fine, stream);
}

/* A cell for each line: its rate and interval, in percent. */
static void print_row(const struct promise_case *one, const struct promise_tally tally[], size_t lines, bool *fine,
                      FILE *stream)
{
    const char *worst = "yes";

    fprintf(stream, "| %s | ", one->setting);
    print_count(tally[0].trials, stream);
    for (size_t i = 0; i < PROMISE_LINES_MOST; i++) {
        if (!tally[i].trials) {
            fprintf(stream, " | –");
            continue;
        }
        const struct rate rate = rate_of(&one->line[i], &tally[i], 0.05);
        const char *const word = within(&one->line[i], &tally[i], lines, fine);

        worst = word[0] > worst[0] || word[0] == 'y' ? worst : word; /* "**NO**" < "by chance" < "yes" */
        fprintf(stream, " | %.2f (%.2f to %.2f)", 100 * rate.rate, 100 * rate.low, 100 * rate.high);
    }
    fprintf(stream, " | %s |\n", worst);
}

static void print_wide(const struct promise_part *part, const struct promise_tally tally[], size_t lines, bool *fine,
                       FILE *stream)
{
    fprintf(stream, "| setting | trials");
    for (size_t i = 0; i < PROMISE_LINES_MOST; i++)
        fprintf(stream, " | %s, %% (allowed: %g)", part->cases[0].line[i].promise,
                100 * part->cases[0].line[i].allowed);
    fprintf(stream, " | within |\n|---|---:");
    for (size_t i = 0; i < PROMISE_LINES_MOST; i++)
        fprintf(stream, "|---:");
    fprintf(stream, "|---|\n");
    for (size_t c = 0; c < part->count; c++)
        if (tally[c * PROMISE_LINES_MOST].trials)
            print_row(&part->cases[c], tally + c * PROMISE_LINES_MOST, lines, fine, stream);
}

bool promise_table(const struct promise_part *const part[], size_t parts, const struct promise_tally tally[],
                   FILE *stream)
{
    const size_t lines = count_lines(part, parts, tally);
    bool fine = true, first = true;

    for (size_t p = 0; p < parts; tally += part[p++]->count * PROMISE_LINES_MOST) {
        if (!count_lines(&part[p], 1, tally))
            continue;
        fprintf(stream, "%s**%s**\n\n", first ? "" : "\n", part[p]->title);
        first = false;
        (part[p]->wide ? print_wide : print_long)(part[p], tally, lines, &fine, stream);
    }
    return fine;
}
