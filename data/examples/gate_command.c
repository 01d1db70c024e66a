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

/* Prints which biases are ruled out so far. */
static void print_bound(void *state, double bound, double goal)
{
    size_t *const looks = state;

    if (++*looks % 20 == 0)
        printf("look %zu: biases of %.2f or more are ruled out, the goal is %.2f\n", *looks, bound, goal);
}

int main(int argc, char *argv[])
{
    const char *const command[] = { "sh", "-c", "[ $(($$ % 2)) = 0 ] && echo 0 1 2 || echo 2 1 0", NULL };
    struct sb_subject subject;
    struct sb_gate_options options;
    struct sb_gate_summary summary;
    struct sb_look look;
    struct sb_error error;
    struct sb_gate *gate;
    size_t looks = 0;

    subject = (struct sb_subject) { 0 };
    subject.command = command;
    subject.cwd = argc > 1 ? argv[1] : NULL;
    subject.once = true;
    sb_gate_options_init(&options);
    options.limit = 1000;
    options.bound = print_bound;
    options.bound_state = &looks;
    look = (struct sb_look) { 0 };
    look.columns = 60;
    if (sb_gate_new(&subject, &options, &error, &gate)) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    sb_gate_summary_get(gate, &summary);
    const bool fails = strcmp(summary.verdict, "fail") == 0 && looks > 0;
    const enum sb_status written = sb_gate_write(gate, "text", &look, &error, stdout);

    sb_gate_free(gate);
    return !(fails && written == SB_OK);
}
