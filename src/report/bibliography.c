/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The addresses of works that pages name by title. Where a publisher has assigned a DOI, the address is the
 * DOI's. */
#include "report/bibliography.h"

#include <string.h>

static const struct {
    const char *title, *address;
} bibliography[] = {
    { "The Danger of Na\u00EFvet\u00E9", "https://blog.codinghorror.com/the-danger-of-naivete/" },
    { "Algorithm 235", "https://doi.org/10.1145/364520.364540" },
    { "Doing the Microsoft Shuffle",
      "https://www.robweir.com/blog/2010/02/microsoft-random-browser-ballot.html" },
    { "Will It Shuffle?", "https://bost.ocks.org/mike/shuffle/" },
    { "ECMA-262", "https://tc39.es/ecma262/" },
    { "Getting things sorted in V8", "https://v8.dev/blog/array-sort" },
    { "comp.lang.c FAQ", "https://c-faq.com/lib/randrange.html" },
    { "OEIS A152960", "https://oeis.org/A152960" },
    { "The bias of three pseudo-random shuffles", "https://dml.mathdoc.fr/item/GDZPPN00203316X/" },
    { "The Art of Computer Programming", "https://www-cs-faculty.stanford.edu/~knuth/taocp.html" },
    { "Sequential Tests of Statistical Hypotheses", "https://doi.org/10.1214/aoms/1177731118" },
    { "Game-Theoretic Statistics and Safe Anytime-Valid Inference", "https://arxiv.org/abs/2210.01948" },
};

const char *sb_bibliography_find(const char *text, size_t *length)
{
    for (size_t i = 0; i < sizeof bibliography / sizeof bibliography[0]; i++) {
        *length = strlen(bibliography[i].title);
        if (strncmp(text, bibliography[i].title, *length) == 0)
            return bibliography[i].address;
    }
    return NULL;
}
