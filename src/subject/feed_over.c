/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What feeds on top of other feeds share. */
#include "core/core.h"
#include "subject/parts.h"

static void over_position(const struct sb_feed *feed, struct sb_log_position *position)
{
    const struct sb_feed *const inner = ((const struct sb_feed_over *)feed)->inner;

    inner->position(inner, position);
}

static enum sb_status over_check_order(const struct sb_feed *feed, struct sb_error *error)
{
    return sb_feed_check_order(((const struct sb_feed_over *)feed)->inner, error);
}

void sb_feed_over_begin(struct sb_feed_over *over, struct sb_feed *inner,
                        enum sb_status (*next)(struct sb_feed *self, size_t most, const sb_item **items, size_t *count,
                                               struct sb_error *error),
                        void (*free)(struct sb_feed *self))
{
    over->feed = (struct sb_feed) {
        .name = inner->name,
        .kind = inner->kind,
        .replays = inner->replays,
        .n = inner->n,
        .deal = inner->deal,
        .next = next,
        .position = inner->position ? over_position : NULL,
        .check_order = over_check_order,
        .free = free,
    };
    inner->name = NULL;
    over->inner = inner;
}

uint64_t sb_feed_over_hash(const struct sb_feed *inner)
{
    struct sb_log_position position;

    if (!inner->position)
        return SB_HASH_EMPTY;
    inner->position(inner, &position);
    return sb_hash_add(SB_HASH_EMPTY, &position.offset, sizeof position.offset);
}
