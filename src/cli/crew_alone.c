/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program that was built without MPI is no member of a crew. */
#include "cli/cli.h"

bool cli_crew_begin(void)
{
    return true;
}

int cli_crew_help(void)
{
    return EXIT_DONE;
}

int cli_crew_end(int status)
{
    return status;
}

const struct sb_crew *cli_crew_new(void)
{
    return NULL;
}

void cli_crew_free(const struct sb_crew *crew)
{
    (void)crew;
}
