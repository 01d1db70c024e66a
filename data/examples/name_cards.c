/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A deck in which two cards are equal: the exact law of its three arrangements under the naive swap, and a gate. The
 * results have a title and name the cards.
 *
 *     cc name_cards.c $(pkg-config --cflags --libs shufflebias) -o name_cards && ./name_cards
 */
#include <shufflebias.h>

#include <string.h>

/* Prints the verdict of the exact report; returns whether it names the arrangements. */
static bool report_cards(void)
{
    static const char *const scheme = "naive";
    struct sb_options options;
    struct sb_error error;
    struct sb_reports *reports;
    struct sb_summary summary;
    bool named;

    sb_options_init(&options);
    options.by = SB_BY_EXACT;
    options.cards = "A A B";
    options.title = "Two aces";
    if (sb_reports_new(&scheme, 1, &options, &error, &reports)) {
        fprintf(stderr, "%s\n", error.text);
        return false;
    }
    sb_reports_summary(reports, 0, &summary);
    printf("%s\n", summary.sentence);
    named =
        strstr(summary.sentence, "ABA") && sb_reports_write(reports, "text", NULL, &error, stdout) == SB_OK;
    sb_reports_free(reports);
    return named;
}

/* Prints the verdict of a gate; returns whether the gate failed, and named the arrangements. */
static bool gate_cards(void)
{
    struct sb_subject subject;
    struct sb_gate_options options;
    struct sb_gate_summary summary;
    struct sb_error error;
    struct sb_gate *gate;
    bool named;

    subject = (struct sb_subject) { 0 };
    subject.scheme = "naive";
    subject.cards = "A A B";
    subject.title = "Two aces";
    sb_gate_options_init(&options);
    if (sb_gate_new(&subject, &options, &error, &gate)) {
        fprintf(stderr, "%s\n", error.text);
        return false;
    }
    sb_gate_summary_get(gate, &summary);
    printf("%s\n", summary.sentence);
    named = strcmp(summary.verdict, "fail") == 0 && strstr(summary.sentence, "ABA");
    sb_gate_free(gate);
    return named;
}

int main(void)
{
    return report_cards() && gate_cards() ? 0 : 1;
}
