/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of cases that a test runner reads. */
#include "report/ci/cases.h"

#include <stdlib.h>
#include <string.h>

void sb_cases_add(struct sb_cases *cases, struct sb_case one)
{
    if (cases->count == cases->room) {
        const size_t room = 2 * cases->room + 16;
        struct sb_case *const grown = one.text ? realloc(cases->list, room * sizeof *grown) : NULL;

        if (!grown) {
            cases->status = SB_NO_MEMORY;
            free(one.text);
            return;
        }
        cases->list = grown;
        cases->room = room;
    }
    if (one.text)
        cases->list[cases->count++] = one;
    else
        cases->status = SB_NO_MEMORY;
}

void sb_cases_close(struct sb_cases *cases)
{
    for (size_t i = 0; i < cases->count; i++)
        free(cases->list[i].text);
    free(cases->list);
    *cases = (struct sb_cases) { 0 };
}

size_t sb_cases_group(const struct sb_cases *cases, size_t begin)
{
    size_t count = 0;

    while (begin + count < cases->count &&
           strcmp(cases->list[begin + count].group, cases->list[begin].group) == 0)
        count++;
    return count;
}

size_t sb_cases_ended(const struct sb_case list[], size_t count, enum sb_case_end end)
{
    size_t ended = 0;

    for (size_t i = 0; i < count; i++)
        ended += list[i].end == end;
    return ended;
}

enum sb_status sb_cases_write(const struct sb_result_type *type, const void *result,
                              void (*document)(const struct sb_cases *cases, FILE *stream), FILE *stream)
{
    struct sb_cases cases = { 0 };
    enum sb_status status;

    type->cases(result, &cases);
    status = cases.status;
    if (status == SB_OK)
        document(&cases, stream);
    sb_cases_close(&cases);
    return status;
}
