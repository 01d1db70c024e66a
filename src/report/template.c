/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The marks in the text of a page; expression.c describes expressions:
 *
 *     {{x}}                                a value
 *     {{x | grouped}}                      a rounded integer with separators: 10,000,000
 *     {{x | short 3}} {{x | fixed 3}}      three significant digits, three decimals
 *     {{x | percent 2}}                    0.25 as 25.00%
 *     {{x | given}} {{x | ratio}}          as its user gave it, and as sb_number_ratio() says
 *     {{x | known 3}}                      as `fixed`, but nothing for null
 *     {{x | shuffles}} {{x | unit}}        a number of shuffles, and a number like 20k
 *     {{x | goal}}                         what E must reach at the level x
 *     {{set name = x}}                     gives a value a name
 *     {{rows name = x}}                    the items of a Markdown list, "- a | b", each as an array of its texts
 *     {{for name in x}} ... {{end}}        for each element of an array
 *     {{for name in 1, 'b'}} ... {{end}}   for each of these values
 *     {{if x}} ... {{else}} ... {{end}}    if x is neither 0 nor an empty text
 *     {{include x}}                        fills the marks of a text, and inserts the text
 *
 * `set`, `rows`, `for`, `if`, `else` and `end` that have a line to themselves leave no empty line. In a line that
 * begins with "<", which is HTML, values are escaped.
 */
#include "core/system.h"
#include "core/text.h"
#include "report/page.h"

/*
 * A subset of Markdown: headings, paragraphs, tables, blocks of code, and in HTML lines of HTML. A paragraph may begin
 * with a label, "**Ratio:** to a fair share". A line "![TITLE](KIND)" before a table makes a figure of it (picture.c).
 * A block of code may name what its lines are; the block "text" is the only one in other formats than HTML. A cell of a
 * table may begin with a colour: "{over} 1.2".
 */

/* Ends the line with 0; returns the next line. */
static char *markdown_line(char *line)
{
    char *const end = line + strcspn(line, "\n");

    if (!*end)
        return end;
    *end = '\0';
    return end + 1;
}

/* Writes a paragraph, which may begin with a **label**; returns the line after it. */
static char *markdown_paragraph(struct sb_template *template, char *text)
{
    char *end = text, *next = text, *label = NULL;

    do {
        end = next + strcspn(next, "\n");
        next = end + (*end == '\n');
        *end = *next ? ' ' : *end;
    } while (*next && !strchr("\n<|#", *next) && strncmp(next, "```", 3) != 0 && strncmp(next, "**", 2) != 0);
    *end = '\0';
    end = strncmp(text, "**", 2) == 0 ? strstr(text + 2, "**") : NULL;
    if (end) {
        label = text + 2;
        *end = '\0';
        text = end + strlen("** ");
    }
    sb_page_paragraph(template->page, label ? SB_INK_STRONG : SB_INK_PLAIN, label, "%s", text);
    return next;
}

/* ---- tables ---- */

/* Cuts the next cell out of a row and returns its text without blanks around it; NULL beyond the last cell. */
static char *markdown_cell(char **row)
{
    char *const cell = *row + strspn(*row, " "), *end = strchr(cell, '|');

    if (!end)
        return NULL;
    *row = end + 1;
    while (end > cell && end[-1] == ' ')
        end--;
    *end = '\0';
    return cell;
}

/* Takes a colour away from the beginning of a cell; `usual` is that of a cell without one. */
static enum sb_ink markdown_ink(const char **cell, enum sb_ink usual)
{
    static const struct {
        const char *name;
        enum sb_ink ink;
    } inks[] = {
        { "{over}", SB_INK_OVER },   { "{under}", SB_INK_UNDER }, { "{good}", SB_INK_GOOD },
        { "{bad}", SB_INK_BAD },     { "{doubt}", SB_INK_DOUBT }, { "{strong}", SB_INK_STRONG },
        { "{faint}", SB_INK_FAINT }, { "{heat1}", SB_INK_HEAT1 }, { "{heat2}", SB_INK_HEAT2 },
        { "{heat3}", SB_INK_HEAT3 }, { "{heat4}", SB_INK_HEAT4 },
    };

    for (size_t i = 0; i < sizeof inks / sizeof inks[0]; i++)
        if (strncmp(*cell, inks[i].name, strlen(inks[i].name)) == 0) {
            *cell += strlen(inks[i].name);
            *cell += strspn(*cell, " ");
            return inks[i].ink;
        }
    return usual;
}

/* Adds the cells of a row, which begins with "|". */
static void markdown_row(struct sb_table *table, char *row, enum sb_ink usual)
{
    row++;
    for (const char *cell = markdown_cell(&row); cell; cell = markdown_cell(&row)) {
        const enum sb_ink ink = markdown_ink(&cell, usual);

        sb_table_add(table, ink, "%s", cell);
    }
}

/* Reads how the columns are aligned: "|---|--:|" is "lr". */
static void markdown_columns(char *row, char columns[SB_TABLE_COLUMNS_MOST + 1])
{
    size_t count = 0;

    row++;
    for (const char *cell = markdown_cell(&row); cell && count < SB_TABLE_COLUMNS_MOST; cell = markdown_cell(&row))
        columns[count++] = cell[strlen(cell) - 1] == ':' ? 'r' : 'l';
    columns[count] = '\0';
}

/* Writes a table, with a picture unless this is NULL; returns the line after the table. */
static char *markdown_table(struct sb_template *template, const struct sb_picture *picture, char *titles)
{
    char *const second = markdown_line(titles), *line = markdown_line(second);
    char columns[SB_TABLE_COLUMNS_MOST + 1];
    struct sb_table table = { .columns = columns, .picture = picture };

    markdown_columns(second, columns);
    markdown_row(&table, titles, SB_INK_STRONG);
    while (*line == '|') {
        char *const next = markdown_line(line);

        markdown_row(&table, line, SB_INK_PLAIN);
        line = next;
    }
    sb_table_end(&table, template->page);
    return line;
}

/* Writes a table after the line "![TITLE](KIND)"; returns the line after the table. */
static char *markdown_picture(struct sb_template *template, char *line)
{
    char *const titles = markdown_line(line), *state, *const title = strtok_r(line, "![]()", &state);
    const char *const kind = strtok_r(NULL, "![]()", &state);

    return markdown_table(template, &(const struct sb_picture) { kind, title }, titles);
}

/* ---- blocks ---- */

/* Writes a block of code, which starts at `line`; returns the line after the block. */
static char *markdown_block(struct sb_template *template, char *line)
{
    const char *const name = line + strlen("```");
    char *const block = markdown_line(line), *const end = strstr(block, "```");

    if (!end) {
        sb_template_fault(template, line);
        return block + strlen(block);
    }
    char *const next = markdown_line(end);

    *end = '\0';
    if (strcmp(name, "text") == 0) {
        sb_page_code_begin(template->page);
        sb_page_code(template->page, block);
        sb_page_code_end(template->page);
        return next;
    }
    if (*name && template->block) {
        template->block(template, name, block);
        return next;
    }
    fputs("<pre><code>", template->page->stream);
    sb_markup_text(template->page->stream, block);
    fputs("</code></pre>\n", template->page->stream);
    return next;
}

void sb_template_markdown(struct sb_template *template, char *text)
{
    bool gap = true;

    while (*text && template->status == SB_OK) {
        if (*text == '\n') {
            gap = true;
            text++;
            continue;
        }
        template->page->tight = !gap; /* plain text has empty lines where its source has them */
        gap = false;
        if (*text == '|') {
            text = markdown_table(template, NULL, text);
        } else if (strncmp(text, "![", 2) == 0) {
            text = markdown_picture(template, text);
        } else if (strncmp(text, "```", 3) == 0) {
            text = markdown_block(template, text);
        } else if (*text == '<' || *text == '#') {
            char *const next = markdown_line(text);
            const unsigned level = text[0] == '#' ? (unsigned)strspn(text, "#") : 0;

            if (level)
                sb_page_title(template->page, level, "%s", text + level + 1);
            else /* the text of a list's item follows on the same line */
                fprintf(template->page->stream, "%s%s", text, strcmp(text, "<li>") == 0 ? "" : "\n");
            text = next;
        } else {
            text = markdown_paragraph(template, text);
        }
    }
    template->page->tight = false;
}

/* A text whose marks are being filled. */
struct marked {
    struct sb_template *template;
    const char *text;
    FILE *out;
};

static bool template_is(const char *mark, const char *word)
{
    const size_t length = strlen(word);

    return *mark && strncmp(mark + 2, word, length) == 0 && strchr(" }", mark[2 + length]);
}

/* Returns the text behind a mark and, if the mark has a line to itself, behind this line. */
static const char *template_after(const struct marked *marked, const char *mark)
{
    const char *const end = strstr(mark, "}}");

    if (!end) {
        sb_template_fault(marked->template, mark);
        return mark + strlen(mark);
    }
    const bool begins = mark == marked->text || mark[-1] == '\n';

    return end + 2 + (begins && end[2] == '\n');
}

static const char *template_run(const struct marked *marked, const char *at, bool live);

/* Runs the text of a loop for one value. Returns the mark that ends the loop. */
static const char *template_round(const struct marked *marked, const char *body, const char *name, json_t *value)
{
    sb_template_name(marked->template, name, json_incref(value));
    return template_run(marked, body, true);
}

/* Runs a loop. Returns the mark that ends the loop, or NULL if there was nothing to run it for. */
static const char *template_rounds(const struct marked *marked, const char *at, const char *body)
{
    struct sb_template *const template = marked->template;
    char name[SB_TEMPLATE_NUMBER_ROOM], in[SB_TEMPLATE_NUMBER_ROOM];
    const char *end = NULL;

    sb_template_word(&at, name);
    sb_template_word(&at, in);
    do {
        json_t *const value = sb_template_read(template, &at);

        if (!json_is_array(value))
            end = template_round(marked, body, name, value);
        for (size_t i = 0; i < json_array_size(value); i++)
            end = template_round(marked, body, name, json_array_get(value, i));
    } while (*at++ == ',');
    return end;
}

static const char *template_for(const struct marked *marked, const char *mark, bool live)
{
    const char *const body = template_after(marked, mark);
    const char *end = live ? template_rounds(marked, mark + strlen("{{for"), body) : NULL;

    if (!end)
        end = template_run(marked, body, false);
    return template_after(marked, end);
}

static const char *template_if(const struct marked *marked, const char *mark, bool live)
{
    const char *at = mark + strlen("{{if");
    char room[SB_TEMPLATE_NUMBER_ROOM];
    bool yes = false;

    if (live) {
        const char *const text = sb_template_text(sb_template_read(marked->template, &at), room);

        yes = text[0] && strcmp(text, "0") != 0;
    }
    const char *end = template_run(marked, template_after(marked, mark), live && yes);

    if (template_is(end, "else"))
        end = template_run(marked, template_after(marked, end), live && !yes);
    return template_after(marked, end);
}

/* Reads "name = x". */
static json_t *template_assigned(const struct marked *marked, const char *at, char name[SB_TEMPLATE_NUMBER_ROOM])
{
    sb_template_word(&at, name);
    at += strspn(at, " =");
    return sb_template_read(marked->template, &at);
}

static void template_set(const struct marked *marked, const char *at)
{
    char name[SB_TEMPLATE_NUMBER_ROOM];
    json_t *const value = template_assigned(marked, at, name);

    sb_template_name(marked->template, name, json_incref(value));
}

/* Splits an item of a list at each " | ", and joins its lines. */
static json_t *template_row(char *item)
{
    json_t *const row = json_array();

    for (char *at = item; (at = strchr(at, '\n'));)
        *at = at[1] ? ' ' : '\0';
    for (char *bar; item; item = bar ? bar + strlen(" | ") : NULL) {
        bar = strstr(item, " | ");
        if (json_array_append_new(row, json_stringn(item, bar ? (size_t)(bar - item) : strlen(item)))) {
            json_decref(row);
            return NULL;
        }
    }
    return row;
}

/* Names the rows of a list, whose marks it fills first. */
static void template_rows(const struct marked *marked, const char *at)
{
    struct sb_template *const template = marked->template;
    char name[SB_TEMPLATE_NUMBER_ROOM], room[SB_TEMPLATE_NUMBER_ROOM];
    char *const text = sb_template_fill(template, sb_template_text(template_assigned(marked, at, name), room));
    json_t *const rows = json_array();

    sb_template_name(template, name, rows);
    for (char *item = text && strncmp(text, "- ", 2) == 0 ? text : NULL, *next; item; item = next) {
        next = strstr(item, "\n- ");
        if (next)
            *next++ = '\0';
        if (json_array_append_new(rows, template_row(item + strlen("- "))))
            template->status = sb_error_memory(template->error, "a text");
    }
    free(text);
}

static void template_include(const struct marked *marked, const char *at)
{
    char room[SB_TEMPLATE_NUMBER_ROOM];
    struct marked part = *marked;

    part.text = sb_template_text(sb_template_read(marked->template, &at), room);
    template_run(&part, part.text, true);
}

static struct sb_number template_grouped(json_t *value)
{
    return sb_number_grouped(json_is_string(value) ? strtoull(json_string_value(value), NULL, 10)
                                                   : (uint64_t)llround(sb_template_number(value)));
}

/* A number of shuffles: with all digits if it is below 10^15, otherwise with six digits. A number that need not be an
 * integer is a lower bound, and is rounded down. */
static struct sb_number template_shuffles(double x)
{
    return x == floor(x) || isnan(x) ? x < 1e15 ? sb_number_fixed(x, 0) : sb_number_short(x, 6)
                                     : sb_number_fixed_down(x, x < 100 ? 2 : 0);
}

/* With three digits at most, in thousands (k), millions and so on. */
static struct sb_number template_unit(double x)
{
    static const char unit[] = " kMGT";
    struct sb_number number = { "" };
    double shown = x;
    size_t i = 0;

    for (; shown >= 999.5 && unit[i + 1]; i++)
        shown /= 1000;
    if (shown >= 999.5)
        sb_decimal_format(number.text, sizeof number.text, "%.1e", x);
    else if (i)
        sb_decimal_format(number.text, sizeof number.text, shown < 9.95 ? "%.1f%c" : "%.0f%c", shown, unit[i]);
    else
        sb_decimal_format(number.text, sizeof number.text, "%.0f", shown);
    return number;
}

typedef struct sb_number template_of(double x), template_with(double x, int digits);

/* Formats of a number, some of them with a number of digits or decimals. */
static const struct {
    const char *name;
    template_of *of;
    template_with *with;
} template_formats[] = {
    { "short", .with = sb_number_short },     { "fixed", .with = sb_number_fixed },
    { "percent", .with = sb_number_percent }, { "given", .of = sb_number_given },
    { "ratio", .of = sb_number_ratio },       { "shuffles", .of = template_shuffles },
    { "unit", .of = template_unit },          { "goal", .of = sb_number_goal },
    { "known", .with = sb_number_fixed },
};

/* Returns the number in the format that stands behind "|". */
static struct sb_number template_format(struct sb_template *template, json_t *value, const char *at)
{
    const double x = sb_template_number(value);
    char word[SB_TEMPLATE_NUMBER_ROOM];

    sb_template_word(&at, word);
    const int digits = (int)sb_decimal_read(at);

    if (strcmp(word, "grouped") == 0)
        return template_grouped(value);
    if (strcmp(word, "known") == 0 && isnan(x))
        return (struct sb_number) { "" };
    for (size_t i = 0; i < sizeof template_formats / sizeof template_formats[0]; i++) {
        if (strcmp(word, template_formats[i].name) != 0)
            continue;
        if (template_formats[i].of)
            return template_formats[i].of(x);
        return template_formats[i].with(x, digits);
    }
    sb_template_fault(template, word);
    return sb_number_fixed(x, digits);
}

static void template_value(const struct marked *marked, const char *mark)
{
    const char *at = mark + 2, *line = mark;
    char room[SB_TEMPLATE_NUMBER_ROOM];
    json_t *const value = sb_template_read(marked->template, &at);
    struct sb_number number;
    const char *text = sb_template_text(value, room);

    if (*at == '|') {
        number = template_format(marked->template, value, at + 1);
        text = number.text;
    } else if (*at != '}') {
        sb_template_fault(marked->template, mark);
    }
    while (line > marked->text && line[-1] != '\n')
        line--;
    if (*line == '<')
        sb_typeset(text, strlen(text), marked->out);
    else
        fputs(text, marked->out);
}

/* Fills one mark; returns the text behind it. */
static const char *template_mark(const struct marked *marked, const char *mark, bool live)
{
    if (template_is(mark, "for"))
        return template_for(marked, mark, live);
    if (template_is(mark, "if"))
        return template_if(marked, mark, live);
    if (template_is(mark, "set") || template_is(mark, "rows")) {
        if (live && template_is(mark, "set"))
            template_set(marked, mark + strlen("{{set"));
        else if (live)
            template_rows(marked, mark + strlen("{{rows"));
        return template_after(marked, mark);
    }
    if (live && template_is(mark, "include"))
        template_include(marked, mark + strlen("{{include"));
    else if (live)
        template_value(marked, mark);
    const char *const end = strstr(mark, "}}");

    return end ? end + 2 : mark + strlen(mark);
}

/* Writes the text up to the mark that ends its block, and returns this mark, or the end of the text. Writes and
 * computes nothing if the text is not `live`. */
static const char *template_run(const struct marked *marked, const char *at, bool live)
{
    while (marked->template->status == SB_OK) {
        const char *const found = strstr(at, "{{"), *const mark = found ? found : at + strlen(at);

        if (live)
            fwrite(at, 1, (size_t)(mark - at), marked->out);
        if (!found || template_is(mark, "end") || template_is(mark, "else"))
            return mark;
        at = template_mark(marked, mark, live);
    }
    return at + strlen(at);
}

char *sb_template_fill(struct sb_template *template, const char *text)
{
    char *filled = NULL;
    size_t length;
    FILE *const stream = template->status ? NULL : sb_memory_stream_open(&filled, &length);

    if (stream)
        template_run(&(const struct marked) { template, text, stream }, text, true);
    if (!sb_memory_stream_close(stream, &filled) && template->status == SB_OK)
        template->status = sb_error_memory(template->error, "the text");
    if (template->status == SB_OK)
        return filled;
    free(filled);
    return NULL;
}

const char *sb_template_part(const char *page, const char *name)
{
    for (size_t i = 0; i < sb_template_parts_count; i++)
        if (strcmp(sb_template_parts[i].page, page) == 0 && strcmp(sb_template_parts[i].name, name) == 0)
            return sb_template_parts[i].text;
    return NULL;
}

void sb_sentence_fill(struct sb_sentence *s, const char *page, const char *part, json_t *values)
{
    struct sb_template template = { .names = values, .kept = json_array() };
    char *const text = values && template.kept ? sb_template_fill(&template, sb_template_part(page, part)) : NULL;

    json_decref(template.kept);
    json_decref(values);
    s->lost = s->lost || !text;
    sb_sentence_add(s, "%s", text ? text : "");
    free(text);
}

void sb_template_page(const char *name, const struct sb_result_type *type, const void *result,
                      bool (*more)(struct sb_template *template, const void *result), struct sb_page *page)
{
    struct sb_template template = { .page = page, .kept = json_array(), .result = result };
    json_error_t fault;
    size_t length;
    char *json = NULL;

    template.status = sb_result_text(type, result, "json", NULL, NULL, &json, &length);
    template.names = json ? sb_json_load_text(json, length, &fault) : NULL;
    if (!template.kept || !template.names || json_object_set_new(template.names, "html", json_boolean(page->html)) ||
        (more && !more(&template, result)))
        template.status = SB_NO_MEMORY;
    char *const text = sb_template_fill(&template, sb_template_part(name, "text"));

    if (text)
        sb_template_markdown(&template, text);
    if (template.status)
        page->status = template.status;
    sb_text_free(text);
    sb_text_free(json);
    json_decref(template.names);
    json_decref(template.kept);
}
