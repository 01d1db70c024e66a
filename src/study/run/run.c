/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The only loop that reads a feed and tallies its permutations. */
#include "study/run/run.h"

static bool run_stopped(const struct sb_run *run)
{
    return run->stop && *run->stop;
}

/* Tallies the current batch of the feed, up to the total `until`. The rest of a larger batch stays there: the
 * batch that the feed started with has as many permutations as had arrived, and the looks may not depend on
 * that. An empty batch means that the feed has ended. */
static enum sb_status run_tally(struct sb_run *run, uint64_t until)
{
    struct sb_feed *const feed = run->feed;
    const size_t count = feed->count < until - run->total ? feed->count : (size_t)(until - run->total);
    enum sb_status status = SB_OK;

    if (count == 0)
        return SB_OK;
    if (run->hooks->tally)
        status = run->hooks->tally(run->state, feed->items, count);
    if (status)
        return status;
    run->total += count;
    feed->items += count * feed->deal;
    feed->count -= count;
    return run->hooks->save ? run->hooks->save(run->state) : SB_OK;
}

/* Reads and tallies until the total is `until`. */
static enum sb_status run_gather(struct sb_run *run, uint64_t until)
{
    struct sb_feed *const feed = run->feed;
    enum sb_status status = SB_OK;

    while (status == SB_OK && run->total < until && !run->ended) {
        if (feed->count == 0)
            status = sb_feed_next(feed, until - run->total, run->error);
        if (status == SB_STOPPED) {
            feed->count = 0;
            run->interrupted = run->ended = true;
            return SB_OK;
        }
        if (status)
            return status;
        run->ended = feed->count == 0;
        status = run_tally(run, until);
        run->interrupted = run_stopped(run);
        run->ended = run->ended || run->interrupted;
    }
    return status;
}

enum sb_status sb_run_loop(struct sb_run *run)
{
    enum sb_status status = SB_OK;

    while (status == SB_OK && !run->ended && run->total < run->most) {
        const bool looks = run->hooks->look && run->look < run->most;

        status = run_gather(run, looks ? run->look : run->most);
        if (status == SB_OK && run->hooks->look && run->total >= run->look)
            status = run->hooks->look(run->state);
    }
    return status;
}
