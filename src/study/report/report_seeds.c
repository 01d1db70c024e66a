/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The verdict of a report by seeds, and what the number of reached deals means.
 *
 * The decks of all seeds give the law of the deck from a random seed. This law cannot be uniform if there are
 * fewer seeds than deals.
 */
#include "core/numbers.h"
#include "core/text.h"
#include "sample/sample.h"
#include "study/report/report_parts.h"

#include <math.h>
#include <string.h>

static bool seeds_follow(const struct sb_report *report)
{
    return report->findings_count && report->ln_p < log(report->alpha);
}

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

static void seeds_what(const struct sb_evidence *e, struct sb_sentence *s)
{
    if (e->deal < e->n)
        sb_sentence_add(s, "deals of %zu out of %zu", e->deal, e->n);
    else
        sb_sentence_add(s, "orders of %zu items", e->n);
}

static void seeds_names(const struct sb_evidence *e, const size_t ranks[], size_t total, struct sb_sentence *s)
{
    sb_item a[64]; /* deals that are counted by rank have at most 64 items */
    char text[SB_NOTATION_ROOM];

    sb_permutation_unrank(e->n, e->deal, ranks[0], a);
    sb_sentence_add(s, "%s", sb_item_notation(e->names, e->n, e->deal, a, text, sizeof text));
    if (total > 1)
        sb_sentence_add(s, " and %s %s", sb_number_grouped(total - 1).text, total == 2 ? "other" : "others");
}

static void seeds_times(uint64_t times, size_t deals, struct sb_sentence *s)
{
    sb_sentence_add(s, " come%s up ", deals == 1 ? "s" : "");
    if (times == 1)
        sb_sentence_add(s, "once");
    else
        sb_sentence_add(s, "%s times", sb_number_grouped(times).text);
    if (deals > 1)
        sb_sentence_add(s, " each");
}

static void seeds_from(const struct sb_evidence *e, struct sb_sentence *s)
{
    sb_sentence_add(s, "from %s seed%s ", sb_number_grouped(e->total).text, e->total == 1 ? "" : "s");
}

static void seeds_counted(const struct sb_report *report, struct sb_sentence *s)
{
    const struct sb_evidence *const e = &report->evidence;
    const struct sb_effect *const effect = &report->effect;
    const struct sb_reach *const reach = e->reach;

    if (reach->least == reach->most) {
        sb_sentence_add(s, "each of the %s ", sb_number_grouped(e->cells).text);
        seeds_what(e, s);
        sb_sentence_add(s, " comes up from %s of %s seeds", sb_number_grouped(reach->most).text,
                        sb_number_grouped(e->total).text);
        return;
    }
    seeds_from(e, s);
    if (reach->least == 0) {
        sb_sentence_add(s, "%s of the %s ", sb_number_grouped(e->cells - reach->reached).text,
                        sb_number_grouped(e->cells).text);
        seeds_what(e, s);
        sb_sentence_add(s, " never come%s up; ", e->cells - reach->reached == 1 ? "s" : "");
    }
    seeds_names(e, effect->most, effect->most_total, s);
    seeds_times(reach->most, effect->most_total, s);
    if (reach->least > 0) {
        sb_sentence_add(s, "; ");
        seeds_names(e, effect->least, effect->least_total, s);
        seeds_times(reach->least, effect->least_total, s);
    }
    /* a fair shuffle is "biased" from a few seeds, too, so the sentence has what makes the verdict mean something */
    sb_sentence_add(s,
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

static void seeds_told_apart(const struct sb_evidence *e, struct sb_sentence *s)
{
    const struct sb_reach *const reach = e->reach;
    const char *const about = reach->reached_error > 0 ? "about " : "";
    const double digits = -reach->log10_fraction;

    seeds_from(e, s);
    if (digits >= 6)
        sb_sentence_add(s, "at most 1 in 10^%.0f ", floor(digits));
    else if (digits >= 1)
        sb_sentence_add(s, "at most 1 in %s ", sb_number_grouped(seeds_deals_each(e)).text);
    else
        sb_sentence_add(s, "%s%s of the ", about, sb_number_grouped(reach->reached).text);
    if (digits < 1) {
        sb_sentence_mpz(s, reach->deals);
        sb_sentence_add(s, " ");
    }
    seeds_what(e, s);
    if (digits >= 1)
        sb_sentence_add(s, " can come up; %s%s different one%s", about, sb_number_grouped(reach->reached).text,
                        reach->reached == 1 ? " does" : "s do");
    else
        sb_sentence_add(s, " come up");
}

static void seeds_steps(const struct sb_report *report, struct sb_sentence *s)
{
    const struct sb_finding *const worst = sb_report_worst(report);

    if (!worst) {
        sb_sentence_add(s, " They are too few to test the steps from the deck of each seed to that of the next.");
        return;
    }
    sb_sentence_add(s, " The steps from the deck of each seed to that of the next %s",
                    seeds_follow(report) ? "are not those of a fair shuffle" : "look like those of a fair shuffle");
    sb_sentence_add(s, " (corrected p = %s", sb_number_p(report->p, report->ln_p).text);
    if (seeds_follow(report))
        sb_sentence_add(s, "; %s stands out most", worst->statistic);
    sb_sentence_add(s, ").");
}

static void seeds_open(const struct sb_evidence *e, struct sb_sentence *s)
{
    const uint64_t asked = e->reach->last - e->reach->first + 1;

    if (e->interrupted)
        sb_sentence_add(s, "only %s of %s seeds were tried; they lead to ",
                        sb_number_grouped(e->total + e->reach->refused).text, sb_number_grouped(asked).text);
    else
        sb_sentence_add(s, "how often each deal comes up was not counted; %s seeds lead to ",
                        sb_number_grouped(e->total).text);
    sb_sentence_add(s, "%s different ", sb_number_grouped(e->reach->reached).text);
    seeds_what(e, s);
}

static void seeds_sentence(const struct sb_report *report, struct sb_sentence *s)
{
    const struct sb_evidence *const e = &report->evidence;

    if (mpz_cmp_ui(e->reach->deals, 1) == 0) {
        sb_sentence_add(s, "there is only one order, so there is nothing to shuffle");
    } else if (e->total == 0) {
        sb_sentence_add(s, "no seed was tried");
    } else if (strcmp(report->verdict, "inconclusive") == 0) {
        seeds_open(e, s);
    } else if (e->cells) {
        seeds_counted(report, s);
    } else {
        seeds_told_apart(e, s);
    }
    sb_sentence_add(s, ".");
    if (report->findings_count)
        seeds_steps(report, s);
}

static void seeds_warning(const struct sb_report *report, struct sb_sentence *s)
{
    const struct sb_reach *const reach = report->evidence.reach;

    if (report->evidence.interrupted)
        sb_sentence_add(s, "stopped early: %s of %s seeds were tried",
                        sb_number_grouped(report->evidence.total + reach->refused).text,
                        sb_number_grouped(reach->last - reach->first + 1).text);
    if (reach->refused)
        sb_sentence_add(s, "%s%s seed%s left out, from which the generator only repeats itself",
                        report->evidence.interrupted ? "; " : "", sb_number_grouped(reach->refused).text,
                        reach->refused == 1 ? " was" : "s were");
}

enum sb_status sb_report_judge_seeds(struct sb_report *report)
{
    struct sb_sentence sentence = { 0 }, warning = { 0 };

    sb_report_correct(report);
    report->verdict = seeds_verdict(report);
    seeds_sentence(report, &sentence);
    seeds_warning(report, &warning);
    const bool warned = warning.used || warning.lost;

    report->sentence = sb_sentence_take(&sentence);
    report->warning = warned ? sb_sentence_take(&warning) : NULL;
    return report->sentence && (report->warning || !warned) ? SB_OK : SB_NO_MEMORY;
}
