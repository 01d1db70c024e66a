/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file replaces src/subject/process.c, command.c and command_peer.c in the module, which cannot start commands.
 * But the host may know the command's first word as a function in JavaScript, which is then the subject. The second
 * word is the number of its items.
 */
#include "core/text.h"
#include "web/web.h"

#include <stdlib.h>

enum {
    FUNCTIONS_ITEMS_MOST = 65536, /* items have 16 bits */
    FUNCTIONS_PROVED_MOST = 10,   /* the most items of a proof */
    FUNCTIONS_NAME = 200,         /* the most bytes of a name to show */
};

int sb_web_own_shuffle(void *items, size_t n, size_t size, void *name)
{
    if (name)
        sb_web_host_choose(name); /* a suite has several functions */
    sb_web_host_shuffle(items, n, NULL);
    return 0;
}

int sb_web_drawn_shuffle(void *items, size_t n, size_t size, struct sb_draws *draws, void *state)
{
    sb_web_host_shuffle(items, n, draws);
    return 0;
}

char *sb_command_name(const char *const command[])
{
    return sb_sanitize_text(command[0], FUNCTIONS_NAME);
}

static enum sb_status functions_choose(const char *name, struct sb_error *error)
{
    if (sb_web_host_choose(name))
        return SB_OK;
    return sb_error_set(error, SB_INVALID,
                        "cannot run '%.200s': the WebAssembly module starts no commands: name a JavaScript module, or "
                        "use the native program",
                        name);
}

enum sb_status sb_web_function(struct sb_subject *subject, struct sb_error *error)
{
    const char *const name = subject->command[0], *const items = subject->command[1];
    const enum sb_status status = functions_choose(name, error);
    char *end = NULL;

    if (status)
        return status;
    if (items)
        subject->n = strtoul(items, &end, 10);
    if (items && (*end || subject->n == 0))
        return sb_error_set(error, SB_INVALID, "'%.60s' is no number of items for a function: use 2 to %d", items,
                            FUNCTIONS_ITEMS_MOST);
    if (subject->n > FUNCTIONS_ITEMS_MOST)
        return sb_error_set(error, SB_INVALID, "`n = %zu`: a function has fewer items: use 2 to %d", subject->n,
                            FUNCTIONS_ITEMS_MOST);
    subject->name = name;
    subject->shuffle = sb_web_own_shuffle;
    subject->state = (void *)name;
    subject->command = NULL;
    subject->cwd = NULL;
    return SB_OK;
}

enum sb_status sb_bytes_open_command(const struct sb_command_start *start, const struct sb_patience *patience,
                                     sb_overheard *overheard, void *state, struct sb_error *error,
                                     struct sb_bytes **bytes)
{
    return SB_BROKEN; /* sb_web_function() has replaced the command */
}

static enum sb_status functions_peer_shuffle(struct sb_peer *self, struct sb_draws *draws, size_t n, sb_item deck[],
                                             struct sb_error *error)
{
    uint16_t items[FUNCTIONS_PROVED_MOST];

    if (n > FUNCTIONS_PROVED_MOST)
        return sb_error_set(error, SB_TOO_LARGE, "%s: %zu items are too many for a proof: use %d or fewer", self->name,
                            n, FUNCTIONS_PROVED_MOST);
    for (size_t i = 0; i < n; i++)
        items[i] = (uint16_t)i;
    sb_web_host_shuffle(items, n, draws);
    for (size_t i = 0; i < n; i++)
        deck[i] = items[i];
    return SB_OK;
}

static void functions_peer_free(struct sb_peer *self)
{
    free(self);
}

enum sb_status sb_command_peer_open(const char *const command[], const struct sb_patience *patience,
                                    sb_overheard *overheard, void *state, struct sb_error *error, struct sb_peer **peer)
{
    const enum sb_status status = functions_choose(command[0], error);
    struct sb_peer *const made = status ? NULL : calloc(1, sizeof *made);

    if (status)
        return status;
    if (!made)
        return sb_error_memory(error, "a function");
    *made = (struct sb_peer) { .name = command[0], .shuffle = functions_peer_shuffle, .free = functions_peer_free };
    *peer = made;
    return SB_OK;
}
