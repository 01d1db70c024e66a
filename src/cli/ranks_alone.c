/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Without MPI the program is a single process. */
#include "cli/cli.h"

bool cli_ranks_begin(void)
{
    return true;
}

int cli_ranks_help(void)
{
    return EXIT_DONE;
}

int cli_ranks_end(int status)
{
    return status;
}

const struct sb_ranks *cli_ranks_new(void)
{
    return NULL;
}

void cli_ranks_free(const struct sb_ranks *ranks)
{
}
