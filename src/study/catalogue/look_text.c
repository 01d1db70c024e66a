/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the shuffle that permutations look like, as text and as JSON. */
#include "report/json_writer.h"
#include "study/catalogue/catalogue_look.h"

#include <ctype.h>
#include <string.h>

void sb_sentence_always(struct sb_sentence *s, const struct sb_looks_like *looks_like, bool chained,
                        bool begins)
{
    static const struct {
        const char *what, *question;
    } words[] = {
        [SB_ALWAYS_NOT] = { "", "" },
        [SB_ALWAYS_ORIGINAL] = { "the items came back in their original order",
                                 "Is the shuffled copy returned, or only the list that was given?" },
        [SB_ALWAYS_REVERSED] = { "the items came back in reverse order", "Is anything drawn at random?" },
        [SB_ALWAYS_SAME] = { "every result was the same",
                             "Is the random generator seeded anew each time, or with a fixed seed?" },
    };
    const char *const what = words[looks_like->always].what;

    if (!looks_like->always)
        return;
    if (chained)
        sb_sentence_add(s, "every step from one result to the next was the same: %s. ", looks_like->order);
    else
        sb_sentence_add(s, "%c%s: %s. %s ", begins ? toupper(what[0]) : what[0], what + 1, looks_like->order,
                        words[looks_like->always].question);
}

/* Writes a name with its title: `cut`, inverted (one cut, near the middle). */
static void text_name(struct sb_sentence *s, const struct sb_looks_like *looks_like)
{
    const bool plain = strcmp(looks_like->form, "plain") == 0;

    sb_sentence_add(s, "`%s`%s%s", looks_like->scheme, plain ? "" : ", ", plain ? "" : looks_like->form);
    if (looks_like->others == 0 && looks_like->title)
        sb_sentence_add(s, " (%s)", looks_like->title);
}

void sb_sentence_looks_like(struct sb_sentence *s, const struct sb_looks_like *looks_like)
{
    if (!looks_like->asked)
        return;
    if (!looks_like->scheme) {
        sb_sentence_add(s, "It matches no shuffle in the catalogue. ");
        return;
    }
    sb_sentence_add(s, looks_like->sure ? "It looks like " : "It may be ");
    text_name(s, looks_like);
    for (size_t i = 0; i < looks_like->others; i++)
        sb_sentence_add(s, "%s`%s`", i + 1 < looks_like->others ? ", " : " or ", looks_like->other[i]);
    sb_sentence_add(s, looks_like->sure     ? ". "
                       : looks_like->others ? "; these permutations do not tell which. "
                                            : "; the permutations are too few to be sure. ");
}

void sb_looks_like_page(const struct sb_looks_like *looks_like, struct sb_page *page)
{
    if (!looks_like->sure || !looks_like->cause)
        return;
    for (size_t i = 0; i < looks_like->equivalents; i++)
        sb_page_paragraph(page, SB_INK_STRONG, i ? "or" : "The same law has:", "%s",
                          looks_like->equivalent[i]);
    sb_page_paragraph(page, SB_INK_STRONG, "Cause:", "%s", looks_like->cause);
    sb_page_paragraph(page, SB_INK_STRONG, "Fix:", "this is fair:");
    sb_page_code_begin(page);
    sb_page_code(page, looks_like->fix);
    sb_page_code_end(page);
}

static void text_names(struct sb_json *json, const char *key, char *const name[], size_t count)
{
    sb_json_array(json, key, true);
    for (size_t i = 0; i < count; i++)
        sb_json_string(json, NULL, name[i]);
    sb_json_close(json);
}

void sb_looks_like_json(struct sb_json *json, const struct sb_looks_like *looks_like)
{
    sb_json_string(json, "always", looks_like->order);
    if (!looks_like->scheme) {
        sb_json_null(json, "looks_like");
        return;
    }
    sb_json_object(json, "looks_like");
    sb_json_string(json, "scheme", looks_like->scheme);
    sb_json_string(json, "form", looks_like->form);
    text_names(json, "equivalent", looks_like->equivalent, looks_like->equivalents);
    text_names(json, "others", looks_like->other, looks_like->others);
    sb_json_bool(json, "sure", looks_like->sure);
    sb_json_string(json, "by", looks_like->by_positions ? "positions" : "law");
    sb_json_close(json);
}
