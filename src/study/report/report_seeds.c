/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The reports by seeds: which seeds to try, and what the number of reached deals means.
 *
 * The decks of all seeds give the law of the deck from a random seed. This law cannot be uniform if there are
 * fewer seeds than deals.
 */
#include "core/core.h"
#include "core/numbers.h"
#include "core/text.h"
#include "report/number.h"
#include "report/print.h"
#include "sample/sample.h"
#include "study/report/report_parts.h"
#include "study/report/report_ranks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* 256 times as many seeds as have 32 bits; they take about a day. */
static const uint64_t seeds_tried_most = UINT64_C(1) << 40;

enum sb_status sb_seeds_check(const struct sb_options *options, const struct sb_rng *rng,
                              struct sb_error *error)
{
    if (options->seeds_count || (rng->type->seeds && rng->type->seeds <= seeds_tried_most))
        return SB_OK;
    return sb_error_set(error, SB_INVALID,
                        "%s has too many seeds to try them all: say which, as in `seeds=0..65535`",
                        rng->name);
}

enum sb_status sb_seeds_evidence(const struct sb_scheme *scheme, const struct sb_shuffler *shuffler,
                                 const struct sb_options *options, struct sb_statistics *steps,
                                 struct sb_error *error, struct sb_evidence *evidence)
{
    const uint64_t count = options->seeds_count ? options->seeds_count : scheme->rng.type->seeds;
    const uint64_t first = options->seeds_count ? options->seeds_first : 0;
    struct sb_seeds seeds = {
        .recipe = { shuffler, &scheme->draw, &scheme->rng, 0, options->stop },
        .first = first,
        .last = first + count - 1,
        .threads = options->threads,
        .progress = options->progress,
        .progress_state = options->progress_state,
        .subject = scheme->name,
    };
    enum sb_status status = sb_seeds_check(options, &scheme->rng, error);

    if (status)
        return status;
    seeds.ranks = sb_ranks_begin(options, SB_BY_SEEDS, scheme, false);
    status = sb_seeds_reach(&seeds, error, evidence);
    if (status || !steps || !steps->steps)
        return status;
    status = sb_seeds_tally(&seeds, options->samples, &steps->tallies, error);
    if (status)
        sb_evidence_close(evidence);
    else
        sb_tallies_read(&steps->tallies);
    return status;
}

/* Returns whether the steps between the decks of consecutive seeds were tested, and the test found a bias. */
static bool seeds_follow(const struct sb_report *report)
{
    return report->findings_count && report->ln_p < log(report->alpha);
}

/* Returns the verdict: "uniform", "biased" or "inconclusive". */
static const char *seeds_verdict(const struct sb_report *report)
{
    const struct sb_evidence *const e = &report->evidence;
    const struct sb_reach *const reach = e->reach;
    const uint64_t deals = sb_deals(e->n, e->deal); /* UINT64_MAX if the number does not fit */
    const uint64_t tried = reach->last - reach->first + 1 - reach->refused;

    if (deals == 1)
        return "uniform";
    if (seeds_follow(report))
        return "biased";
    /* the seeds that were not tried may reach the other deals */
    if (e->total == 0 || (e->interrupted && tried >= deals))
        return "inconclusive";
    if (tried % deals != 0 || (reach->reached < deals && reach->reached_error == 0))
        return "biased";
    if (reach->most == 0)
        return "inconclusive";
    return reach->most == tried / deals ? "uniform" : "biased";
}

/* Writes what the seeds lead to: "orders of 8 items" or "deals of 2 out of 52". */
static void seeds_what(const struct sb_evidence *e, FILE *stream)
{
    if (e->deal < e->n)
        fprintf(stream, "deals of %zu out of %zu", e->deal, e->n);
    else
        fprintf(stream, "orders of %zu items", e->n);
}

/* Writes the deal with the rank ranks[0], and says how many of the `total` deals are not named. */
static void seeds_names(const struct sb_evidence *e, const size_t ranks[], size_t total, FILE *stream)
{
    sb_item a[64]; /* deals that are counted by rank have at most 64 items */
    char text[SB_NOTATION_ROOM];

    sb_permutation_unrank(e->n, e->deal, ranks[0], a);
    fputs(sb_item_notation(e->names, e->n, e->deal, a, text, sizeof text), stream);
    if (total > 1)
        fprintf(stream, " and %s %s", sb_number_grouped(total - 1).text, total == 2 ? "other" : "others");
}

/* Writes how often deals come up: " comes up 8 times" or " come up once each". */
static void seeds_times(uint64_t times, size_t deals, FILE *stream)
{
    fprintf(stream, " come%s up ", deals == 1 ? "s" : "");
    if (times == 1)
        fputs("once", stream);
    else
        fprintf(stream, "%s times", sb_number_grouped(times).text);
    if (deals > 1)
        fputs(" each", stream);
}

/* Writes the number of seeds: "from 6,000 seeds ". */
static void seeds_from(const struct sb_evidence *e, FILE *stream)
{
    fprintf(stream, "from %s seed%s ", sb_number_grouped(e->total).text, e->total == 1 ? "" : "s");
}

/* Describes deals that were counted by rank. */
static void seeds_counted(const struct sb_report *report, FILE *stream)
{
    const struct sb_evidence *const e = &report->evidence;
    const struct sb_effect *const effect = &report->effect;
    const struct sb_reach *const reach = e->reach;

    if (reach->least == reach->most) {
        fprintf(stream, "each of the %s ", sb_number_grouped(e->cells).text);
        seeds_what(e, stream);
        fprintf(stream, " comes up from %s of %s seeds", sb_number_grouped(reach->most).text,
                sb_number_grouped(e->total).text);
        return;
    }
    seeds_from(e, stream);
    if (reach->least == 0) {
        fprintf(stream, "%s of the %s ", sb_number_grouped(e->cells - reach->reached).text,
                sb_number_grouped(e->cells).text);
        seeds_what(e, stream);
        fprintf(stream, " never come%s up; ", e->cells - reach->reached == 1 ? "s" : "");
    }
    seeds_names(e, effect->most, effect->most_total, stream);
    seeds_times(reach->most, effect->most_total, stream);
    if (reach->least > 0) {
        fputs("; ", stream);
        seeds_names(e, effect->least, effect->least_total, stream);
        seeds_times(reach->least, effect->least_total, stream);
    }
    /* a fair shuffle is "biased" from a few seeds, too, so the sentence has what makes the verdict mean something */
    fprintf(stream,
            ". So the deck of a random one of these seeds is %s from fair in total variation; as many fair "
            "shuffles show %s on average",
            sb_number_short(effect->total_variation, 2).text,
            sb_number_short(effect->total_variation_fair, 2).text);
}

/* Returns how many deals there are for each deck, rounded down. The quotient must fit in 64 bits. */
static uint64_t seeds_deals_each(const struct sb_evidence *e)
{
    mpz_t each;

    mpz_init(each);
    sb_mpz_set_u64(each, e->total);
    mpz_fdiv_q(each, e->reach->deals, each);
    const uint64_t deals = sb_mpz_get_u64(each);

    mpz_clear(each);
    return deals;
}

/* Describes deals that are too many to count by rank. */
static void seeds_told_apart(const struct sb_evidence *e, FILE *stream)
{
    const struct sb_reach *const reach = e->reach;
    const char *const about = reach->reached_error > 0 ? "about " : "";
    const double digits = -reach->log10_fraction;

    seeds_from(e, stream);
    if (digits >= 6)
        sb_print(stream, "at most 1 in 10^%.0f ", floor(digits));
    else if (digits >= 1)
        fprintf(stream, "at most 1 in %s ", sb_number_grouped(seeds_deals_each(e)).text);
    else
        fprintf(stream, "%s%s of the ", about, sb_number_grouped(reach->reached).text);
    if (digits < 1) {
        mpz_out_str(stream, 10, reach->deals);
        fputc(' ', stream);
    }
    seeds_what(e, stream);
    if (digits >= 1)
        fprintf(stream, " can come up; %s%s different one%s", about, sb_number_grouped(reach->reached).text,
                reach->reached == 1 ? " does" : "s do");
    else
        fputs(" come up", stream);
}

/* Writes what the steps between the decks of consecutive seeds show. */
static void seeds_steps(const struct sb_report *report, FILE *stream)
{
    const struct sb_finding *const worst = sb_report_worst(report);

    if (!worst) {
        fputs(" They are too few to test the steps from the deck of each seed to that of the next.", stream);
        return;
    }
    fprintf(stream, " The steps from the deck of each seed to that of the next %s",
            seeds_follow(report) ? "are not those of a fair shuffle" : "look like those of a fair shuffle");
    fprintf(stream, " (corrected p = %s", sb_number_p(report->p, report->ln_p).text);
    if (seeds_follow(report))
        fprintf(stream, "; %s stands out most", worst->statistic);
    fputs(").", stream);
}

/* Says why there is no verdict: not all seeds were tried, or the deals were told apart and not counted. */
static void seeds_open(const struct sb_evidence *e, FILE *stream)
{
    const uint64_t asked = e->reach->last - e->reach->first + 1;

    if (e->interrupted)
        fprintf(stream, "only %s of %s seeds were tried; they lead to ",
                sb_number_grouped(e->total + e->reach->refused).text, sb_number_grouped(asked).text);
    else
        fprintf(stream, "how often each deal comes up was not counted; %s seeds lead to ",
                sb_number_grouped(e->total).text);
    fprintf(stream, "%s different ", sb_number_grouped(e->reach->reached).text);
    seeds_what(e, stream);
}

static void seeds_sentence(const struct sb_report *report, FILE *stream)
{
    const struct sb_evidence *const e = &report->evidence;

    if (mpz_cmp_ui(e->reach->deals, 1) == 0) {
        fputs("there is only one order, so there is nothing to shuffle", stream);
    } else if (e->total == 0) {
        fputs("no seed was tried", stream);
    } else if (strcmp(report->verdict, "inconclusive") == 0) {
        seeds_open(e, stream);
    } else if (e->cells) {
        seeds_counted(report, stream);
    } else {
        seeds_told_apart(e, stream);
    }
    fputc('.', stream);
    if (report->findings_count)
        seeds_steps(report, stream);
}

static void seeds_warning(const struct sb_report *report, FILE *stream)
{
    const struct sb_reach *const reach = report->evidence.reach;

    if (report->evidence.interrupted)
        fprintf(stream, "stopped early: %s of %s seeds were tried",
                sb_number_grouped(report->evidence.total + reach->refused).text,
                sb_number_grouped(reach->last - reach->first + 1).text);
    if (reach->refused)
        fprintf(stream, "%s%s seed%s left out, from which the generator only repeats itself",
                report->evidence.interrupted ? "; " : "", sb_number_grouped(reach->refused).text,
                reach->refused == 1 ? " was" : "s were");
}

/* Returns the text that `say` writes. The caller frees the text. Returns NULL if memory runs out. */
static char *seeds_text(const struct sb_report *report, void (*say)(const struct sb_report *, FILE *))
{
    char *text = NULL;
    size_t size;
    FILE *const stream = sb_memory_stream_open(&text, &size);

    if (!stream)
        return NULL;
    say(report, stream);
    if (sb_memory_stream_close(stream, &text))
        return text;
    free(text);
    return NULL;
}

enum sb_status sb_report_judge_seeds(struct sb_report *report)
{
    sb_report_correct(report);
    report->verdict = seeds_verdict(report);
    report->sentence = seeds_text(report, seeds_sentence);
    report->warning = seeds_text(report, seeds_warning);
    if (!report->sentence || !report->warning)
        return SB_NO_MEMORY;
    if (report->warning[0] == '\0') {
        free(report->warning);
        report->warning = NULL;
    }
    return SB_OK;
}
