/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds the shuffle by the law: the shuffle of the candidate with the largest likelihood.
 *
 * All forms of one shuffle are the same bug, and a few permutations often cannot distinguish the forms. For
 * example, `naive-no-self` fails after 35 permutations, and its inverse is then about as likely. So the
 * shuffle is compared only with other shuffles, each in its likeliest form.
 *
 * The candidate is rejected if the e-value of the statistics that use no faulty shuffle's law is more than
 * 1,000 times the candidate's likelihood ratio. The quotient of e-value and likelihood ratio is an e-process
 * under the candidate's law. So by Ville's inequality, the probability that the true shuffle is ever rejected
 * is at most 1/1000.
 */
#include "study/catalogue/catalogue_build.h"
#include "study/catalogue/catalogue_look.h"

#include <math.h>
#include <string.h>

static const double law_ln_against = 6.907755278982137; /* ln 1000 */
/* a smaller difference of two ln_e counts as zero, because each is a sum of rounded logarithms */
static const double law_ln_same = 1e-6;

/* Returns the candidate with the largest likelihood, or NULL if there is none. */
static const struct sb_candidate *law_best(const struct sb_catalogue *catalogue)
{
    const struct sb_candidate *best = NULL;

    for (size_t k = 0; k < catalogue->count; k++)
        if (!best || catalogue->candidate[k].ln_e > best->ln_e)
            best = &catalogue->candidate[k];
    return best;
}

static bool law_is_of(const struct sb_candidate *candidate, const char *scheme)
{
    return strcmp(candidate->scheme, scheme) == 0;
}

/* Returns the most probable form of the shuffle, if the weights are taken as the prior probabilities of the
 * forms. */
static const struct sb_candidate *law_form(const struct sb_catalogue *catalogue, const char *scheme)
{
    const struct sb_candidate *form = NULL;
    double most = -HUGE_VAL;

    for (size_t k = 0; k < catalogue->count; k++) {
        const struct sb_candidate *const candidate = &catalogue->candidate[k];
        const double ln = candidate->ln_e + log(candidate->weight);

        if (law_is_of(candidate, scheme) && (!form || ln > most)) {
            form = candidate;
            most = ln;
        }
    }
    return form;
}

/* Returns the variant in a candidate's name. */
static unsigned law_variant(const struct sb_candidate *candidate)
{
    char name[SB_CATALOGUE_NAME];
    unsigned variant = SB_VARIANTS - 1;

    while (variant && strcmp(candidate->name, sb_catalogue_name(candidate->scheme, variant, name)) != 0)
        variant--;
    return variant;
}

/* Adds the names of the shuffles with the candidate's law and, if `own` is true, the candidate's own name. */
static enum sb_status law_also(const struct sb_candidate *candidate, bool own,
                               struct sb_looks_like *looks_like)
{
    enum sb_status status = own ? sb_catalogue_look_also(candidate->name, looks_like) : SB_OK;

    for (size_t i = 0; i < candidate->equivalents && status == SB_OK; i++)
        status = sb_catalogue_look_also(candidate->equivalent[i], looks_like);
    return status;
}

enum sb_status sb_catalogue_look_law(const struct sb_catalogue *catalogue, double ln_e,
                                     struct sb_looks_like *looks_like)
{
    const struct sb_candidate *const best = law_best(catalogue), *next = NULL;
    enum sb_status status;

    if (!best || best->ln_e <= 0 || best->ln_e < ln_e - law_ln_against)
        return SB_OK;
    const struct sb_candidate *const form = law_form(catalogue, best->scheme);

    status = sb_catalogue_look_named(form->scheme, law_variant(form), looks_like);
    if (status == SB_OK)
        status = law_also(form, false, looks_like);
    for (size_t k = 0; k < catalogue->count && status == SB_OK; k++) {
        const struct sb_candidate *const other = &catalogue->candidate[k];

        if (other != form && fabs(other->ln_e - form->ln_e) <= law_ln_same)
            status = law_also(other, true, looks_like);
        else if (!law_is_of(other, form->scheme) && !isinf(other->ln_e) &&
                 (!next || other->ln_e > next->ln_e))
            next = other;
    }
    looks_like->ln_ratio = next ? best->ln_e - next->ln_e : HUGE_VAL;
    looks_like->next = next ? strdup(next->name) : NULL;
    return status || !next || looks_like->next ? status : SB_NO_MEMORY;
}
