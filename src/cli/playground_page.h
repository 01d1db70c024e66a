/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page of `shufflebias playground`. Meson generates the array from the file that its option `playground` names. */
#ifndef SB_CLI_PLAYGROUND_PAGE_H
#define SB_CLI_PLAYGROUND_PAGE_H

#include <stddef.h>

extern const char sb_asset_playground[];        /* [sb_asset_playground_length] */
extern const size_t sb_asset_playground_length; /* bytes; 0: the program was built without the page */

#endif
