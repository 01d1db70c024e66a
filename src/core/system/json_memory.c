/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/system/json_memory.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

static _Thread_local bool json_short;

static void *json_allocate(size_t size)
{
    void *const block = malloc(size);

    json_short = json_short || !block;
    return block;
}

__attribute__((constructor)) static void json_begin(void)
{
    json_malloc_t allocate;
    json_free_t release;

    json_get_alloc_funcs(&allocate, &release);
    if (allocate == malloc && release == free)
        json_set_alloc_funcs(json_allocate, free);
}

/* Restores Jansson's functions, since Jansson may stay loaded longer than this library. */
__attribute__((destructor)) static void json_end(void)
{
    json_malloc_t allocate;
    json_free_t release;

    json_get_alloc_funcs(&allocate, &release);
    if (allocate == json_allocate)
        json_set_alloc_funcs(malloc, free);
}

/* Drops a value if an allocation failed, and sets errno. */
static json_t *json_settle(json_t *top)
{
    const int number = json_short ? ENOMEM : top ? 0 : errno;

    if (json_short) {
        json_decref(top);
        top = NULL;
    }
    errno = number; /* Jansson sets errno to 0 whenever it reads a number */
    return top;
}

json_t *sb_json_load(FILE *stream, json_error_t *fault)
{
    json_short = false;
    errno = 0;
    return json_settle(json_loadf(stream, JSON_REJECT_DUPLICATES, fault));
}

json_t *sb_json_load_text(const char text[], size_t length, json_error_t *fault)
{
    json_short = false;
    errno = 0;
    return json_settle(json_loadb(text, length, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, fault));
}
