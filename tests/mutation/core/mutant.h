/* SPDX-License-Identifier: GPL-3.0-or-later */
/* In the mutated tree alone: which mutant is active, and which sites are reached. */
#ifndef SB_MUTANT_H
#define SB_MUTANT_H

extern unsigned sb_mutant;               /* the active mutant, or 0 */
extern unsigned char *sb_mutant_reached; /* shape: one per site; 1 if the site was reached */

static inline int sb_mutated(unsigned site)
{
    sb_mutant_reached[site] = 1;
    return sb_mutant == site;
}

#endif
