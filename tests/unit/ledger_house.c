/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs of the gate on a ledger in a folder of its own. */
#include "unit/ledger_house.h"
#include "study/gate/gate_page.h"
#include "study/results.h"
#include "unit/test.h"

#include <stdlib.h>
#include <unistd.h>

/* xorshift64*, Vigna, doi:10.1145/2845077. */
size_t ledger_house_below(uint64_t *word, size_t bound)
{
    *word ^= *word >> 12;
    *word ^= *word << 25;
    *word ^= *word >> 27;
    return (size_t)((*word * UINT64_C(2685821657736338717) >> 32) * bound >> 32);
}

static void exchange(uint16_t *items, size_t i, size_t j)
{
    const uint16_t item = items[i];

    items[i] = items[j];
    items[j] = item;
}

int ledger_house_fair(void *items, size_t n, size_t size, void *word)
{
    for (size_t i = n; i > 1; i--)
        exchange(items, i - 1, ledger_house_below(word, i));
    return 0;
}

int ledger_house_naive(void *items, size_t n, size_t size, void *word)
{
    for (size_t i = 0; i < n; i++)
        exchange(items, i, ledger_house_below(word, n));
    return 0;
}

int ledger_house_open(void **state)
{
    struct ledger_house *const house = calloc(1, sizeof *house);

    if (!house)
        return -1;
    snprintf(house->folder, sizeof house->folder, "%s/shufflebias-ledger-XXXXXX",
             access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm"); /* where files need not wait for a disk */
    if (!mkdtemp(house->folder)) {
        free(house);
        return -1;
    }
    snprintf(house->path, sizeof house->path, "%s/l.json", house->folder);
    snprintf(house->saved, sizeof house->saved, "%s/e.json", house->folder);
    house->word[0] = 1;
    house->subject = (struct sb_subject) { .shuffle = ledger_house_fair, .state = house->word, .name = "mine" };
    sb_request_init(&house->options, SB_GATE);
    house->options.ledger = house->path;
    house->options.limit = 500;
    *state = house;
    return 0;
}

int ledger_house_close(void **state)
{
    static const char *const names[] = { "", ".lock", ".new" };
    struct ledger_house *const house = *state;
    char name[96];

    unlink(house->saved);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        snprintf(name, sizeof name, "%s%s", house->path, names[i]);
        unlink(name);
    }
    rmdir(house->folder);
    free(house);
    return 0;
}

void ledger_house_set(struct ledger_house *house, const char *name, const char *text)
{
    struct sb_wrong wrong;

    assert_true(sb_request_set(&house->options, sb_option_find(SB_GATE, name), text, &wrong));
}

enum sb_status ledger_house_run(struct ledger_house *house)
{
    struct sb_gate *gate;

    house->error = (struct sb_error) { .status = SB_OK };
    const enum sb_status status = sb_gate_new(&house->subject, &house->options, &house->error, &gate);

    if (status)
        return status;
    if (house->error.text[0]) { /* a run that ends well says nothing */
        sb_gate_free(gate);
        return SB_BROKEN;
    }
    house->summary.verdict = sb_verdict_name(gate->verdict);
    house->summary.total = gate->total;
    house->summary.run = gate->budget.run;
    house->summary.share = gate->budget.share;
    house->summary.alpha = gate->terms.alpha;
    house->summary.interrupted = gate->interrupted;
    sb_gate_free(gate);
    return SB_OK;
}

struct sb_ledger *ledger_house_read(struct ledger_house *house)
{
    struct sb_ledger *ledger;

    return sb_ledger_read(house->path, &house->error, &ledger) ? NULL : ledger;
}

char *ledger_house_text(const struct ledger_house *house)
{
    enum { ROOM = 1 << 16 };
    FILE *const file = fopen(house->path, "r");
    char *const text = calloc(1, ROOM);

    if (file && text)
        text[fread(text, 1, ROOM - 1, file)] = '\0';
    if (file)
        fclose(file);
    return text;
}
