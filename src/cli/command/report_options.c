/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The options of `report` that have arguments of several parts: --by, --seeds and --shard. */
#include "cli/cli.h"

#include <string.h>

bool cli_report_by(const char *by, struct sb_options *options)
{
    if (!by)
        return true;
    if (strcmp(by, "exact") == 0)
        options->by = SB_BY_EXACT;
    else if (strcmp(by, "sample") == 0)
        options->by = SB_BY_SAMPLE;
    else if (strcmp(by, "both") == 0)
        options->by = SB_BY_EXACT | SB_BY_SAMPLE;
    else if (strcmp(by, "seeds") == 0)
        options->by = SB_BY_SEEDS;
    else
        cli_usage("report", "--by %s: use exact, sample or both, or seeds", by);
    return options->by;
}

/* Reads a range of seeds, A..B, which includes A and B. */
bool cli_report_seeds(char *seeds, struct sb_options *options)
{
    char *const dots = seeds ? strstr(seeds, "..") : NULL;
    const uint64_t most = INT64_MAX - 1;
    uint64_t first, last;

    if (!seeds)
        return true;
    if (options->by != SB_BY_SEEDS) {
        cli_usage("report", "--seeds %s: only goes with --by seeds", seeds);
        return false;
    }
    if (!dots) {
        cli_usage("report", "--seeds %s: write the first and the last, as in 0..65535", seeds);
        return false;
    }
    *dots = '\0';
    if (!cli_number("report", "--seeds", seeds, 0, most, &first) ||
        !cli_number("report", "--seeds", dots + 2, first, most, &last))
        return false;
    options->seeds_first = first;
    options->seeds_count = last - first + 1;
    return true;
}

/* Reads K/M: the K-th of M shards. */
bool cli_report_shard(const char *shard, struct sb_options *options)
{
    const char *const slash = shard ? strchr(shard, '/') : NULL;
    const uint64_t most = 1000000;
    uint64_t part, parts;
    char number[16];

    if (!shard)
        return true;
    snprintf(number, sizeof number, "%.*s", slash ? (int)(slash - shard) : 0, shard);
    if (slash && cli_number_is(slash + 1, 1, most, &parts) && cli_number_is(number, 1, parts, &part)) {
        options->shard = (unsigned)part;
        options->shards = (unsigned)parts;
        return true;
    }
    cli_usage("report", "--shard %s: must be K/M, the part K from 1 to M of M parts, as in 3/7; %llu at most",
              shard, (unsigned long long)most);
    return false;
}
