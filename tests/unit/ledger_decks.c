/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whole decks across the runs of a ledger's key: which repeats are found, which decks are kept, and the
 * effect of a damaged file.
 */
#include "unit/test.h"

#include "store/ledger.h"
#include "unit/ledger_house.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FEW_SEEDS = 1 << 20, RUN = 200, RUNS = 40 };

/* Decks from one of 2^20 seeds each; word[1] counts them, and `few_seen` holds the seeds of the last run. */
static uint32_t few_seen[RUN + SB_FINGERPRINT_DECKS + 1];

static int few_seeds(void *items, size_t n, size_t size, void *state)
{
    uint64_t *const word = state;
    const size_t seed = ledger_house_below(&word[0], FEW_SEEDS);
    uint64_t own = UINT64_C(0x9E3779B97F4A7C15) * (seed + 1);

    few_seen[word[1]++ % (sizeof few_seen / sizeof few_seen[0])] = (uint32_t)seed;
    ledger_house_fair(items, n, size, &own);
    return 0;
}

static int compare_seeds(const void *one, const void *two)
{
    const uint32_t a = *(const uint32_t *)one, b = *(const uint32_t *)two;

    return (a > b) - (a < b);
}

/* Whether the last run dealt a deck twice. */
static bool run_repeats(size_t count)
{
    qsort(few_seen, count, sizeof few_seen[0], compare_seeds);
    for (uint64_t i = 1; i < count; i++)
        if (few_seen[i] == few_seen[i - 1])
            return true;
    return false;
}

static void open_key(struct ledger_house *house)
{
    house->options.key = "v1";
    house->options.limit = RUN;
    house->subject.n = 20;
}

/* No run repeats a deck, and all of them together do: a single one is enough. */
TEST_WITH(few_seeds_show_across_runs, ledger_house_open, ledger_house_close)
{
    struct ledger_house *const house = *state;
    unsigned run = 0;

    open_key(house);
    house->subject.shuffle = few_seeds;
    do {
        house->word[1] = 0;
        assert_int_equal(ledger_house_run(house), SB_OK);
        assert_false(run_repeats((size_t)house->word[1]));
    } while (strcmp(house->summary.verdict, "fail") != 0 && ++run < RUNS);
    print_message("# failed at run %u, after %llu decks\n", run + 1, (unsigned long long)house->summary.total);
    assert_in_range(run, 1, RUNS - 1);
    assert_true(house->summary.ln_e >= -log(house->summary.alpha));
}

/* E of decks that never come up again falls below 1 a little: they speak against few seeds. */
TEST_WITH(a_fair_shuffle_shows_nothing, ledger_house_open, ledger_house_close)
{
    struct ledger_house *const house = *state;
    struct sb_ledger *ledger;

    open_key(house);
    for (unsigned run = 0; run < RUNS; run++) {
        assert_int_equal(ledger_house_run(house), SB_OK);
        assert_string_equal(house->summary.verdict, "inconclusive");
    }
    ledger = ledger_house_read(house);
    assert_int_equal(ledger->entry[0]->snapshot.birthday.repeats, 0);
    assert_int_equal(ledger->entry[0]->snapshot.birthday.decks, RUN * RUNS);
    assert_int_equal(ledger->entry[0]->decks, RUNS);
    sb_ledger_free(ledger);

    struct sb_ledger_decks decks;

    assert_int_equal(sb_ledger_decks_read(house->path, &house->error, &decks), SB_OK);
    assert_int_equal(decks.count, 1); /* also those that did not count */
    assert_int_equal(decks.section[0].count, RUN * RUNS + SB_FINGERPRINT_DECKS * (RUNS - 1));
    sb_ledger_decks_close(&decks);
}

/* By its definition: a deck is compared with all that came before, those of earlier runs
 * included. */
TEST(carried_decks_are_compared_with)
{
    struct sb_deck_key key[4], newest[8];
    sb_item deck[4][20];
    struct sb_repeats_stream *const repeat = sb_repeats_stream_new(20, 20);

    assert_non_null(repeat);
    for (size_t i = 0; i < 4; i++) {
        for (size_t j = 0; j < 20; j++)
            deck[i][j] = (sb_item)((j + i) % 20);
        key[i] = sb_deck_key(20, 20, deck[i]);
    }
    assert_int_equal(sb_repeats_stream_newest(repeat, newest), 0);
    assert_true(sb_repeats_stream_carry(repeat, key, 2));
    assert_int_equal(sb_repeats_stream_kept(repeat), 2);
    assert_true(sb_repeats_stream_add(repeat, sb_repeats_stream_key(repeat, deck[1])));
    assert_false(sb_repeats_stream_add(repeat, sb_repeats_stream_key(repeat, deck[3])));
    assert_int_equal(sb_repeats_stream_newest(repeat, newest), 3);
    assert_memory_equal(&newest[0], &key[0], sizeof key[0]);
    assert_memory_equal(&newest[2], &key[3], sizeof key[0]);
    sb_repeats_stream_free(repeat);
}

/* A section of decks that are numbered from `first` on. */
static struct sb_ledger_section section_of(uint64_t share, size_t count, uint64_t first)
{
    struct sb_ledger_section section = { .share = share, .run = share, .n = 20, .deal = 20, .count = count };

    section.key = calloc(count + 1, sizeof section.key[0]);
    assert_non_null(section.key);
    for (size_t i = 0; i < count; i++)
        section.key[i].low = first + i;
    return section;
}

TEST_WITH(the_oldest_decks_make_room, ledger_house_open, ledger_house_close)
{
    struct ledger_house *const house = *state;
    const struct sb_ledger_section put[] = {
        section_of(1, 1000, 1),
        section_of(2, SB_REPEATS_CARRIED / 2, 1),
        section_of(3, SB_REPEATS_CARRIED / 2 - 400, 1),
        section_of(2, SB_REPEATS_CARRIED / 2 + 2, 7),
    };
    struct sb_ledger_decks decks = { .count = 0 };
    struct stat there;
    char name[96];

    for (size_t i = 0; i < 3; i++)
        sb_ledger_decks_put(&decks, &put[i]);
    assert_int_equal(decks.count, 3);
    assert_int_equal(decks.section[0].count, 400); /* the oldest 600 are gone */
    assert_int_equal(decks.section[0].key[0].low, 601);
    sb_ledger_decks_put(&decks, &put[3]);
    assert_int_equal(decks.count, 3);
    assert_int_equal(decks.section[0].count, 398);
    assert_int_equal(decks.section[1].share, 3);
    assert_int_equal(decks.section[2].share, 2);
    assert_int_equal(decks.section[2].key[0].low, 7);
    assert_int_equal(sb_ledger_decks_write(house->path, &decks, &house->error), SB_OK);
    sb_ledger_decks_close(&decks);
    snprintf(name, sizeof name, "%s.decks", house->path);
    assert_int_equal(stat(name, &there), 0);
    assert_in_range(there.st_size, 1 << 22, (1 << 22) + 1000); /* 4 MB */
    assert_int_equal(sb_ledger_decks_read(house->path, &house->error, &decks), SB_OK);
    assert_int_equal(decks.section[1].count, SB_REPEATS_CARRIED / 2 - 400);
    assert_int_equal(decks.section[2].key[5].low, 12);
    sb_ledger_decks_close(&decks);
}

/* Another key's decks stay; without its section, or with that of another run, a key goes on without. */
TEST_WITH(each_key_has_its_own, ledger_house_open, ledger_house_close)
{
    struct ledger_house *const house = *state;
    struct sb_ledger_decks decks;

    open_key(house);
    assert_int_equal(ledger_house_run(house), SB_OK);
    house->options.key = "v2";
    assert_int_equal(ledger_house_run(house), SB_OK);
    house->options.key = "v1";
    assert_int_equal(ledger_house_run(house), SB_OK);
    assert_int_equal(sb_ledger_decks_read(house->path, &house->error, &decks), SB_OK);
    assert_int_equal(decks.count, 2);
    assert_int_equal(decks.section[0].count, RUN);
    assert_int_equal(decks.section[1].count, 2 * RUN + SB_FINGERPRINT_DECKS);
    decks.section[1].run = 1; /* as from before the last run */
    assert_int_equal(sb_ledger_decks_write(house->path, &decks, &house->error), SB_OK);
    sb_ledger_decks_close(&decks);
    assert_int_equal(ledger_house_run(house), SB_OK);
    assert_int_equal(sb_ledger_decks_read(house->path, &house->error, &decks), SB_OK);
    assert_int_equal(decks.section[1].count, RUN + SB_FINGERPRINT_DECKS);
    sb_ledger_decks_close(&decks);
}

/* Reads and writes the file of decks: at most 64 kB. */
static size_t decks_bytes(const char *name, unsigned char bytes[1 << 16], size_t put)
{
    FILE *const file = fopen(name, put ? "wb" : "rb");
    size_t count;

    assert_non_null(file);
    count = put ? fwrite(bytes, 1, put, file) : fread(bytes, 1, 1 << 16, file);
    assert_int_equal(fclose(file), 0);
    return count;
}

/* One line, nothing is spent, and once the file is gone the key goes on with all of its evidence. */
TEST_WITH(a_damaged_file_is_refused, ledger_house_open, ledger_house_close)
{
    struct ledger_house *const house = *state;
    static unsigned char bytes[1 << 16];
    char name[96], *before, *after;
    size_t size;

    open_key(house);
    assert_int_equal(ledger_house_run(house), SB_OK);
    snprintf(name, sizeof name, "%s.decks", house->path);
    before = ledger_house_text(house);
    size = decks_bytes(name, bytes, 0);
    assert_int_equal(size, 27 + 8 * (1 + 5 + 2 * RUN + 1));
    for (size_t at = 0; at < size; at += 13) {
        decks_bytes(name, bytes, at ? at : 1); /* truncated */
        assert_int_equal(ledger_house_run(house), SB_IO);
        assert_non_null(strstr(house->error.text, ".decks' was truncated, edited or damaged: restore it"));
        bytes[at] ^= 1;
        decks_bytes(name, bytes, size);
        assert_int_equal(ledger_house_run(house), SB_IO);
        bytes[at] ^= 1;
    }
    after = ledger_house_text(house);
    assert_string_equal(before, after);
    free(before);
    free(after);
    assert_int_equal(unlink(name), 0);
    assert_int_equal(ledger_house_run(house), SB_OK);
    assert_int_equal(house->summary.total, 2 * RUN);
    assert_int_equal(house->summary.run, 2);
}

/* What cannot be written is said in one line, and the evidence is in the ledger all the same. */
TEST_WITH(decks_that_cannot_be_written_lose_no_evidence, ledger_house_open, ledger_house_close)
{
    struct ledger_house *const house = *state;
    struct sb_ledger *ledger;
    char name[96];

    open_key(house);
    snprintf(name, sizeof name, "%s.decks.new", house->path);
    assert_int_equal(mkdir(name, 0777), 0);
    assert_int_equal(ledger_house_run(house), SB_IO);
    assert_non_null(
        strstr(house->error.text, "(the evidence is in the ledger, without the decks) (the verdict was inconclusive)"));
    assert_int_equal(rmdir(name), 0);
    ledger = ledger_house_read(house);
    assert_int_equal(ledger->entry[0]->snapshot.total, RUN);
    assert_int_equal(ledger->entry[0]->decks, 0);
    assert_false(ledger->entry[0]->open);
    sb_ledger_free(ledger);
    assert_int_equal(ledger_house_run(house), SB_OK);
    assert_int_equal(house->summary.total, 2 * RUN);
}

static char barred[2][96];

/* A shuffle; from the hundredth call on, something bars the way of both files. */
static int bars_files(void *items, size_t n, size_t size, void *state)
{
    uint64_t *const word = state;

    if (++word[1] == 100) {
        mkdir(barred[0], 0777);
        mkdir(barred[1], 0777);
    }
    return ledger_house_fair(items, n, size, word);
}

/* If neither file can be written, then the evidence is not in the ledger, and the error does not say so. */
TEST_WITH(evidence_that_cannot_be_written_is_lost, ledger_house_open, ledger_house_close)
{
    struct ledger_house *const house = *state;

    open_key(house);
    snprintf(barred[0], sizeof barred[0], "%s.new", house->path);
    snprintf(barred[1], sizeof barred[1], "%s.decks.new", house->path);
    house->subject.shuffle = bars_files;
    assert_int_equal(ledger_house_run(house), SB_IO);
    assert_non_null(strstr(house->error.text, ".new' is in the way, and no file"));
    assert_non_null(strstr(house->error.text, "(the verdict was inconclusive)"));
    assert_null(strstr(house->error.text, "the evidence is in the ledger"));
    assert_true(rmdir(barred[0]) == 0 && rmdir(barred[1]) == 0);
}

/* What --seeds asks for is checked before a share is claimed. */
TEST_WITH(seeds_that_cannot_be_ruled_out_spend_nothing, ledger_house_open, ledger_house_close)
{
    struct ledger_house *const house = *state;
    char *before, *after;

    house->subject.n = 3; /* of whose orders there are six */
    house->options.seeds = 1 << 20;
    assert_int_equal(ledger_house_run(house), SB_INVALID);
    assert_non_null(strstr(house->error.text, "there are only 6 orders"));
    assert_int_equal(access(house->path, F_OK), -1); /* no share, and so no ledger */
    house->subject.n = 20;
    house->options.limit = 1000;
    assert_int_equal(ledger_house_run(house), SB_INVALID);
    assert_non_null(strstr(house->error.text, "permutations, more than the limit of 1000"));
    assert_int_equal(access(house->path, F_OK), -1);
    house->subject.n = 8; /* each order is counted */
    house->options.seeds = 100;
    assert_int_equal(ledger_house_run(house), SB_INVALID);
    assert_non_null(strstr(house->error.text, "no whole decks are compared"));
    assert_int_equal(access(house->path, F_OK), -1);
    house->options.seeds = 0;
    assert_int_equal(ledger_house_run(house), SB_OK);
    before = ledger_house_text(house);
    house->options.seeds = 100;
    house->options.key = "v1";
    assert_int_equal(ledger_house_run(house), SB_INVALID);
    after = ledger_house_text(house);
    assert_string_equal(before, after);
    free(before);
    free(after);
    house->subject.n = 20; /* runs of a key add up: none of them need be long enough */
    assert_int_equal(ledger_house_run(house), SB_OK);
    assert_int_equal(house->summary.share, 2);
}
