/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A gate on a program that deals once and exits, and so is started anew for each deck. The program is a line of
 * the shell, which prints the numbers of cards in one of two orders. It starts in a folder, which is the
 * example's argument; without one, in the current folder.
 *
 *     cc gate_command.c $(pkg-config --cflags --libs shufflebias) -o gate_command && ./gate_command FOLDER
 */
#include <shufflebias.h>

#include <string.h>

/* Prints every 20th bound on the bias, and counts the looks. */
static int print_bound(void *state, const char *event, const char *text, uint64_t done, uint64_t total)
{
    size_t *const looks = state;

    (void)done;
    (void)total;
    if (strcmp(event, "bound") == 0 && ++*looks % 20 == 0)
        printf("look %zu: the size of biases that are ruled out, and the goal: %s\n", *looks, text);
    return 0;
}

int main(int argc, char *argv[])
{
    static const char *const program[] = { "sh", "-c", "[ $(($$ % 2)) = 0 ] && echo 0 1 2 || echo 2 1 0" };
    struct sb_request *const request = sb_request_new("gate");
    size_t looks = 0;

    if (!request)
        return 1;
    for (size_t i = 0; i < sizeof program / sizeof program[0]; i++)
        sb_set(request, "command", program[i]);
    if (argc > 1)
        sb_set(request, "cwd", argv[1]);
    sb_set(request, "once", "1");
    sb_set(request, "limit", "1000");
    sb_on(request, print_bound, &looks);
    struct sb_result *const result = sb_run(request);

    if (!result) {
        fprintf(stderr, "%s\n", sb_error(request));
        return 1;
    }
    const bool ended = *sb_group(request) == 0; /* a signal's handler would kill this group */
    const bool fails = strcmp(sb_get(result, "gates.0.verdict"), "fail") == 0;

    sb_look(result, "columns", "60");
    const bool written = sb_write(result, "text", stdout) == SB_OK;

    sb_result_free(result);
    sb_request_free(request);
    return !(fails && ended && written && looks > 0);
}
