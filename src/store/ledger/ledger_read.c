/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A ledger from its file. Nothing in it is believed: every field has to be there, of its type and in its
 * range, no other may be, and what they say together has to hold.
 */
#include "core/error.h"
#include "core/permutation.h"
#include "store/json_field.h"
#include "store/ledger/ledger.h"

#include <stdlib.h>
#include <string.h>

static void read_entry(struct sb_json_field_reader *in, const json_t *object, const struct sb_ledger *ledger,
                       struct sb_ledger_entry *entry)
{
    struct sb_snapshot *const seen = &entry->seen;

    entry->key = sb_json_field_string(in, object, "key", false);
    entry->subject = sb_json_field_string(in, object, "subject", false);
    entry->share = sb_json_field_integer(in, object, "share", 1, ledger->shares);
    entry->run = sb_json_field_integer(in, object, "run", entry->share, ledger->runs);
    entry->open = sb_json_field_bool(in, object, "open");
    entry->n = sb_json_field_size(in, object, "n", 2, SB_ITEMS_MOST);
    entry->deal = sb_json_field_size(in, object, "deal", 1, entry->n);
    entry->chained = sb_json_field_bool(in, object, "chained");
    entry->increments = sb_json_field_bool(in, object, "increments");
    entry->profile = sb_json_field_string(in, object, "profile", true);
    seen->total = sb_json_field_integer(in, object, "total", 0, INT64_MAX);
    entry->decks = sb_json_field_integer(in, object, "decks", 0, entry->run);
    sb_fingerprints_read(in, object, &entry->openings);
    sb_counts_read_list(in, object, "statistics", 64, seen->total, &seen->counts, &seen->counts_count);
    if (seen->counts_count == 0 && seen->total)
        sb_json_field_fail(in, "total", "must be 0 where there are no statistics");
    sb_snapshot_read_repeats(in, object, seen);
    if (seen->watched && seen->birthday.decks != seen->total)
        sb_json_field_fail(in, "repeats.decks", "must be the total");
}

static void read_run(struct sb_json_field_reader *in, const json_t *object, const struct sb_ledger *ledger,
                     struct sb_ledger_run *run)
{
    char *outcome;

    run->run = sb_json_field_integer(in, object, "run", 1, ledger->runs);
    run->share = sb_json_field_integer(in, object, "share", 1, ledger->shares);
    run->key = sb_json_field_string(in, object, "key", true);
    run->subject = sb_json_field_string(in, object, "subject", false);
    run->total = sb_json_field_integer(in, object, "total", 0, INT64_MAX);
    outcome = sb_json_field_string(in, object, "outcome", true);
    for (size_t i = 0; outcome && i < SB_LEDGER_OUTCOMES; i++)
        if (strcmp(outcome, sb_ledger_outcomes[i]) == 0)
            run->outcome = sb_ledger_outcomes[i];
    if (outcome && !run->outcome)
        sb_json_field_fail(in, "outcome", "must be null or one of those that are counted in outcomes");
    free(outcome);
}

static void read_outcomes(struct sb_json_field_reader *in, const json_t *object, struct sb_ledger *ledger)
{
    const char *fields[SB_LEDGER_OUTCOMES + 1] = { NULL };
    uint64_t left = ledger->runs;

    memcpy(fields, sb_ledger_outcomes, sizeof sb_ledger_outcomes);
    if (!sb_json_field_enter(in, "outcomes", object, fields))
        return;
    for (size_t i = 0; i < SB_LEDGER_OUTCOMES; i++) {
        ledger->outcome[i] = sb_json_field_integer(in, object, fields[i], 0, left);
        left -= ledger->outcome[i];
    }
}

static void read_recent(struct sb_json_field_reader *in, const json_t *top, struct sb_ledger *ledger)
{
    static const char *const run_fields[] = { "run", "share", "key", "subject", "outcome", "total", NULL };
    const json_t *const recent = sb_json_field_array(in, top, "recent", SB_LEDGER_RECENT);

    for (size_t i = 0; recent && i < json_array_size(recent); i++) {
        const json_t *const object = json_array_get(recent, i);

        if (sb_json_field_enter_at(in, "recent", i, object, run_fields))
            read_run(in, object, ledger, &ledger->recent[ledger->recent_count++]);
        if (i && ledger->recent[i].run <= ledger->recent[i - 1].run)
            sb_json_field_fail(in, "run", "must be larger than the one before");
    }
}

/*
 * The evidence of the keys. That of a ledger of schema 1 is left alone, and its keys begin anew with shares
 * of their own: its runs of fewer than SB_FINGERPRINT_DECKS permutations were dropped, so that it holds only if no
 * run's length depended on its permutations. What was spent stays spent.
 */
static void read_keys(struct sb_json_field_reader *in, const json_t *top, struct sb_ledger *ledger)
{
    static const char *const entry_fields[] = { "key",   "subject",    "share",   "run",        "open",
                                                "n",     "deal",       "chained", "increments", "profile",
                                                "total", "statistics", "repeats", "openings",   "uncounted",
                                                "decks", NULL };
    const json_t *const keys = sb_json_field_array(in, top, "keys", SB_LEDGER_ENTRIES);

    for (size_t i = 0; in->status == SB_OK && i < json_array_size(keys); i++) {
        const json_t *const object = json_array_get(keys, i);

        ledger->entry[i] = sb_json_field_room(in, 1, sizeof *ledger->entry[i]);
        ledger->entries_count = i + 1;
        if (sb_json_field_enter_at(in, "keys", i, object, entry_fields))
            read_entry(in, object, ledger, ledger->entry[i]);
        for (size_t j = 0; in->status == SB_OK && j < i; j++)
            if (ledger->entry[j]->share == ledger->entry[i]->share) {
                snprintf(in->place, sizeof in->place, "keys[%zu].", i);
                sb_json_field_fail(in, "share", "must differ from those of the other keys");
            }
    }
}

static void read_top(struct sb_json_field_reader *in, const json_t *top, struct sb_ledger *ledger)
{
    static const char *const fields[] = { "schema",   "alpha",  "delta", "runs", "shares",
                                          "outcomes", "recent", "keys",  NULL };
    const char *const schema = json_string_value(json_object_get(top, "schema"));
    const bool first = schema && strcmp(schema, "shufflebias.ledger/1") == 0;

    if (!first && (!schema || strcmp(schema, "shufflebias.ledger/2") != 0))
        sb_json_field_fail(in, "schema", "must be \"shufflebias.ledger/2\"");
    if (!sb_json_field_enter(in, "", top, fields))
        return;
    ledger->alpha = sb_json_field_level(in, top, "alpha");
    ledger->delta = sb_json_field_level(in, top, "delta");
    ledger->runs = sb_json_field_integer(in, top, "runs", 1, INT64_MAX - 1);
    ledger->shares = sb_json_field_integer(in, top, "shares", 1, ledger->runs);
    if (in->status == SB_OK)
        read_outcomes(in, json_object_get(top, "outcomes"), ledger);
    in->place[0] = '\0';
    read_recent(in, top, ledger);
    if (!first)
        read_keys(in, top, ledger);
}

enum sb_status sb_ledger_read(const char *path, struct sb_error *error, struct sb_ledger **ledger)
{
    struct sb_json_field_reader in = {
        .path = path,
        .kind = "ledger",
        .article = "a ledger",
        .remedy = "restore it, or begin another elsewhere",
        .error = error,
    };
    struct sb_ledger *made = NULL;
    json_t *top = NULL;

    *ledger = NULL;
    if (sb_json_field_is_there(&in))
        top = sb_json_field_load(&in);
    if (!top)
        return in.status;
    made = sb_json_field_room(&in, 1, sizeof *made);
    if (made)
        read_top(&in, top, made);
    json_decref(top);
    if (in.status)
        sb_ledger_free(made);
    else
        *ledger = made;
    return in.status;
}
