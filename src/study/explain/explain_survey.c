/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Surveys the draws of a shuffle in a single run. The survey answers each draw with 0; if the shuffle rejects
 * an answer, the survey gives the next larger integer. Cost: one run of the shuffle; the run is stopped after
 * 10^5 draws.
 *
 * The survey misses bounds that only other paths use; no built-in shuffle has such bounds.
 */
#include "study/explain/explain.h"

#include <stdlib.h>

enum { SURVEY_DRAWS_MOST = 100000 };

struct explain_survey {
    struct sb_source src; /* must be the first member, because the shuffle has a pointer to this member */
    bool *used;           /* [SB_COMPUTED_MOST + 1]; whether each bound is used */
    size_t draws;
    uint32_t answer;
    bool again, redraws; /* `again`: the last answer was rejected; `redraws`: some answer was rejected */
};

static uint32_t explain_survey_choose(struct sb_source *src, uint32_t bound)
{
    struct explain_survey *const survey = (struct explain_survey *)src;

    survey->used[bound] = true;
    survey->answer = survey->again ? (survey->answer + 1) % bound : 0;
    survey->again = false;
    if (++survey->draws > SURVEY_DRAWS_MOST)
        src->status = SB_STOPPED;
    return src->status ? 0 : survey->answer;
}

static uint64_t explain_survey_bits(struct sb_source *src, unsigned bits)
{
    (void)src;
    (void)bits;
    return 0;
}

static void explain_survey_again(struct sb_source *src)
{
    struct explain_survey *const survey = (struct explain_survey *)src;

    survey->again = survey->redraws = true;
}

enum sb_status sb_explain_survey(const struct sb_law *law, bool used[], uint32_t *most, bool *redraws)
{
    struct explain_survey survey = {
        .src = { .choose = explain_survey_choose,
                 .bits = explain_survey_bits,
                 .again = explain_survey_again },
    };
    const struct sb_shuffler *const shuffler = law->shuffler;
    struct sb_deck deck;

    survey.used = used;
    if (sb_deck_open(shuffler->n, shuffler->deal, &deck))
        return SB_NO_MEMORY;
    sb_shuffler_run(shuffler, &deck, &survey.src);
    sb_deck_close(&deck);
    *redraws = survey.redraws;
    *most = 0;
    for (uint32_t bound = 2; bound <= SB_COMPUTED_MOST; bound++)
        *most = used[bound] ? bound : *most;
    return SB_OK;
}
