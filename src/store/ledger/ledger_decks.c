/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The decks of a ledger's keys, in memory and in the file. The reader does not trust the file. */
#include "store/ledger/ledger_decks.h"

#include "core/core.h"
#include "core/system.h"
#include "store/file/atomic_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char decks_line[] = "shufflebias.ledger-decks/1\n";

void sb_ledger_decks_close(struct sb_ledger_decks *decks)
{
    for (size_t i = 0; i < decks->count; i++)
        free(decks->section[i].key);
    decks->count = 0;
}

/* Removes a section, without freeing the deck keys. */
static void decks_remove(struct sb_ledger_decks *decks, size_t at)
{
    decks->count--;
    memmove(&decks->section[at], &decks->section[at + 1], (decks->count - at) * sizeof decks->section[0]);
}

static void decks_drop(struct sb_ledger_decks *decks, size_t at)
{
    free(decks->section[at].key);
    decks_remove(decks, at);
}

void sb_ledger_decks_put(struct sb_ledger_decks *decks, const struct sb_ledger_section *section)
{
    size_t total = section->count;

    for (size_t i = 0; i < decks->count; i++)
        if (decks->section[i].share == section->share)
            decks_drop(decks, i--);
    for (size_t i = 0; i < decks->count; i++)
        total += decks->section[i].count;
    while (decks->count && (total > SB_REPEATS_CARRIED || decks->count == SB_LEDGER_ENTRIES)) {
        struct sb_ledger_section *const oldest = &decks->section[0];
        const size_t over = total > SB_REPEATS_CARRIED ? total - SB_REPEATS_CARRIED : oldest->count;

        if (over >= oldest->count) {
            total -= oldest->count;
            decks_drop(decks, 0);
            continue;
        }
        oldest->count -= over;
        total -= over;
        memmove(oldest->key, oldest->key + over, oldest->count * sizeof oldest->key[0]);
    }
    decks->section[decks->count++] = *section;
}

void sb_ledger_decks_prune(struct sb_ledger_decks *decks, const struct sb_ledger *ledger)
{
    for (size_t i = 0; i < decks->count; i++) {
        bool there = false;

        for (size_t j = 0; j < ledger->entries_count; j++)
            there = there || ledger->entry[j]->share == decks->section[i].share;
        if (!there)
            decks_drop(decks, i--);
    }
}

/* ---- the file ---- */

/* A stream of words, and the hash of all words so far. */
struct decks_words {
    FILE *stream;
    uint64_t hash;
    bool well; /* all words so far were read and are in range */
};

static void decks_put_word(struct decks_words *words, uint64_t word)
{
    unsigned char byte[8];

    for (unsigned i = 0; i < 8; i++)
        byte[i] = (unsigned char)(word >> 8 * i);
    words->hash = sb_hash_add(words->hash, byte, sizeof byte);
    fwrite(byte, 1, sizeof byte, words->stream);
}

static uint64_t decks_get_word(struct decks_words *words)
{
    unsigned char byte[8] = { 0 };
    uint64_t word = 0;

    words->well = words->well && fread(byte, 1, sizeof byte, words->stream) == sizeof byte;
    words->hash = sb_hash_add(words->hash, byte, sizeof byte);
    for (unsigned i = 0; i < 8; i++)
        word |= (uint64_t)byte[i] << 8 * i;
    return word;
}

/* Reads a word that must be in low..high. */
static uint64_t decks_get(struct decks_words *words, uint64_t low, uint64_t high)
{
    const uint64_t word = decks_get_word(words);

    words->well = words->well && word >= low && word <= high;
    return words->well ? word : 0;
}

/* Does what decks_get() does, for a size_t. */
static size_t decks_get_size(struct decks_words *words, size_t low, size_t high)
{
    return (size_t)decks_get(words, low, high); /* fits, because the value is at most `high` */
}

static enum sb_status decks_write(const void *what, FILE *stream)
{
    const struct sb_ledger_decks *const decks = what;
    struct decks_words words = { .stream = stream,
                                 .hash = sb_hash_add(SB_HASH_EMPTY, decks_line, strlen(decks_line)) };

    fputs(decks_line, stream);
    decks_put_word(&words, decks->count);
    for (size_t i = 0; i < decks->count && !ferror(stream); i++) {
        const struct sb_ledger_section *const section = &decks->section[i];

        decks_put_word(&words, section->share);
        decks_put_word(&words, section->run);
        decks_put_word(&words, section->n);
        decks_put_word(&words, section->deal);
        decks_put_word(&words, section->count);
        for (size_t j = 0; j < section->count && !ferror(stream); j++) {
            decks_put_word(&words, section->key[j].high);
            decks_put_word(&words, section->key[j].low);
        }
    }
    decks_put_word(&words, words.hash);
    return SB_OK;
}

static bool decks_name(const char *path, char name[PATH_MAX])
{
    if (snprintf(name, PATH_MAX, "%s.decks", path) < PATH_MAX)
        return true;
    errno = ENAMETOOLONG;
    return false;
}

static enum sb_status decks_complain(const char *path, struct sb_error *error)
{
    const int number = errno;

    return sb_error_set(error, SB_IO, "cannot read '%.200s.decks': %s: make it readable, or delete it", path,
                        strerror(number));
}

/* Opens the file of decks. Sets *stream to NULL if there is no file. O_NONBLOCK prevents a named pipe from blocking open(). */
static enum sb_status decks_open(const char *path, const char *name, struct sb_error *error, FILE **stream)
{
    const int descriptor = sb_file_open(name, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0);
    struct stat about = { .st_mode = S_IFREG };
    enum sb_status status = SB_OK;

    *stream = NULL;
    if (descriptor < 0)
        return errno == ENOENT ? SB_OK : decks_complain(path, error);
    errno = sb_file_status_open(descriptor, &about);
    if (!S_ISREG(about.st_mode))
        status =
            sb_error_set(error, SB_IO, "'%.200s.decks' is not a file of decks: name another ledger", path);
    else if (errno || !(*stream = fdopen(descriptor, "r")))
        status = decks_complain(path, error);
    if (!*stream)
        close(descriptor);
    return status;
}

enum sb_status sb_ledger_decks_write(const char *path, const struct sb_ledger_decks *decks,
                                     struct sb_error *error)
{
    char name[PATH_MAX];

    return decks_name(path, name) ? sb_atomic_file_replace(name, false, decks_write, decks, error)
                                  : decks_complain(path, error);
}

/* Reads the next section, of at most `room` decks. */
static enum sb_status decks_read_section(struct decks_words *words, size_t room, struct sb_error *error,
                                         struct sb_ledger_section *section)
{
    section->share = decks_get(words, 1, INT64_MAX);
    section->run = decks_get(words, section->share, INT64_MAX);
    section->n = decks_get_size(words, 2, SB_TALLIED_MOST);
    section->deal = decks_get_size(words, 1, section->n);
    section->count = decks_get_size(words, 0, room);
    section->key = calloc(section->count + 1, sizeof section->key[0]);
    if (!section->key)
        return sb_error_memory(error, "the decks of a ledger");
    for (size_t i = 0; words->well && i < section->count; i++) {
        struct sb_deck_key *const key = &section->key[i];

        key->high = decks_get_word(words);
        key->low = decks_get_word(words);
        words->well = words->well && (key->high | key->low); /* a key is never zero: tally/repeats.h */
    }
    return SB_OK;
}

static enum sb_status decks_read(struct decks_words *words, struct sb_error *error,
                                 struct sb_ledger_decks *decks)
{
    char line[sizeof decks_line] = "";
    size_t room = SB_REPEATS_CARRIED, sections;
    enum sb_status status = SB_OK;
    uint64_t hash;

    words->well = fgets(line, sizeof line, words->stream) && strcmp(line, decks_line) == 0;
    words->hash = sb_hash_add(SB_HASH_EMPTY, line, strlen(line));
    sections = decks_get_size(words, 0, SB_LEDGER_ENTRIES);
    while (status == SB_OK && words->well && decks->count < sections) {
        struct sb_ledger_section *const section = &decks->section[decks->count++];

        status = decks_read_section(words, room, error, section);
        room -= section->count;
    }
    hash = words->hash;
    if (status == SB_OK)
        words->well = decks_get_word(words) == hash && words->well && fgetc(words->stream) == EOF;
    return status;
}

enum sb_status sb_ledger_decks_read(const char *path, struct sb_error *error, struct sb_ledger_decks *decks)
{
    struct decks_words words = { .stream = NULL };
    char name[PATH_MAX];
    enum sb_status status;
    bool failed;

    decks->count = 0;
    if (!decks_name(path, name))
        return decks_complain(path, error);
    status = decks_open(path, name, error, &words.stream);
    if (status || !words.stream)
        return status;
    errno = 0;
    status = decks_read(&words, error, decks);
    failed = ferror(words.stream);
    if (status == SB_OK && failed)
        status = decks_complain(path, error);
    fclose(words.stream);
    if (status || words.well)
        return status;
    return sb_error_set(
        error, SB_IO,
        "'%.200s.decks' was truncated, edited or damaged: restore it, or delete it, and later "
        "runs compare their decks with new ones only",
        path);
}
