/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Option rows that several commands share; each row is defined once. A command's table calls the function of
 * a row and says where to store the argument or the flag; see "From a flag to an option" in option_table.h.
 */
#ifndef SB_CLI_SHARED_OPTIONS_H
#define SB_CLI_SHARED_OPTIONS_H

#include "cli/cli.h"

/* Rows whose argument is stored in `*text` as typed. The caller passes the help of -n, because the range and
 * the default of -n differ between commands. */
struct cli_option cli_option_n(char **text, const char *help);
struct cli_option cli_option_deal(char **text);
struct cli_option cli_option_cards(char **text);
struct cli_option cli_option_seed(char **text);
struct cli_option cli_option_draw(char **text);
struct cli_option cli_option_rng(char **text);
struct cli_option cli_option_threads(char **text);
struct cli_option cli_option_profile(char **text);
struct cli_option cli_option_checkpoint(char **text);

/* Rows without an argument, which set `*flag` to 1. */
struct cli_option cli_option_counts(int *flag);
struct cli_option cli_option_increments(int *flag);
struct cli_option cli_option_quiet(int *flag);

/* --help, which prints the table. */
struct cli_option cli_option_help(void);

/* Adds to a table the options of struct cli_common that the gate and the watch accept. */
void cli_common_options(struct cli_common *common, struct cli_option options[]);

#endif
