/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Mutates JSON as values, so that most inputs get past the parser: changes, removes, repeats, renames and
 * moves values of the tree. One mutation in eight is libFuzzer's own, of bytes. The byte before the JSON chooses the
 * part of the target.
 */
#include <jansson.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

enum { MUTATOR_NODES = 4096 };

/* A value, and where it is. */
struct node {
    json_t *parent;
    const char *key; /* NULL in an array */
    size_t index;
    json_t *value;
};

struct nodes {
    struct node node[MUTATOR_NODES];
    size_t count;
};

static uint32_t mutator_below(uint64_t *state, uint32_t bound)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407); /* Knuth's */
    return (uint32_t)((*state >> 32) * bound >> 32);
}

/* Lists the values below `parent`. */
static void mutator_list(json_t *parent, struct nodes *nodes)
{
    const char *key;
    json_t *value;
    size_t index;

    json_object_foreach(parent, key, value)
    {
        if (nodes->count == MUTATOR_NODES)
            return;
        nodes->node[nodes->count++] = (struct node) { .parent = parent, .key = key, .value = value };
        mutator_list(value, nodes);
    }
    json_array_foreach(parent, index, value)
    {
        if (nodes->count == MUTATOR_NODES)
            return;
        nodes->node[nodes->count++] = (struct node) { .parent = parent, .index = index, .value = value };
        mutator_list(value, nodes);
    }
}

/* A number near the old one, or at an end of its range. */
static json_t *mutator_number(const json_t *old, uint64_t *state)
{
    static const json_int_t special[] = { 0, 1, 2, -1, 255, 65535, 65536, INT32_MAX, INT64_MAX, INT64_MIN };
    const double real = json_number_value(old);
    const json_int_t value = json_is_integer(old) ? json_integer_value(old) : fabs(real) < 1e15 ? (json_int_t)real : 0;

    switch (mutator_below(state, 6)) {
    case 0:
        return json_integer((json_int_t)((uint64_t)value + 1));
    case 1:
        return json_integer((json_int_t)((uint64_t)value - 1));
    case 2:
        return json_integer((json_int_t)mutator_below(state, 100));
    case 3:
        return json_real(real * (0.5 + mutator_below(state, 100) / 64.0));
    case 4:
        return json_real(real);
    default:
        return json_integer(special[mutator_below(state, sizeof special / sizeof special[0])]);
    }
}

static json_t *mutator_text(const json_t *old, uint64_t *state)
{
    uint8_t text[256] = { 0 };
    size_t length = json_string_length(old);

    length = length < 200 ? length : 200;
    memcpy(text, json_string_value(old), length);
    length = LLVMFuzzerMutate(text, length ? length : 1, sizeof text);
    return json_stringn((const char *)text, length); /* NULL unless it is UTF-8 */
}

/* Puts a new value, of which it takes the reference, into the place of a node. */
static void mutator_put(const struct node *node, json_t *value)
{
    if (!value)
        return;
    if (node->key)
        json_object_set_new(node->parent, node->key, value);
    else
        json_array_set_new(node->parent, node->index, value);
}

/* Changes one value. */
static void mutator_change(struct nodes *nodes, uint64_t *state)
{
    const struct node *const node = &nodes->node[mutator_below(state, (uint32_t)nodes->count)];
    const struct node *const other = &nodes->node[mutator_below(state, (uint32_t)nodes->count)];
    const uint32_t how = mutator_below(state, 10);

    if (how == 0 && node->key)
        json_object_del(node->parent, node->key);
    else if (how == 0)
        json_array_remove(node->parent, node->index);
    else if (how == 1)
        mutator_put(node, json_deep_copy(other->value));
    else if (how == 2 && json_is_array(node->parent))
        json_array_insert_new(node->parent, node->index, json_deep_copy(node->value));
    else if (how == 2 && node->key && other->key)
        json_object_set_new(node->parent, other->key, json_deep_copy(node->value));
    else if (how == 3)
        mutator_put(node, mutator_below(state, 2) ? json_null() : json_boolean(mutator_below(state, 2)));
    else if (json_is_number(node->value))
        mutator_put(node, mutator_number(node->value, state));
    else if (json_is_string(node->value))
        mutator_put(node, mutator_text(node->value, state));
    else if (json_is_boolean(node->value))
        mutator_put(node, json_boolean(!json_is_true(node->value)));
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    static struct nodes nodes;
    uint64_t state = seed;
    json_t *const top =
        size > 1 && mutator_below(&state, 8) ? json_loadb((const char *)data + 1, size - 1, 0, NULL) : NULL;
    size_t length;

    if (!top)
        return LLVMFuzzerMutate(data, size, most);
    for (uint32_t times = 1 + mutator_below(&state, 3); times > 0; times--) {
        nodes.count = 0;
        mutator_list(top, &nodes);
        if (nodes.count > 0)
            mutator_change(&nodes, &state);
    }
    length = json_dumpb(top, (char *)data + 1, most - 1, JSON_COMPACT);
    json_decref(top);
    return length > 0 && length < most ? length + 1 : LLVMFuzzerMutate(data, size, most);
}
