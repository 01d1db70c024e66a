/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Statistics of deals that were counted by rank: each deal that came up is classified once, by all threads.
 * Cost: for each of them an unranking, a classification, and an addition for each member.
 */
#include "core/permutation.h"
#include "study/statistics.h"

#include <stdlib.h>

#ifdef _OPENMP
#include <omp.h>
#endif

/* One thread's share of the ranks, each of them so many times. */
static enum sb_status classify_part(const struct sb_evidence *evidence, size_t part, size_t parts,
                                    struct sb_observer *observer)
{
    const size_t end = evidence->cells * (part + 1) / parts;
    sb_item *const a = calloc(evidence->deal + 1, sizeof *a);

    for (size_t rank = evidence->cells * part / parts; a && rank < end; rank++) {
        if (evidence->count[rank] == 0)
            continue;
        sb_permutation_unrank(evidence->n, evidence->deal, rank, a);
        sb_observer_add_times(observer, a, evidence->count[rank]);
    }
    free(a);
    return a ? SB_OK : SB_NO_MEMORY;
}

enum sb_status sb_classify_counts(const struct sb_evidence *evidence, unsigned threads,
                                  struct sb_observer *observer)
{
    enum { CLASSIFY_SHARE_LEAST = 10000 }; /* ranks that are worth a thread */

#ifdef _OPENMP
    threads = threads ? threads : (unsigned)omp_get_num_procs();
#endif
    const size_t parts = threads && evidence->cells > CLASSIFY_SHARE_LEAST ? threads : 1;
    int status = SB_OK; /* enum sb_status */

    if (parts == 1)
        return classify_part(evidence, 0, 1, observer);
#pragma omp parallel for num_threads((int)parts) schedule(static)
    for (size_t part = 0; part < parts; part++) {
        struct sb_observer *forked = NULL;
        enum sb_status done = sb_observer_fork(observer, &forked);

        if (done == SB_OK)
            done = classify_part(evidence, part, parts, forked);
#pragma omp critical
        if (done == SB_OK)
            sb_observer_join(observer, forked);
        else
            status = SB_NO_MEMORY;
        sb_observer_free(forked);
    }
    return (enum sb_status)status;
}
