/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The zoo in two formats for programs: JSON, one object (RFC 8259; data/schema/zoo-1.json), and CSV (RFC
 * 4180), with a line per shuffle and statistic.
 */
#include "study/zoo/zoo_text.h"

#include "report/json_writer.h"
#include "report/number.h"

#include <math.h>

static void zoo_json_row(struct sb_json *json, const struct sb_zoo *zoo, const struct sb_zoo_row *row)
{
    sb_json_object(json, NULL);
    sb_json_string(json, "shuffle", row->name);
    sb_json_bool(json, "fair", row->fair);
    if (zoo->test) {
        sb_json_integer(json, "runs", row->runs);
        sb_json_integer(json, "passed", row->passed);
        sb_json_close(json);
        return;
    }
    sb_json_string(json, "by", row->exact ? "law" : "runs");
    sb_json_array(json, "needed", true);
    for (size_t i = 0; i < zoo->columns; i++)
        sb_json_real(json, NULL, isinf(row->needed[i]) ? NAN : row->needed[i]);
    sb_json_close(json);
    sb_json_close(json);
}

void sb_zoo_json(const void *result, struct sb_json *json)
{
    const struct sb_zoo *const zoo = result;

    sb_json_integer(json, "n", zoo->n);
    sb_json_integer(json, "deal", zoo->deal);
    sb_json_integer(json, "samples", zoo->samples);
    sb_json_integer(json, "seeds", zoo->seeds);
    sb_json_string(json, "test", zoo->test);
    sb_json_real(json, "alpha", zoo->test ? NAN : zoo->alpha);
    sb_json_array(json, "statistics", true);
    for (size_t i = 0; i < zoo->columns; i++)
        sb_json_string(json, NULL, zoo->column[i]);
    sb_json_close(json);
    sb_json_array(json, "shuffles", false);
    for (size_t i = 0; i < zoo->rows; i++)
        zoo_json_row(json, zoo, &zoo->row[i]);
    sb_json_close(json);
}

void sb_zoo_csv(const void *result, FILE *stream)
{
    const struct sb_zoo *const zoo = result;

    fputs(zoo->test ? "shuffle,fair,runs,passed\n" : "shuffle,fair,by,statistic,needed\n", stream);
    for (size_t i = 0; i < zoo->rows; i++) {
        const struct sb_zoo_row *const row = &zoo->row[i];
        const char *const fair = row->fair ? "true" : "false";

        if (zoo->test)
            fprintf(stream, "\"%s\",%s,%zu,%zu\n", row->name, fair, row->runs, row->passed);
        for (size_t j = 0; j < zoo->columns; j++)
            fprintf(stream, "\"%s\",%s,%s,%s,%s\n", row->name, fair, row->exact ? "law" : "runs",
                    zoo->column[j], isfinite(row->needed[j]) ? sb_number_full(row->needed[j]).text : "");
    }
}
