/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the shuffle that permutations look like, as text and as JSON. */
#include "report/json_writer.h"
#include "report/number.h"
#include "study/catalogue/catalogue_look.h"

#include <math.h>
#include <string.h>

/* ln 100: if the likeliest shuffle is less than 100 times as likely as the next, both are named. */
static const double text_ln_sure = 4.6051701859880914;

void sb_sentence_looks_like(struct sb_sentence *s, const struct sb_looks_like *looks_like)
{
    if (!looks_like->asked)
        return;
    if (!looks_like->scheme) {
        sb_sentence_add(s, "It matches no shuffle in the catalogue. ");
        return;
    }
    const bool plain = strcmp(looks_like->form, "plain") == 0;

    sb_sentence_add(s, "%s looks like `%s`%s%s (%s)",
                    looks_like->by_positions ? "Where the items end up" : "It", looks_like->scheme,
                    plain ? "" : ", ", plain ? "" : looks_like->form,
                    looks_like->title ? looks_like->title : "");
    if (looks_like->by_positions)
        sb_sentence_add(s, ", which is a description without a claim of confidence. ");
    else if (isinf(looks_like->ln_ratio))
        sb_sentence_add(s, ", the only shuffle in the catalogue that can give these permutations. ");
    else
        sb_sentence_add(s,
                        looks_like->ln_ratio < text_ln_sure
                            ? " or, %s times less likely, `%s`. "
                            : ", %s times as likely as the next in the catalogue, `%s`. ",
                        sb_number_exp(looks_like->ln_ratio).text, looks_like->next);
}

void sb_looks_like_page(const struct sb_looks_like *looks_like, struct sb_page *page)
{
    if (!looks_like->scheme || !looks_like->cause)
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

void sb_looks_like_json(struct sb_json *json, const struct sb_looks_like *looks_like)
{
    if (!looks_like->scheme) {
        sb_json_null(json, "looks_like");
        return;
    }
    sb_json_object(json, "looks_like");
    sb_json_string(json, "scheme", looks_like->scheme);
    sb_json_string(json, "form", looks_like->form);
    sb_json_array(json, "equivalent", true);
    for (size_t i = 0; i < looks_like->equivalents; i++)
        sb_json_string(json, NULL, looks_like->equivalent[i]);
    sb_json_close(json);
    sb_json_real(json, "ln_ratio", looks_like->ln_ratio);
    sb_json_string(json, "next", looks_like->next);
    sb_json_string(json, "by", looks_like->by_positions ? "positions" : "law");
    sb_json_close(json);
}
