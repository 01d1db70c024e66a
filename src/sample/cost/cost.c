/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counts the draws and memory accesses of a shuffle. src/shuffle is compiled a second time, without
 * optimisation and with a call before each memory access (sample/cost/cost_hooks.h). The names in this second
 * build begin with sb_counted. The counts are the accesses that the source code makes, so they are the same
 * for every compiler. The normal build of the shuffles is not affected.
 */
#include "sample/cost/cost.h"

#include "sample/cost/cost_watch.h"

#include <math.h>
#include <string.h>

/* Functions of the second build. src/meson.build gives them these names. */
extern const struct sb_shuffle_type *const sb_counted_types[];
extern const size_t sb_counted_types_count;
enum sb_status sb_counted_open(struct sb_shuffle shuffle, size_t n, size_t deal,
                               struct sb_shuffler *shuffler);
void sb_counted_close(struct sb_shuffler *shuffler);
void sb_counted_run(const struct sb_shuffler *shuffler, struct sb_deck *deck, struct sb_source *src);

/* A stream that passes on the words of another stream, and counts these words. */
struct cost_words {
    struct sb_words words; /* must be the first member: draws see only this member */
    struct sb_words *from;
    uint64_t count;
};

struct cost_source {
    struct sb_source src; /* must be the first member: a shuffle sees only this member */
    const struct sb_recipe *recipe;
    struct cost_words words;
    uint64_t draws;
    uint64_t redraws; /* number of rejected answers for the current deck */
};

static uint64_t cost_next(struct sb_words *self)
{
    struct cost_words *const words = (struct cost_words *)self;

    words->count++;
    return sb_words_next(words->from);
}

/* Returns whether the shuffle may make another draw. */
static bool cost_goes_on(struct cost_source *source)
{
    const volatile sig_atomic_t *const stop = source->recipe->stop;

    if (stop && *stop)
        source->src.status = SB_STOPPED;
    if (source->words.words.stuck)
        source->src.status = SB_BROKEN;
    return source->src.status == SB_OK;
}

static uint32_t cost_choose(struct sb_source *src, uint32_t bound)
{
    struct cost_source *const source = (struct cost_source *)src;
    const struct sb_draw *const draw = source->recipe->draw;

    source->draws++;
    return cost_goes_on(source) ? draw->type->pick(draw, &source->words.words, bound) : 0;
}

static uint64_t cost_bits(struct sb_source *src, unsigned bits)
{
    struct cost_source *const source = (struct cost_source *)src;

    source->draws++;
    return cost_goes_on(source) ? sb_words_bits(&source->words.words, bits) : 0;
}

static void cost_again(struct sb_source *src)
{
    struct cost_source *const source = (struct cost_source *)src;

    if (++source->redraws >= SB_PLAIN_REDRAWS_MOST)
        src->status = SB_BROKEN;
}

static const struct sb_shuffle_type *cost_twin(const struct sb_shuffle_type *type)
{
    for (size_t i = 0; i < sb_counted_types_count; i++)
        if (strcmp(sb_counted_types[i]->name, type->name) == 0)
            return sb_counted_types[i];
    return NULL;
}

static void cost_look(const struct sb_deck *deck, struct sb_cost_watch *watch)
{
    const size_t items = deck->n * sizeof *deck->a;

    *watch = (struct sb_cost_watch) { .array = {
                                          { .start = (const char *)deck->a,
                                            .bytes = items,
                                            .element = sizeof *deck->a },
                                          { .start = (const char *)deck->b,
                                            .bytes = items,
                                            .element = sizeof *deck->b },
                                          { .start = (const char *)deck->key,
                                            .bytes = deck->n * sizeof *deck->key,
                                            .element = sizeof *deck->key },
                                      } };
}

static void cost_mean(const struct sb_cost_watch *watch, const struct cost_source *source, size_t decks,
                      struct sb_cost_counts *counts)
{
    const size_t items = watch->array[0].bytes / watch->array[0].element;
    const double share = 1 / (double)decks;

    *counts = (struct sb_cost_counts) {
        .draws = (double)source->draws * share,
        .words = (double)source->words.count * share,
    };
    for (size_t i = 0; i < SB_COST_ARRAYS; i++) {
        const struct sb_cost_array *const array = &watch->array[i];

        counts->reads += (double)array->reads * share;
        counts->writes += (double)array->writes * share;
        counts->bytes += array->reads + array->writes > 0 ? array->bytes : 0;
    }
    counts->writes -= (double)items; /* the initial fill of the deck does not count */
    if (!SB_COUNTS_ACCESSES)
        counts->reads = counts->writes = NAN;
}

enum sb_status sb_cost_count(const struct sb_recipe *recipe, size_t decks, struct sb_cost_counts *counts)
{
    const struct sb_shuffle shuffle = { cost_twin(recipe->shuffler->shuffle.type),
                                        recipe->shuffler->shuffle.parameter };
    struct cost_source source = {
        .src = { .choose = cost_choose, .bits = cost_bits, .again = cost_again },
        .recipe = recipe,
    };
    struct sb_words *words = NULL;
    struct sb_shuffler shuffler = { 0 };
    struct sb_deck deck = { 0 };
    struct sb_cost_watch watch;
    enum sb_status status = sb_counted_open(shuffle, recipe->shuffler->n, recipe->shuffler->deal, &shuffler);

    if (status == SB_OK)
        status = sb_deck_open(shuffler.n, shuffler.deal, &deck);
    if (status == SB_OK)
        status = recipe->rng->type->open(recipe->rng, recipe->seed, &words);
    if (status == SB_OK) {
        source.words =
            (struct cost_words) { .words = { .largest = words->largest, .next = cost_next }, .from = words };
        cost_look(&deck, &watch);
        sb_cost_watch_begin(&watch);
        for (size_t d = 0; d < decks && source.src.status == SB_OK; d++) {
            source.redraws = 0;
            sb_counted_run(&shuffler, &deck, &source.src);
        }
        sb_cost_watch_begin(NULL);
        status = source.src.status;
        cost_mean(&watch, &source, decks, counts);
        recipe->rng->type->close(words);
    }
    sb_deck_close(&deck);
    sb_counted_close(&shuffler);
    return status;
}
