/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists of names: each name is found, and the list of the names gives the same names again. */
#include "fuzz/fuzz.h"

#include "core/core.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz fuzz = { data, size };
    struct sb_error error = { 0 };
    struct sb_item_names *names, *again;
    char text[4096];

    if (sb_item_names_new(fuzz_text(&fuzz, text, sizeof text), &error, &names))
        return 0;
    if (names->n < 2) { /* no run has one card, and its list "0" would mean numbers from 0 */
        sb_item_names_free(names);
        return 0;
    }
    char *const list = sb_item_names_list(names);

    fuzz_check(list && sb_item_names_read(list, &error, &again) == SB_OK && again->n == names->n,
               "the list of the names can be read");
    for (size_t i = 0; i < names->n; i++) {
        const uint32_t found = sb_item_names_find(names, names->given[i]);

        fuzz_check(strcmp(again->given[i], names->given[i]) == 0, "the list has the same names");
        fuzz_check(found <= i && strcmp(names->given[found], names->given[i]) == 0, "each name is found");
        fuzz_check(found == i || names->multiset, "a name that is given twice makes equal items");
    }
    free(list);
    sb_item_names_free(names);
    sb_item_names_free(again);
    return 0;
}
