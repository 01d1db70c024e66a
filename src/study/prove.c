/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A proof runs the shuffle of a peer, which is a command or a function, with every series of answers to the
 * shuffle's draws. The proof reports the exact law of the shuffle. */
#include "exact/oracle.h"
#include "study/report/report_result.h"

uint32_t sb_draws_below(struct sb_draws *draws, uint32_t bound)
{
    return draws->below(draws, bound);
}

double sb_draws_uniform(struct sb_draws *draws)
{
    return draws->uniform(draws);
}

static enum sb_status prove_peer(struct sb_peer *peer, const struct sb_subject *subject, const struct sb_request *proof,
                                 struct sb_error *error, struct sb_reports **reports)
{
    const struct sb_oracle oracle = {
        .peer = peer,
        .n = proof->n,
        .cells = proof->cells ? proof->cells : sb_oracle_cells(proof->n),
        .draws_most = proof->draws,
        .paths_most = proof->paths,
        .stop = proof->stop,
        .progress = proof->progress,
        .progress_state = proof->progress_state,
    };
    struct sb_request options;
    struct sb_reports *made = NULL;
    enum sb_status status = sb_reports_one(&made) ? sb_error_memory(error, "a report")
                                                  : sb_oracle_law(&oracle, error, &made->report->evidence);

    if (status == SB_OK) {
        sb_request_init(&options, SB_REPORT);
        options.all_counts = proof->all_counts;
        if (sb_report_outside(peer->name, NULL, &options, NULL, made->report))
            status = sb_error_memory(error, "a report");
    }
    peer->free(peer);
    return made ? sb_reports_end(made, proof, NULL, subject, status, error, reports) : status;
}

enum sb_status sb_prove_callback(const char *name, sb_drawn_shuffle *shuffle, void *state,
                                 const struct sb_request *proof, struct sb_error *error, struct sb_reports **reports)
{
    const struct sb_subject subject = { .name = name };
    struct sb_peer *peer;

    if (!shuffle)
        return sb_error_set(error, SB_INVALID, "there is no shuffle to be proved: name a function");
    const enum sb_status status =
        sb_callback_peer_open(name ? name : "callback", shuffle, state, proof->n, proof->size, error, &peer);

    return status ? status : prove_peer(peer, &subject, proof, error, reports);
}

enum sb_status sb_prove_command(const char *const command[], const struct sb_request *proof, struct sb_error *error,
                                struct sb_reports **reports)
{
    const struct sb_subject subject = { .command = command };
    struct sb_peer *peer;

    if (!command || !command[0])
        return sb_error_set(error, SB_INVALID, "the command is empty: give a program and its arguments");
    const struct sb_patience patience = { .timeout = proof->timeout, .stop = proof->stop, .group = proof->group };

    const enum sb_status status =
        sb_command_peer_open(command, &patience, proof->overheard, proof->overheard_state, error, &peer);
    return status ? status : prove_peer(peer, &subject, proof, error, reports);
}
