/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The decks beside a ledger, behind a hash that the target computes: a file that is accepted is written to the
 * same bytes, and holds the sections that its words say. The input is the words of the file.
 */
#include "fuzz/fuzz.h"
#include "fuzz/scratch.h"

#include "core/core.h"
#include "store/ledger/ledger_decks.h"

#include <string.h>

static const char decks_line[] = "shufflebias.ledger-decks/1\n";

/* Writes the file with its first line and its hash; the caller frees the bytes. */
static char *decks_file(const struct fuzz *words, size_t *size)
{
    const size_t line = strlen(decks_line), end = line + words->size;
    char *const bytes = malloc(end + 8);

    if (!bytes)
        abort();
    memcpy(bytes, decks_line, line);
    memcpy(bytes + line, words->data, words->size);
    const uint64_t hash = sb_hash_add(SB_HASH_EMPTY, bytes, end);

    for (unsigned i = 0; i < 8; i++)
        bytes[end + i] = (char)(hash >> 8 * i);
    *size = end + 8;
    scratch_write("ledger.decks", bytes, *size);
    return bytes;
}

/* Compares the sections with the words of the file. */
static void decks_check(struct fuzz *words, const struct sb_ledger_decks *decks)
{
    fuzz_check(decks->count == fuzz_number(words, 8), "the file says how many sections it has");
    for (size_t i = 0; i < decks->count; i++) {
        const struct sb_ledger_section *const section = &decks->section[i];
        const uint64_t said[] = { section->share, section->run, section->n, section->deal, section->count };

        for (size_t k = 0; k < sizeof said / sizeof said[0]; k++)
            fuzz_check(said[k] == fuzz_number(words, 8), "a section is as the file says");
        for (size_t j = 0; j < section->count; j++)
            fuzz_check(section->key[j].high == fuzz_number(words, 8) &&
                           section->key[j].low == fuzz_number(words, 8),
                       "each deck is as the file says");
    }
    fuzz_check(words->size == 0, "a file has no bytes after its sections");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz words = { data, size };
    struct sb_ledger_decks decks = { .count = 0 };
    struct sb_error error = { .status = SB_OK };
    size_t was_size, is_size;
    char *const was = decks_file(&words, &was_size);
    const enum sb_status status = sb_ledger_decks_read(scratch_path("ledger"), &error, &decks);

    fuzz_check(status == SB_OK || (status == SB_IO && error.text[0]), "a fault has a line");
    if (status == SB_OK) {
        decks_check(&words, &decks);
        fuzz_check(sb_ledger_decks_write(scratch_path("ledger"), &decks, &error) == SB_OK,
                   "decks can be written");
        char *const is = scratch_read(scratch_path("ledger.decks"), &is_size);

        fuzz_check(is && is_size == was_size && memcmp(is, was, is_size) == 0,
                   "decks are written to the same bytes");
        free(is);
    }
    sb_ledger_decks_close(&decks);
    free(was);
    return 0;
}
