/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/request_structs.h"

#include <string.h>

/* Whether the library's options take an option of the request. */
static bool request_takes(const struct sb_request *request, const char *name, bool saved)
{
    return sb_option_find(request->of, name) && (!saved || sb_request_given(request, name));
}

void sb_request_report(const struct sb_request *request, bool saved, struct sb_request *options)
{
    const struct {
        const char *name;
        void *to;
        const void *from;
        size_t size;
    } members[] = {
#define MEMBER(name, to, from) { name, &options->to, &request->from, sizeof options->to }
        MEMBER("n", n, n),
        MEMBER("deal", deal, deal),
        MEMBER("samples", samples, samples),
        MEMBER("seed", seed, seed),
        MEMBER("by", by, by),
        MEMBER("counts", counts, counts),
        MEMBER("alpha", alpha, alpha),
        MEMBER("statistics", statistics, statistics),
        MEMBER("profile", profile, profile),
        MEMBER("increments", increments, increments),
        MEMBER("checkpoint", checkpoint, checkpoint),
        MEMBER("cards", cards, cards),
        MEMBER("draw", draw, draw),
        MEMBER("rng", rng, rng),
        MEMBER("title", title, title),
#undef MEMBER
    };

    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++)
        if (request_takes(request, members[i].name, saved))
            memcpy(members[i].to, members[i].from, members[i].size);
    options->threads = (unsigned)request->threads;
    options->seed_range.first = request->seed_range.first;
    options->seed_range.count = request->seed_range.count;
    options->save = request->resume ? request->resume : request->save;
    if (request_takes(request, "shard", saved)) {
        options->shard.number = request->shard.number;
        options->shard.of = request->shard.of;
    }
}

void sb_request_gate(const struct sb_request *request, bool saved, struct sb_request *options)
{
    const struct {
        const char *name;
        void *to;
        const void *from;
        size_t size;
    } members[] = {
#define MEMBER(name) { #name, &options->name, &request->name, sizeof options->name }
        MEMBER(alpha),  MEMBER(delta), MEMBER(exclude),    MEMBER(tolerate),
        MEMBER(limit),  MEMBER(seeds), MEMBER(profile),    MEMBER(increments),
        MEMBER(ledger), MEMBER(key),   MEMBER(checkpoint),
#undef MEMBER
    };

    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++)
        if (request_takes(request, members[i].name, saved))
            memcpy(members[i].to, members[i].from, members[i].size);
    options->save = request->resume ? request->resume : request->save;
}

struct sb_request sb_request_watch(const struct sb_request *request)
{
    return (struct sb_request) {
        .alpha = request->alpha,
        .delta = request->delta,
        .profile = request->profile,
        .increments = request->increments,
        .window = request->window,
        .follow = request->follow,
        .limit = request->limit,
        .save = request->save,
        .checkpoint = request->checkpoint,
        .metrics = request->metrics,
        .interval = request->interval,
    };
}

struct sb_subject sb_request_subject(const struct sb_request *request)
{
    return (struct sb_subject) {
        .seed = request->seed,
        .draw = request->draw,
        .rng = request->rng,
        .input = request->input,
        .base = request->base,
        .cards = request->cards,
        .title = request->title,
        .match = request->match,
        .json_path = request->json_path,
        .field = request->field,
        .separator = request->separator,
        .free = request->free,
        .chained = request->chained,
        .ordered = request->ordered,
        .once = request->once,
        .timeout = request->timeout,
    };
}
