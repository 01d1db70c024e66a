/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ledgers: a ledger that is read and written again says the same, and is then written to the same bytes. */
#include "fuzz/fuzz.h"
#include "fuzz/json_same.h"
#include "fuzz/scratch.h"

#include "store/ledger.h"

#include <string.h>

/* Reads the ledger at `path` and writes it to the file `name`, whose bytes the caller frees. NULL if the
 * ledger is refused. */
static char *ledger_copy(const char *path, const char *name, size_t *size)
{
    struct sb_error error = { .status = SB_OK };
    struct sb_ledger *ledger;
    const enum sb_status status = sb_ledger_read(path, &error, &ledger);

    fuzz_check(status == error.status && (status == SB_OK || status == SB_IO), "a fault has a line");
    if (status)
        return NULL;
    path = scratch_path(name);
    fuzz_check(sb_ledger_write(path, ledger, &error) == SB_OK, "a ledger can be written");
    sb_ledger_free(ledger);
    return scratch_read(path, size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const none[] = { NULL };
    const char *const path = scratch_write("ledger", data, size);
    size_t first_size, second_size;
    char *const first = ledger_copy(path, "first", &first_size);

    if (!first)
        return 0;
    char *const second = ledger_copy(scratch_path("first"), "second", &second_size);
    json_t *const was = json_loadb((const char *)data, size, JSON_REJECT_DUPLICATES, NULL);
    json_t *const is = json_loadb(first, first_size, JSON_REJECT_DUPLICATES, NULL);
    const char *const schema = json_string_value(json_object_get(was, "schema"));

    fuzz_check(second && first_size == second_size && memcmp(first, second, first_size) == 0,
               "a ledger that was written is written to the same bytes");
    fuzz_check(was && is && schema, "a ledger is JSON");
    if (strcmp(schema, "shufflebias.ledger/2") == 0)
        fuzz_check(json_same(was, is, none), "a ledger that is written again says the same");
    json_decref(was);
    json_decref(is);
    free(first);
    free(second);
    return 0;
}
