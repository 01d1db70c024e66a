/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A page for people, with titles, paragraphs and tables, as text for terminals, as Markdown or as HTML. The caller
 * passes plain UTF-8. The functions convert the text to ASCII, escape characters and break lines as needed. */
#ifndef SB_REPORT_PAGE_H
#define SB_REPORT_PAGE_H

#include "core/evidence.h"
#include "report/result.h"

#include <jansson.h>
#include <stdarg.h>

/* columns of text: by default, and the least and the most that a terminal has */
enum { SB_PAGE_WIDTH = 100, SB_PAGE_LEAST = 40, SB_PAGE_MOST = 120 };

/* The meaning of a piece of text, shown as a colour if colours are on. */
enum sb_ink {
    SB_INK_PLAIN,
    SB_INK_STRONG,
    SB_INK_FAINT,
    SB_INK_OVER,  /* more frequent than in a fair shuffle */
    SB_INK_UNDER, /* less frequent than in a fair shuffle */
    SB_INK_GOOD,
    SB_INK_BAD,
    SB_INK_DOUBT,
    /* in HTML, the colour of a cell by how soon a bias is seen, from late to soon */
    SB_INK_HEAT1,
    SB_INK_HEAT2,
    SB_INK_HEAT3,
    SB_INK_HEAT4,
};

struct sb_page {
    FILE *stream;
    bool markdown, html; /* at most one is true; if both are false, the page is plain text */
    struct sb_look look;
    bool begun;         /* whether the page already has content */
    bool tight;         /* whether plain text has no empty lines between elements */
    const char *anchor; /* the prefix of the next heading's id; NULL: the heading has no id */
    size_t anchor_number;
    unsigned explained;    /* in HTML, the terms of the glossary that the page has explained so far */
    unsigned figures;      /* in HTML, number of figures so far, which are their ids */
    enum sb_status status; /* SB_NO_MEMORY after a failure; later calls do not reset the status */
};

/* Gives the next heading the id PREFIX-NUMBER in HTML, for sb_table_link(). `prefix` must outlive the heading. */
void sb_page_anchor(struct sb_page *page, const char *prefix, size_t number);

/* Returns how many columns sentences may fill. */
size_t sb_page_width(const struct sb_page *page);

__attribute__((format(printf, 3, 4))) void sb_page_title(struct sb_page *page, unsigned level, const char *format, ...);

/* Adds a paragraph. If `label` is not NULL, the paragraph begins with the label in `ink`. */
__attribute__((format(printf, 4, 5))) void sb_page_paragraph(struct sb_page *page, enum sb_ink ink, const char *label,
                                                             const char *format, ...);

/* For elements that other files lay out: the empty line before an element, colours, and escaped text.
 * sb_page_class() returns the class of an ink in HTML, and sb_page_terminal_class() that of the ink whose colour
 * sequence has this code; "": none. */
void sb_page_begin(struct sb_page *page);
void sb_page_ink(const struct sb_page *page, enum sb_ink ink);
void sb_page_ink_off(const struct sb_page *page, enum sb_ink ink);
const char *sb_page_class(enum sb_ink ink);
const char *sb_page_terminal_class(const char *code, size_t length);
void sb_page_rule(const struct sb_page *page, bool twofold, size_t width);
void sb_page_escape(const struct sb_page *page, const char *text);

/* Enclose preformatted lines, which are code in Markdown and <pre> in HTML. The caller writes lines that end in "\n"
 * to page->stream; text that HTML may have to escape goes through sb_page_code(). */
void sb_page_code_begin(struct sb_page *page);
void sb_page_code(const struct sb_page *page, const char *text);
void sb_page_code_end(const struct sb_page *page);

enum { SB_TABLE_COLUMNS_MOST = 64 };

struct sb_table_cell {
    char *text;       /* owned; NULL in a column of bars */
    double deviation; /* of the bar; NaN: no bar */
    enum sb_ink ink;
    const char *link; /* prefix of the id to which the cell links in HTML; NULL: no link */
    size_t link_number;
};

/* A figure of a table's numbers on an HTML page (picture.c). */
struct sb_picture {
    const char *kind;  /* "bars" of the second column; "curves" over the first one, or over its logarithm: "log" */
    const char *title; /* what it shows, in a few words */
};

struct sb_table {
    /* one letter per column, at most SB_TABLE_COLUMNS_MOST: l for left-aligned, r for right-aligned, b for a bar, which
     * must come last */
    const char *columns;
    const char *class;                /* in HTML, of data to copy, whose numbers are not typeset; NULL: none */
    const struct sb_picture *picture; /* NULL: none */
    size_t count, room;               /* number of cells, and capacity */
    struct sb_table_cell *cell;       /* [count]; owned */
    enum sb_status status;            /* SB_NO_MEMORY after a failure; later calls do not reset the status */
};

/* Begins a table with its row of titles: "order|paths". The title of a column of bars, which is its axis, is empty.
 * `columns` must outlive the table. */
__attribute__((format(printf, 3, 4))) void sb_table_begin(struct sb_table *table, const char *columns,
                                                          const char *titles, ...);
__attribute__((format(printf, 3, 4))) void sb_table_add(struct sb_table *table, enum sb_ink ink, const char *format,
                                                        ...);
/* Adds several cells: "%s|%zu". The values must not have a '|'. */
__attribute__((format(printf, 2, 3))) void sb_table_row(struct sb_table *table, const char *cells, ...);
/* Adds a cell of a column of bars, which shows a ratio's deviation from 1. In the row of titles it shows the axis. */
void sb_table_bar(struct sb_table *table, double deviation);
/* Makes the last cell a link to the heading with the anchor PREFIX-NUMBER. `prefix` must outlive the table. */
void sb_table_link(struct sb_table *table, const char *prefix, size_t number);
/* Prints the table, unless it has only titles, and frees its cells; an error sets the status of the page. */
void sb_table_end(struct sb_table *table, struct sb_page *page);

enum {
    SB_BAR_HALF_MOST = 24,                  /* the most columns of one side */
    SB_BAR_ROOM = 3 * SB_BAR_HALF_MOST + 1, /* bytes of one side, including the terminating 0 */
};

/* Returns the end of the axis for deviations (ratio - 1) up to `largest`: a round number, at least 0.01. */
double sb_bar_scale(double largest);

/* Draws the bar of a deviation as two texts, one for each side of the uniform line; for NaN, no bar. The bar is cut at
 * `-scale` and at `scale`. `left` is padded with blanks to `half` columns; `right` is not padded. */
void sb_bar_draw(double deviation, double scale, size_t half, bool unicode, char left[SB_BAR_ROOM],
                 char right[SB_BAR_ROOM]);

/* A sentence. Initialise it as { 0 }. */
struct sb_sentence {
    char *text;        /* [used]; followed by a zero byte; owned; NULL if no part has been added */
    size_t used, room; /* number of bytes in the text, and capacity */
    bool lost;         /* whether a part is missing because memory ran out; if so, the text must not be shown */
};

__attribute__((format(printf, 2, 3))) void sb_sentence_add(struct sb_sentence *s, const char *format, ...);
__attribute__((format(printf, 2, 0))) void sb_sentence_add_list(struct sb_sentence *s, const char *format,
                                                                va_list arguments);

/* Returns the text, which the caller frees; "" if no part was added; NULL if memory ran out. Empties the sentence. */
char *sb_sentence_take(struct sb_sentence *s);
void sb_sentence_close(struct sb_sentence *s);

/* Writes a positive number with three or more significant digits: "2.25", "9859", "1.25e12". */
void sb_sentence_number(double x, char text[32]);

/* The text of a number, for an expression: `sb_number_full(x).text`. */
struct sb_number {
    char text[336];
};

/* For programs: 17 significant digits, with a point or an exponent; empty if the number does not exist. If p has
 * underflowed to 0, its text comes from ln p, as `1.30000e-4521`, which programs read as 0. */
struct sb_number sb_number_full(double x);
struct sb_number sb_number_full_p(double p, double ln_p);

/* For people. A bound, x >= 0, that is rounded down or up remains one; a millionth of the last digit counts as a
 * rounding error. sb_number_general_up() is like "%.*g" of printf(). */
struct sb_number sb_number_short(double x, int digits);
struct sb_number sb_number_short_down(double x, int digits);
struct sb_number sb_number_short_up(double x, int digits);
struct sb_number sb_number_general_up(double x, int digits);
struct sb_number sb_number_fixed(double x, int decimals);
struct sb_number sb_number_fixed_down(double x, int decimals);
struct sb_number sb_number_fixed_up(double x, int decimals);
struct sb_number sb_number_given(double x);                 /* with as few digits as have the same value, from 6 */
struct sb_number sb_number_goal(double alpha);              /* what E must reach for an alarm: 1/alpha, rounded up */
struct sb_number sb_number_percent(double x, int decimals); /* 0.25: `25.00%` */
struct sb_number sb_number_p(double p, double ln_p);        /* a p-value: `0.532`, `1.3e-7`, `1.3e-4521` */
struct sb_number sb_number_exp(double x);                   /* e^x: `0.532`, `27.9`, `1.3e12`, `infinite` */
struct sb_number sb_number_power(int exponent);             /* at an axis: `0.01`, `100`, `10^6` */
struct sb_number sb_number_level(double alpha);             /* 1 - alpha: `99.9%`, `100(1-1e-15)%` */
struct sb_number sb_number_grouped(uint64_t x);             /* `10,000,000` */
struct sb_number sb_number_range(struct sb_number low, struct sb_number high); /* a dash alone if neither exists */
/* The ratio of a probability to the fair one, with four decimals below 1000, or `1+2.3e-7`. */
struct sb_number sb_number_ratio(double x);

/* Returns the decimals of percentages around 1/cells: `16.667%` of few cells, fewer digits of many. */
int sb_number_share_decimals(double cells);

/* Writes nothing if the numbers are doubles. */
void sb_exact_number(const struct sb_numbers *numbers, size_t i, FILE *stream);

/* Returns "exact", or "in part" if some of the probability is not resolved. */
const char *sb_exact_word(const struct sb_evidence *evidence);

/* The notation of the deal with a rank below evidence->cells. */
struct sb_notation {
    char text[SB_NOTATION_ROOM];
};
struct sb_notation sb_exact_notation(const struct sb_evidence *evidence, size_t rank);

/* Returns a fraction of at most `digits` digits, up to 20; empty if it is longer, or negative, which stands for
 * unknown. */
struct sb_number sb_exact_fraction(mpq_srcptr fraction, size_t digits);
/* The count of a rank as an unreduced fraction of the denominator (6/16, not 3/8), and a cell of the matrix in lowest
 * terms, of at most 16 digits; empty for doubles. */
struct sb_number sb_exact_over(const struct sb_evidence *evidence, size_t rank);
struct sb_number sb_exact_cell(const struct sb_evidence *evidence, size_t item, size_t position);

/* Does what fprintf() does, with a decimal point in every locale of the calling program (core/text.h). */
__attribute__((format(printf, 2, 3))) int sb_print(FILE *stream, const char *format, ...);

/* ---- typeset.c: text for browsers ---- */

/* Escape what XML reserves, and replace malformed UTF-8 and the control characters that XML forbids. The first `length`
 * bytes must end with a character. */
void sb_markup_text(FILE *stream, const char *text);
void sb_markup_part(FILE *stream, const char *text, size_t length);

/* Write a blank, and a coordinate with at most two decimals, or the attribute NAME="X". */
void sb_markup_number(FILE *stream, double x);
void sb_markup_attribute(FILE *stream, const char *name, double x);

/* Typesets powers, though not those of names like "run-1e5". A number does not end at `length` unless a blank follows,
 * or the text ends. */
void sb_typeset(const char *text, size_t length, FILE *stream);

/* The same for a cell of numbers: integers in groups of three digits, "1,262,050/4,096", and signs. */
void sb_typeset_cell(const char *text, FILE *stream);

/* Does the same for sentences: text between two backquotes becomes code, addresses and the titles of known works become
 * links, and lines break neither within an equation such as "n = 3" nor within a product. If `explained` is not NULL,
 * the terms of the glossary whose bits are not set in *explained get an explanation. */
void sb_prose(const char *text, unsigned *explained, FILE *stream);

/* Only escapes characters, and keeps equations on one line. */
void sb_prose_title(const char *text, FILE *stream);

/* Writes the list of the terms whose bits are set in `explained`. */
void sb_glossary_list(unsigned explained, FILE *stream);

/* The output of figures. Colours are classes that html/figure.css defines. */
struct sb_svg {
    FILE *stream;
    unsigned id;           /* number of the last figure; unique on a page */
    enum sb_status status; /* SB_NO_MEMORY after a failure; later calls do not reset the status */
};

/* Write elements. `class` is one class, or several separated by blanks; of a text, it says which point of the text is
 * at x: "start", "middle" or "end". */
void sb_svg_line(struct sb_svg *svg, const char *class, double x1, double y1, double x2, double y2);
void sb_svg_circle(struct sb_svg *svg, const char *class, double x, double y, double radius);
/* Writes the data of a path of the class "hatch" that hatches a rectangle with lines at 45 degrees, `step` apart. */
void sb_svg_hatch(struct sb_svg *svg, double x, double y, double width, double height, double step);
void sb_svg_rect(struct sb_svg *svg, const char *class, double x, double y, double width, double height);
__attribute__((format(printf, 5, 6))) void sb_svg_text(struct sb_svg *svg, const char *class, double x, double y,
                                                       const char *format, ...);

/* Begins a figure. box: x, y, width, height. `text` says how to read the figure. */
void sb_svg_figure(struct sb_svg *svg, const char *name, const double box[4], const char *title, const char *text);

/* Begins the figure of a table, up to its data. */
void sb_picture_begin(const struct sb_table *table, struct sb_page *page);

struct sb_html {
    FILE *stream;
    struct sb_page page; /* writes paragraphs and tables to the same stream */
    size_t side;         /* the most rows and columns of blocks in a matrix */
    bool brief;          /* whether the page has a single legend, instead of one below each figure */
    bool alone;          /* whether a report has a single scheme */
};

/* The files of report/html as strings, which Meson makes. */
extern const char sb_asset_figure_css[];                      /* for figures in pages and in files of their own */
extern const char sb_asset_style_css[], sb_asset_script_js[]; /* for all pages */
extern const char sb_asset_stepper_css[], sb_asset_stepper_js[], sb_asset_play_css[], sb_asset_play_js[];
extern const char sb_asset_lesson_css[], sb_asset_lesson_js[], sb_asset_experiments_js[]; /* for the course */
/* the Content-Security-Policy, which allows the strings above by their hashes */
extern const char sb_asset_policy[];

/* Writes the document up to its first heading; `title` is the title of the window. `styles` are additional ones of the
 * above, and then NULL; or NULL. */
void sb_html_open(const char *title, const char *const styles[], FILE *stream, struct sb_html *html);

/* Writes a command line in a box, which scrolls: broken lines would divide options. */
void sb_html_command(const char *command, FILE *stream);
void sb_html_close(struct sb_html *html);

/*
 * Pages whose text is data: data/pages of commands, and data/lessons. The text is Markdown with marks, where values
 * stand (template.c), which are expressions (expression.c). template.c fills the marks, and writes the text
 * to a page.
 */

enum { SB_TEMPLATE_NUMBER_ROOM = 32 };

/* A part of a page's text: "@title Three cards". Meson generates the list. */
struct sb_template_part {
    const char *page; /* "three-cards" */
    const char *name; /* "title" */
    const char *text; /* without a newline at its end */
};

extern const struct sb_template_part sb_template_parts[];
extern const size_t sb_template_parts_count;

/* A text that is being written. After an error, the functions below do nothing. */
struct sb_template {
    struct sb_page *page;
    struct sb_error *error; /* may be NULL */
    enum sb_status status;  /* the first error */
    json_t *names;          /* an object: the values that marks know by a name; owned */
    json_t *kept;           /* an array: values without a name; owned */
    /* what a text may have beside: the JSON of a command, and blocks of code with a name, whose lines end in "\n";
     * NULL: it has none */
    json_t *(*command)(struct sb_template *template, const char *command);
    void (*block)(struct sb_template *template, const char *name, char *block);
    const void *result; /* for `block`; NULL: none */
};

/* Returns a part of a page's text; NULL if there is none. */
const char *sb_template_part(const char *page, const char *name);

/* Writes data/pages/NAME.md, whose marks know the members of the result's JSON, whether the page is `html`, and what
 * `more` adds, which may be NULL. An error sets the status of the page. */
void sb_template_page(const char *name, const struct sb_result_type *type, const void *result,
                      bool (*more)(struct sb_template *template, const void *result), struct sb_page *page);

/* Adds a part of a page's text, whose marks know the values. Takes over a reference; NULL means that memory ran out. */
void sb_sentence_fill(struct sb_sentence *s, const char *page, const char *part, json_t *values);

/* Fails because a text has an error here. */
void sb_template_fault(struct sb_template *template, const char *at);

/* ---- expression.c ---- */

/* Reads an expression and moves *at behind the expression. */
json_t *sb_template_read(struct sb_template *template, const char **at);
/* Reads an identifier; moves *at in the same way. */
void sb_template_word(const char **at, char word[SB_TEMPLATE_NUMBER_ROOM]);
double sb_template_number(json_t *value);
/* Returns the value as text, which may stand in `room`. */
const char *sb_template_text(json_t *value, char room[SB_TEMPLATE_NUMBER_ROOM]);
/* Gives a value a name. Takes over a reference; NULL means that memory ran out. */
void sb_template_name(struct sb_template *template, const char *name, json_t *value);

/* ---- template.c ---- */

/* Returns the text with its marks filled, which the caller frees; NULL after an error. */
char *sb_template_fill(struct sb_template *template, const char *text);
/* Writes a text without marks to the page; destroys the text. */
void sb_template_markdown(struct sb_template *template, char *text);

#endif
