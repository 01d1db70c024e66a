/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A dialogue with bytes in memory, which the fuzzer has, too. */
#include "unit/test.h"

#include "subject/subject.h"

#include <string.h>

/* What a peer that is no program says; what it is told is dropped. */
struct memory_bytes {
    struct sb_bytes bytes; /* must be the first member */
    const char *left;
};

static enum sb_status memory_read(struct sb_bytes *self, char buffer[], size_t room, double deadline,
                                  size_t *got, struct sb_error *error)
{
    struct memory_bytes *const memory = (struct memory_bytes *)self;

    *got = strcspn(memory->left, "\n") + 1; /* a line at a time */
    assert_true(*got <= room);
    memcpy(buffer, memory->left, *got);
    memory->left += *got;
    return SB_OK;
}

static enum sb_status memory_write(struct sb_bytes *self, const char text[], size_t length,
                                   struct sb_error *error)
{
    return SB_OK;
}

static void memory_free(struct sb_bytes *self)
{
}

static uint32_t no_draw(struct sb_draws *self, uint32_t bound)
{
    return bound - 1;
}

TEST(a_dialogue_needs_no_program)
{
    struct memory_bytes memory = {
        { .name = "memory", .read = memory_read, .write = memory_write, .free = memory_free },
        "draw 1\ndeck 2 0 1\ndeck 0 1 2\n"
    };
    static const sb_item expected[][3] = { { 2, 0, 1 }, { 0, 1, 2 } };
    struct sb_draws draws = { .below = no_draw };
    struct sb_peer *peer = NULL;
    sb_item deck[3];

    assert_int_equal(sb_command_peer_new(&memory.bytes, 60, NULL, &peer), SB_OK);
    assert_string_equal(peer->name, "memory");
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(peer->shuffle(peer, &draws, 3, deck, NULL), SB_OK);
        assert_memory_equal(deck, expected[i], sizeof deck);
    }
    peer->free(peer);
}
