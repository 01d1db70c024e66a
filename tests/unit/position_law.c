/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The law of deals of one card, by the engine `position`. */
#include "unit/test.h"

#include "exact/engine.h"
#include "exact/engines.h"
#include "unit/ready_scheme.h"

extern const struct sb_engine_type sb_engine_position;

/* The last step of the naive swap from the back exchanges position 0 with any position, and a reservoir of one card is
 * Waterman's Algorithm R: each item is as likely as any other. Sattolo's shuffle puts each item but the first to
 * position 0 with the same probability. */
TEST(the_first_card_has_a_law)
{
    static const struct {
        const char *text;
        size_t least; /* the first item that can be dealt */
    } shuffle[] = { { "naive-backward", 0 }, { "reservoir", 0 }, { "sattolo", 1 } };
    static const size_t n[] = { 3, 10, 52, 300, SB_POSITION_FIRST_MOST };

    for (size_t s = 0; s < sizeof shuffle / sizeof shuffle[0]; s++)
        for (size_t k = 0; k < sizeof n / sizeof n[0]; k++) {
            struct sb_evidence evidence;
            struct ready_scheme ready;
            mpq_t share;

            ready_open(shuffle[s].text, n[k], 1, &ready);
            assert_int_equal(sb_engine_position.law(&ready.law, NULL, &evidence), SB_OK);
            assert_int_equal(evidence.cells, n[k]);
            mpq_init(share);
            for (size_t i = 0; i < n[k]; i++) {
                sb_evidence_fraction(&evidence, i, share);
                assert_int_equal(mpq_cmp_ui(share, i >= shuffle[s].least, n[k] - shuffle[s].least), 0);
            }
            mpq_clear(share);
            sb_evidence_close(&evidence);
            sb_shuffler_close(&ready.shuffler);
        }
}
