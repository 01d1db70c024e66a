/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The two causes of bias outside the shuffle. One cause is the bounded draw, because more words may lead
 * to one answer than to another. The other cause is the seed, because there cannot be more different decks
 * than seeds.
 *
 * The search for an uneven draw starts at the largest bound. Cost: O(bound) for each bound.
 */
#include "core/numbers.h"
#include "report/page.h"
#include "study/explain/explain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS_LISTED_MOST = 6 };

/* How many words give each answer below a bound. */
struct words_law {
    uint32_t bound;
    const uint64_t *law;  /* [bound] */
    uint64_t least, most; /* the smallest and the largest number of words of an answer */
};

static struct words_law words_get(const struct sb_law *law, uint32_t bound, uint64_t *room)
{
    struct words_law words = { .bound = bound, .law = room };

    law->draw->type->law(law->draw, law->largest, bound, room);
    words.least = words.most = room[0];
    for (uint32_t j = 1; j < bound; j++) {
        words.least = room[j] < words.least ? room[j] : words.least;
        words.most = room[j] > words.most ? room[j] : words.most;
    }
    return words;
}

static uint32_t words_answers(const struct words_law *words, uint64_t count)
{
    uint32_t answers = 0;

    for (uint32_t j = 0; j < words->bound; j++)
        answers += words->law[j] == count;
    return answers;
}

static void words_list(const struct words_law *words, uint64_t count, struct sb_sentence *s)
{
    const uint32_t answers = words_answers(words, count);
    uint32_t listed = 0;

    if (answers > WORDS_LISTED_MOST) {
        sb_sentence_add(s, "%u of the answers", answers);
        return;
    }
    for (uint32_t j = 0; j < words->bound; j++)
        if (words->law[j] == count)
            sb_sentence_add(s, "%s%u", listed++ == 0 ? "" : listed == answers ? " and " : ", ", j);
}

static void words_span(uint64_t largest, char text[32])
{
    const unsigned bits = largest == UINT64_MAX ? 64 : (unsigned)__builtin_ctzll(largest + 1);

    if (largest == sb_words_mask(bits ? bits : 1) && bits > 20)
        snprintf(text, 32, "2^%u", bits);
    else
        snprintf(text, 32, "%llu", (unsigned long long)largest + 1);
}

static struct words_law words_uneven(const struct sb_law *law, uint32_t most, const bool used[],
                                     uint64_t *room)
{
    struct words_law words = { .bound = 0 };

    for (uint32_t bound = most; bound > 1 && words.least == words.most; bound--)
        if (used[bound])
            words = words_get(law, bound, room);
    return words;
}

static void words_say(const struct sb_law *law, const struct sb_explain *explain,
                      const struct words_law *words, struct sb_sentence *s)
{
    char span[32], percent[32];

    words_span(law->largest, span);
    sb_sentence_add(s, "%s makes each answer from one of %s words (%s).", explain->scheme.draw_name, span,
                    law->draw->type->title);
    if (words->least == words->most) {
        sb_sentence_add(s, " Every bound here divides that number, so the draw adds no bias of its own.");
        return;
    }
    const bool divisible = law->largest % words->bound == words->bound - 1;

    sb_sentence_add(s, " A draw below %u %s share them out evenly: %llu words give each of ", words->bound,
                    divisible ? "does not" : "cannot", (unsigned long long)words->most);
    words_list(words, words->most, s);
    sb_sentence_add(s, ", and %llu each of ", (unsigned long long)words->least);
    words_list(words, words->least, s);
    if (words_answers(words, words->most) + words_answers(words, words->least) < words->bound)
        sb_sentence_add(s, ", with numbers in between for the others");
    if (words->least) {
        sb_sentence_number(100 * ((double)(words->most - words->least) / (double)words->least), percent);
        sb_sentence_add(s, "; the former come up %s%% more often.", percent);
    } else {
        sb_sentence_add(s, "; the latter never come up.");
    }
}

bool sb_explain_argue_draw(const struct sb_law *law, const struct sb_explain *explain, struct sb_sentence *s)
{
    if (!law->draw->type->law)
        return true;
    bool *const used = calloc(SB_COMPUTED_MOST + 1, sizeof *used), redraws;
    uint32_t most = 0;
    bool even = true;

    s->lost = !used || sb_explain_survey(law, used, &most, &redraws) || s->lost;
    uint64_t *const room = calloc(most + 1, sizeof *room);

    s->lost = s->lost || !room;
    if (most && room) {
        const struct words_law words = words_uneven(law, most, used, room);

        words_say(law, explain, &words, s);
        even = words.least == words.most;
    }
    free(used);
    free(room);
    return even;
}

/* Returns the smallest m with m! larger than the number of seeds. m! has 64 bits if there are less than 20! seeds, as
 * all generators have. */
static unsigned words_items(uint64_t seeds)
{
    unsigned m = 1;

    while (sb_deals(m, m) <= seeds)
        m++;
    return m;
}

static void words_orders_per_seed(const mpz_t total, const mpz_t seeds, struct sb_sentence *s)
{
    const double ln_ratio = sb_mpz_ln_ratio(total, seeds);

    if (ln_ratio < log(1e3) || ln_ratio >= log(1e12))
        sb_sentence_add(s, "%s", sb_number_exp(ln_ratio).text);
    else
        sb_sentence_add(s, "%s", sb_number_grouped((uint64_t)llround(exp(ln_ratio))).text);
}

void sb_explain_argue_seed(const struct sb_scheme *scheme, const mpz_t total,
                           const struct sb_explain *explain, struct sb_sentence *s)
{
    const uint64_t own = scheme->rng.type->seeds, seeds = own ? own : UINT64_C(1) << 32;
    mpz_t number;

    if (explain->n < 2)
        return;
    mpz_init(number);
    sb_mpz_set_u64(number, seeds);

    if (own)
        sb_sentence_add(s, "%s has %s seeds,", scheme->rng.name, sb_number_grouped(seeds).text);
    else
        sb_sentence_add(s, "A seed of 32 bits has 4,294,967,296 values,");
    sb_sentence_add(s, " and whatever the shuffle, each leads to one deck.");
    if (mpz_cmp(total, number) <= 0) {
        const unsigned items = words_items(seeds);

        sb_sentence_add(s, " That is enough for all orders here;");
        sb_sentence_add(s, explain->deal < explain->n ? " for whole decks, from" : " from");
        sb_sentence_add(s, " %u items on, which have %u! = %s orders,", items, items,
                        sb_number_grouped(sb_deals(items, items)).text);
        sb_sentence_add(s, " it is not, and some can never come up.");
    } else {
        sb_sentence_add(s, " At most one order in about ");
        words_orders_per_seed(total, number, s);
        sb_sentence_add(s, " can come up at all.");
    }
    mpz_clear(number);
}

/*
 * Surveys the draws of a shuffle in a single run. The survey answers each draw with 0; if the shuffle rejects
 * an answer, the survey gives the next larger integer. Cost: one run of the shuffle; the run is stopped after
 * 10^5 draws.
 *
 * The survey misses bounds that only other paths use; no built-in shuffle has such bounds.
 */

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
