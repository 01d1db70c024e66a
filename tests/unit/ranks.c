/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ranks: a report is byte for byte that of one process, for any number of ranks and any means of
 * communication. The ranks here are threads with their own memory, which exchange data only at barriers.
 */
#include "unit/ask.h"

#include "sample/sample.h"
#include "subject/subject.h"

#include <pthread.h>
#include <stdatomic.h>

enum { RANKS_MOST = 4 };

/* ---- ranks that are threads ---- */

/* Where members meet. */
struct house {
    pthread_barrier_t barrier;
    pthread_mutex_t mutex;
    void *first;   /* what the first member has brought */
    size_t length; /* its bytes */
    _Atomic uint64_t number;
};

struct member {
    struct sb_ranks ranks;
    struct house *house;
    void (*work)(struct member *member);
    pthread_t thread;
};

static void meet(const struct member *member)
{
    pthread_barrier_wait(&member->house->barrier);
}

static void member_broadcast(void *state, void *bytes, size_t size)
{
    const struct member *const member = state;

    if (member->ranks.rank == 0)
        member->house->first = bytes;
    meet(member);
    if (member->ranks.rank > 0)
        memcpy(bytes, member->house->first, size);
    meet(member);
}

/* The first member's array, for the others to join theirs to it; it waits until all have. */
static void *join_begin(const struct member *member, void *own)
{
    if (member->ranks.rank == 0)
        member->house->first = own;
    meet(member);
    pthread_mutex_lock(&member->house->mutex);
    return member->house->first;
}

static void join_end(const struct member *member)
{
    pthread_mutex_unlock(&member->house->mutex);
    meet(member);
}

static void member_sum(void *state, uint64_t tally[], size_t count)
{
    uint64_t *const first = join_begin(state, tally);

    for (size_t i = 0; first != tally && i < count; i++)
        first[i] += tally[i];
    join_end(state);
}

static void member_most(void *state, uint8_t held[], size_t count)
{
    uint8_t *const first = join_begin(state, held);

    for (size_t i = 0; i < count; i++)
        first[i] = first[i] > held[i] ? first[i] : held[i];
    join_end(state);
}

static void member_either(void *state, uint64_t bits[], size_t count)
{
    uint64_t *const first = join_begin(state, bits);

    for (size_t i = 0; i < count; i++)
        first[i] |= bits[i];
    join_end(state);
}

static size_t member_gather(void *state, void *bytes, size_t size)
{
    const struct member *const member = state;
    struct house *const house = member->house;

    if (member->ranks.rank == 0)
        house->length = size;
    char *const first = join_begin(member, bytes);
    if (member->ranks.rank > 0 && size > 0) {
        memcpy(first + house->length, bytes, size);
        house->length += size;
    }
    join_end(member);
    return house->length;
}

static void member_open(void *state, uint64_t first)
{
    const struct member *const member = state;

    if (member->ranks.rank == 0)
        atomic_store(&member->house->number, first);
    meet(member);
}

static void member_close(void *state)
{
    meet(state);
}

static uint64_t member_take(void *state, uint64_t count)
{
    const struct member *const member = state;

    return atomic_fetch_add(&member->house->number, count);
}

static void *member_run(void *state)
{
    struct member *const member = state;

    member->work(member);
    return NULL;
}

/* Has all of 2 to 4 ranks do their work, this thread that of the first. */
static void ranks_run(unsigned size, void (*first)(struct member *member), void (*others)(struct member *member))
{
    struct member members[RANKS_MOST];
    struct house house = { .first = NULL };

    pthread_barrier_init(&house.barrier, NULL, size);
    pthread_mutex_init(&house.mutex, NULL);
    for (unsigned rank = 0; rank < size; rank++)
        members[rank] = (struct member) {
            .ranks = {
                .rank = rank,
                .size = size,
                .state = &members[rank],
                .broadcast = member_broadcast,
                .sum = member_sum,
                .most = member_most,
                .either = member_either,
                .gather = member_gather,
                .open = member_open,
                .close = member_close,
                .take = member_take,
            },
            .house = &house,
            .work = rank ? others : first,
        };
    for (unsigned rank = 1; rank < size; rank++)
        assert_int_equal(pthread_create(&members[rank].thread, NULL, member_run, &members[rank]), 0);
    member_run(&members[0]);
    for (unsigned rank = 1; rank < size; rank++)
        pthread_join(members[rank].thread, NULL);
    pthread_mutex_destroy(&house.mutex);
    pthread_barrier_destroy(&house.barrier);
}

/* ---- reports ---- */

static void help(struct member *member)
{
    char error[200];

    assert_int_equal(sb_ranks_help(&member->ranks, error, sizeof error), SB_OK);
}

/* What is reported on, and what becomes of it. */
static struct asked {
    const char *options, *save;
    sb_event *event;
    enum sb_status status;
    char *json; /* owned */
} asked;

static void report(struct member *member)
{
    struct sb_request *const request = ask("report", asked.options);

    if (asked.save)
        put(request, "save", asked.save);
    if (asked.event)
        sb_on(request, asked.event, request);
    if (member)
        sb_set_ranks(request, &member->ranks);
    struct sb_result *const result = sb_run(request);

    asked.status = sb_status(request);
    asked.json = result ? strdup(sb_text(result, "json", NULL)) : NULL;
    sb_result_free(result);
    sb_request_free(request);
    if (member)
        sb_ranks_dismiss(&member->ranks);
}

TEST(reports_are_those_of_one_process)
{
    static const char *const cases[] = {
        "scheme=fisher-yates n=5 samples=2000001 by=both",                    /* by rank, side by side */
        "scheme=sort-by-key:2 n=4 deal=2 samples=200001 by=sample threads=2", /* by rank, plain C */
        /* by position, in steps, with decks that come up again */
        "scheme=naive n=11 samples=150000 statistics=descents,repeat increments=1 by=sample threads=1",
        "scheme=overhand n=52 samples=50000 statistics=descents increments=1 by=sample threads=2", /* in plain C */
        "scheme=naive/ideal/mt19937 n=4 samples=9000 statistics=descents increments=1",            /* one stream */
        "scheme=naive n=3 samples=1 by=sample", "scheme=naive n=0 samples=10",
        "scheme=naive/modulo:4 n=8 by=exact threads=1", /* the root computes an exact law alone */
        "scheme=naive n=9 by=exact threads=2",
        "scheme=fisher-yates/modulo/msvc-rand by=seeds seeds_count=30000 n=6",                  /* counted by rank */
        "scheme=planet-poker/multiply:32/delphi by=seeds seeds_first=5 seeds_count=30000 n=52", /* sorted */
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        asked = (struct asked) { .options = cases[i] };
        report(NULL);
        char *const alone = asked.json;

        assert_non_null(alone);
        ranks_run(2 + (unsigned)i % 3, report, help);
        assert_int_equal(asked.status, SB_OK);
        assert_string_equal(asked.json, alone);
        free(alone);
        free(asked.json);
    }
}

static int stop_at_once(void *request, const char *event, const char *text, uint64_t done, uint64_t total)
{
    return strcmp(event, "progress") == 0;
}

/* The first one's stop ends it for all: an exact law has no result then, and a sample what was counted so far. */
TEST(a_run_can_be_stopped)
{
    for (unsigned size = 2; size <= 3; size++) {
        asked = (struct asked) { .options = "scheme=naive by=exact n=10 threads=2", .event = stop_at_once };
        ranks_run(size, report, help);
        assert_int_equal(asked.status, SB_STOPPED);
    }
    asked = (struct asked) { .options = "scheme=naive n=20 samples=1e18 by=sample threads=1", .event = stop_at_once };
    ranks_run(3, report, help);
    assert_int_equal(asked.status, SB_OK);
    assert_non_null(strstr(asked.json, "\"interrupted\": true"));
    free(asked.json);
}

/* What the first one cannot do, nobody is asked for, or all give up. */
TEST(fails_with_a_line)
{
    asked = (struct asked) { .options = "scheme=naive n=9000 samples=1 by=sample statistics=none" };
    ranks_run(2, report, help);
    assert_int_equal(asked.status, SB_TOO_LARGE);
}

static char *saved_text(const char *path)
{
    static char text[1 << 16];
    FILE *const stream = fopen(path, "r");

    assert_non_null(stream);
    text[fread(text, 1, sizeof text - 1, stream)] = '\0';
    fclose(stream);
    remove(path);
    return strdup(text);
}

/* Checkpoints all the time: one leg after another. */
TEST(saved_files_are_those_of_one_process)
{
    asked = (struct asked) {
        .options = "scheme=overhand n=12 samples=100000 threads=1 statistics=repeat,cycles checkpoint=1e-9",
        .save = scratch_name("ranks"),
    };
    report(NULL);
    free(asked.json);
    char *const alone = saved_text(asked.save);

    ranks_run(3, report, help);
    free(asked.json);
    char *const shared = saved_text(asked.save);

    assert_string_equal(shared, alone);
    free(shared);
    free(alone);
}

/* Tells as another version would. */
static void tell_another_version(struct member *member)
{
    char call[1024] = "0.0.0";

    member->ranks.broadcast(member, call, sizeof call);
}

static void refuse(struct member *member)
{
    char error[200];

    assert_int_equal(sb_ranks_help(&member->ranks, error, sizeof error), SB_INVALID);
    assert_non_null(strstr(error, "0.0.0"));
}

TEST(refuses_another_version)
{
    ranks_run(2, tell_another_version, refuse);
}

/* ---- seeds in little room, which only the sampler can be told ---- */

static struct sb_evidence reached;
static uint64_t reach_room;

/* Deals of 3 out of 160, which are just too many to be counted one by one. */
static void reach(struct member *member)
{
    struct sb_scheme scheme;
    struct sb_shuffler shuffler;
    struct sb_evidence evidence;

    assert_int_equal(sb_scheme_parse("fisher-yates/modulo/msvc-rand", NULL, NULL, NULL, &scheme), SB_OK);
    assert_int_equal(sb_shuffler_open(scheme.shuffle, 160, 3, &shuffler), SB_OK);
    const struct sb_seeds seeds = {
        .recipe = { &shuffler, &scheme.draw, &scheme.rng, 0, NULL },
        .last = 39999,
        .room = reach_room,
        .threads = 1,
        .ranks = member ? &member->ranks : NULL,
    };
    assert_int_equal(sb_seeds_reach(&seeds, NULL, &evidence), SB_OK);
    sb_shuffler_close(&shuffler);
    if (!member || member->ranks.rank == 0)
        reached = evidence;
    else
        sb_evidence_close(&evidence);
}

TEST(seeds_in_little_room)
{
    const uint64_t rooms[] = { 640000, 639999, 1000 }; /* sorted, a bit for each deal, estimated */

    for (size_t i = 0; i < 3; i++) {
        reach_room = rooms[i];
        reach(NULL);
        const uint64_t alone = reached.reach->reached;
        sb_evidence_close(&reached);
        ranks_run(3, reach, reach);
        assert_int_equal(reached.reach->reached, alone);
        assert_int_equal(reached.total, 40000);
        assert_int_equal(reached.reach->most > 0, i == 0);
        assert_int_equal(reached.reach->reached_error > 0, i == 2);
        sb_evidence_close(&reached);
    }
}
