/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ranks over MPI: the processes that mpirun started. Only this file calls MPI.
 *
 * MPI_Reduce adds up the tallies. The shared counter lies in a window of rank 0's memory, and every rank
 * takes numbers from the counter with MPI_Fetch_and_op. A rank that waits for a broadcast polls once per
 * millisecond, because MPI's own waiting keeps a processor busy. An error of MPI ends all processes, which is
 * MPI's default.
 *
 * MPI: A Message-Passing Interface Standard, version 3.1, sections 5.9.1, 5.12.2 and 11.3.4.
 */
#include "cli/cli.h"

#include <mpi.h>

enum {
    RANKS_PIECE = 1 << 20
}; /* the most elements or bytes of one message; MPI's counts are ints, and MPI's buffers take memory */

/* The data of one rank. */
struct ranks_member {
    struct sb_ranks ranks;
    MPI_Win window; /* the window of the shared counter, while the counter is open */
};

static void ranks_broadcast(void *state, void *bytes, size_t size)
{
    const struct ranks_member *const member = state;
    const struct timespec nap = { .tv_nsec = 1000000 };

    for (size_t done = 0; done < size; done += RANKS_PIECE) {
        const size_t count = size - done < RANKS_PIECE ? size - done : RANKS_PIECE;
        int told = member->ranks.rank == 0;
        MPI_Request request;

        MPI_Ibcast((char *)bytes + done, (int)count, MPI_BYTE, 0, MPI_COMM_WORLD, &request);
        for (; !told; nanosleep(&nap, NULL))
            MPI_Request_get_status(request, &told, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}

/* Combines elements of `width` bytes at rank 0, piece by piece. */
static void ranks_reduce(const struct ranks_member *member, void *elements, size_t count, size_t width,
                         MPI_Datatype type, MPI_Op how)
{
    for (size_t done = 0; done < count; done += RANKS_PIECE) {
        const int piece = (int)(count - done < RANKS_PIECE ? count - done : RANKS_PIECE);
        void *const own = (char *)elements + done * width;

        if (member->ranks.rank == 0)
            MPI_Reduce(MPI_IN_PLACE, own, piece, type, how, 0, MPI_COMM_WORLD);
        else
            MPI_Reduce(own, NULL, piece, type, how, 0, MPI_COMM_WORLD);
    }
}

static void ranks_sum(void *state, uint64_t tally[], size_t count)
{
    ranks_reduce(state, tally, count, sizeof tally[0], MPI_UINT64_T, MPI_SUM);
}

static void ranks_most(void *state, uint8_t held[], size_t count)
{
    ranks_reduce(state, held, count, sizeof held[0], MPI_UINT8_T, MPI_MAX);
}

static void ranks_either(void *state, uint64_t bits[], size_t count)
{
    ranks_reduce(state, bits, count, sizeof bits[0], MPI_UINT64_T, MPI_BOR);
}

static size_t ranks_gather(void *state, void *bytes, size_t size)
{
    const struct ranks_member *const member = state;
    uint64_t length = size;

    if (member->ranks.rank > 0) {
        MPI_Send(&length, 1, MPI_UINT64_T, 0, 0, MPI_COMM_WORLD);
        for (size_t done = 0; done < size; done += RANKS_PIECE)
            MPI_Send((char *)bytes + done, (int)(size - done < RANKS_PIECE ? size - done : RANKS_PIECE), MPI_BYTE, 0, 0,
                     MPI_COMM_WORLD);
        return size;
    }
    for (unsigned from = 1; from < member->ranks.size; from++) {
        MPI_Recv(&length, 1, MPI_UINT64_T, (int)from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (const size_t end = size + length; size < end;) {
            const int piece = (int)(end - size < RANKS_PIECE ? end - size : RANKS_PIECE);

            MPI_Recv((char *)bytes + size, piece, MPI_BYTE, (int)from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            size += (size_t)piece;
        }
    }
    return size;
}

static void ranks_open(void *state, uint64_t first)
{
    struct ranks_member *const member = state;
    const unsigned rank = member->ranks.rank;
    uint64_t *number;

    MPI_Win_allocate(rank == 0 ? sizeof *number : 0, sizeof *number, MPI_INFO_NULL, MPI_COMM_WORLD, &number,
                     &member->window);
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, member->window);
        *number = first;
        MPI_Win_unlock(0, member->window);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, member->window);
}

static void ranks_close(void *state)
{
    struct ranks_member *const member = state;

    MPI_Win_unlock_all(member->window);
    MPI_Win_free(&member->window);
}

/* Takes numbers from the shared counter. Calls MPI_Iprobe(), because rank 0 answers the requests of other
 * ranks only inside calls of MPI. */
static uint64_t ranks_take(void *state, uint64_t count)
{
    const struct ranks_member *const member = state;
    uint64_t before;
    int waits;

    MPI_Fetch_and_op(&count, &before, MPI_UINT64_T, 0, 0, MPI_SUM, member->window);
    MPI_Win_flush(0, member->window);
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &waits, MPI_STATUS_IGNORE);
    return before;
}

static struct ranks_member ranks_self(void)
{
    int rank, size;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    return (struct ranks_member) {
        .ranks = {
            .rank = (unsigned)rank,
            .size = (unsigned)size,
            .broadcast = ranks_broadcast,
            .sum = ranks_sum,
            .most = ranks_most,
            .either = ranks_either,
            .gather = ranks_gather,
            .open = ranks_open,
            .close = ranks_close,
            .take = ranks_take,
        },
        .window = MPI_WIN_NULL,
    };
}

const struct sb_ranks *cli_ranks_new(void)
{
    struct ranks_member *const made = calloc(1, sizeof *made);

    if (!made)
        return NULL;
    *made = ranks_self();
    made->ranks.state = made;
    if (made->ranks.size > 1)
        return &made->ranks;
    free(made);
    return NULL;
}

void cli_ranks_free(const struct sb_ranks *ranks)
{
    if (ranks)
        free(ranks->state);
}

bool cli_ranks_begin(void)
{
    int has, rank;

    if (getenv(
            /* Open MPI's mpirun gives rank 0 a terminal even if the output of mpirun does not go to a
             * terminal */
            "OMPI_COMM_WORLD_RANK"))
        setenv("NO_COLOR", "1", 0);

    MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &has);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (has < MPI_THREAD_SERIALIZED) {
        if (rank == 0)
            fputs("shufflebias: this MPI is not for programs with threads: use one that is\n", stderr);
        MPI_Abort(MPI_COMM_WORLD, EXIT_BROKEN);
    }
    return rank == 0;
}

int cli_ranks_help(void)
{
    struct ranks_member member = ranks_self();
    struct sb_error error = { 0 };

    member.ranks.state = &member;
    signal(SIGINT, SIG_IGN); /* rank 0 receives the signals, too, and ends the run with all counts so far */
    signal(SIGTERM, SIG_IGN);
    if (sb_ranks_serve(&member.ranks, &error)) {
        char *const line = cli_flags(error.text);

        fprintf(stderr, "shufflebias: rank %u: %s\n", member.ranks.rank, line ? line : error.text);
        free(line);
        MPI_Abort(MPI_COMM_WORLD, EXIT_BROKEN);
    }
    return EXIT_DONE;
}

int cli_ranks_end(int status)
{
    const struct sb_ranks *const ranks = cli_ranks_new();

    if (ranks && ranks->rank == 0)
        sb_ranks_dismiss(ranks);
    cli_ranks_free(ranks);
    MPI_Finalize();
    return status;
}
