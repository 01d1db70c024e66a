/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tree of draws. Lines lead from the root on the left to the leaves, and from each leaf to its order, a bar on the
 * right whose height is proportional to the number of paths. If the user chooses an order, its paths are highlighted.
 * In a tree of many paths, those with the same answers so far are one band, up to the last draw after which there are
 * at most TREE_BUNDLES of them. Cost: the number of paths times that of orders, or the square of that of paths. */
#include "study/figure/figure.h"

#include "study/explain/explain.h"

#include <inttypes.h>

enum {
    TREE_TOP = 24,       /* space for the lines of text above the tree */
    TREE_DRAWS = 168,    /* width of the tree itself */
    TREE_FLOW = 80,      /* width from the leaves to the orders */
    TREE_BAR = 10,       /* width of an order's bar */
    TREE_LABEL = 100,    /* width of an order's label */
    TREE_HEIGHT = 420,   /* approximate height of all leaves together */
    TREE_STEP_LEAST = 3, /* the least distance between leaves */
    TREE_STEP_MOST = 18,
    TREE_ROW = 15,         /* the least height of an order's row */
    TREE_GAP = 5,          /* distance between orders */
    TREE_ORDERS_TOLD = 24, /* of more orders, rows have no text and are lower */
    TREE_ROW_LOW = 3,
    TREE_GAP_LOW = 1,
    TREE_BUNDLES = 64,
    TREE_ANSWER_LEAST = 12, /* the least height of a branch whose answer is shown */
    TREE_WORD = 48,         /* total width of the word above the draws and of the first number after the word */
};

/* The layout of the tree. */
struct tree_plan {
    const struct sb_explain *tree;
    size_t depth;       /* number of draws that are shown */
    bool bundled, told; /* whether paths are bundled, and whether rows have text */
    double step, unit;  /* distance between leaves, and height of a path at its order */
    double gap, least;  /* distance between orders, and the least height of a row */
    /* y coordinate of the top of the leaves, and y coordinate of the top of the orders */
    double leaves, rows;
    double width, height; /* width of one draw, and height of the figure */
};

static const struct sb_explain *tree_of(const struct sb_scene *scene)
{
    return scene->pair.exact ? scene->pair.exact->tree : NULL;
}

static bool tree_has(const struct sb_scene *scene)
{
    return tree_of(scene);
}

static double tree_row(const struct tree_plan *plan, size_t rank)
{
    return fmax((double)plan->tree->order[rank].paths * plan->unit, plan->least);
}

/* Returns the number of different series of answers to this number of draws. */
static size_t tree_nodes(const struct sb_explain *tree, size_t depth)
{
    size_t nodes = 0;

    for (size_t i = 0; i < tree->paths_count; i++)
        nodes += i == 0 || sb_path_common(tree, i - 1, i) < depth;
    return nodes;
}

static struct tree_plan tree_plan(const struct sb_scene *scene)
{
    const struct sb_explain *const tree = tree_of(scene);
    struct tree_plan plan = { .tree = tree, .depth = sb_path_depth(tree) };
    double rows = 0;

    plan.bundled = tree->paths_count > TREE_BUNDLES;
    plan.told = tree->orders_count <= TREE_ORDERS_TOLD;
    plan.gap = plan.told ? TREE_GAP : TREE_GAP_LOW;
    plan.least = plan.told ? TREE_ROW : TREE_ROW_LOW;
    while (plan.bundled && plan.depth > 1 && tree_nodes(tree, plan.depth) > TREE_BUNDLES)
        plan.depth--;
    plan.step = floor(TREE_HEIGHT / (double)tree->paths_count);
    plan.step = fmin(fmax(plan.step, TREE_STEP_LEAST), TREE_STEP_MOST);
    plan.unit = plan.step;
    if (plan.bundled) {
        plan.step = TREE_HEIGHT / (double)tree->paths_count;
        plan.unit = plan.step / 2;
    }
    plan.width = (double)TREE_DRAWS / (double)plan.depth;
    for (size_t rank = 0; rank < tree->orders_count; rank++)
        rows += tree_row(&plan, rank) + (rank ? plan.gap : 0);
    const double leaves = (double)tree->paths_count * plan.step;

    plan.height = TREE_TOP + fmax(rows, leaves);
    plan.leaves = TREE_TOP + fmax(rows - leaves, 0) / 2;
    plan.rows = TREE_TOP + fmax(leaves - rows, 0) / 2;
    return plan;
}

static void tree_measure(const struct sb_scene *scene, double *width, double *height)
{
    *width = TREE_DRAWS + TREE_FLOW + TREE_BAR + TREE_LABEL;
    *height = tree_plan(scene).height + 4;
}

/* The paths that share a path's first `depth` draws. */
struct tree_node {
    size_t first, count;
    double y, top; /* y coordinates of their middle, and of the top of their band */
};

static struct tree_node tree_node_of(const struct tree_plan *plan, size_t path, size_t depth)
{
    size_t first = path, last = path;

    while (first > 0 && sb_path_common(plan->tree, path, first - 1) >= depth)
        first--;
    while (last + 1 < plan->tree->paths_count && sb_path_common(plan->tree, path, last + 1) >= depth)
        last++;
    const double count = (double)(last + 1 - first), y = plan->leaves + ((double)first + count / 2) * plan->step;

    return (struct tree_node) { first, last + 1 - first, y, y - count * plan->unit / 2 };
}

/* Returns the y coordinate of the top of an order's bar. */
static double tree_bar(const struct tree_plan *plan, size_t order)
{
    double y = plan->rows;

    for (size_t rank = 0; rank < order; rank++)
        y += tree_row(plan, rank) + plan->gap;
    return y + (tree_row(plan, order) - (double)plan->tree->order[order].paths * plan->unit) / 2;
}

static double tree_end(const struct tree_plan *plan, size_t path)
{
    const size_t order = plan->tree->path[path].rank;
    double y = tree_bar(plan, order);

    for (size_t before = 0; before < path; before++)
        y += plan->tree->path[before].rank == order ? plan->unit : 0;
    return y + plan->unit / 2;
}

static void tree_move(double x, double y, FILE *stream)
{
    fputc('M', stream);
    sb_markup_number(stream, x);
    sb_markup_number(stream, y);
}

static void tree_curve(double x0, double y0, double x1, double y1, FILE *stream)
{
    const double part[] = { (x0 + x1) / 2, y0, (x0 + x1) / 2, y1, x1, y1 };

    fputc('C', stream);
    for (size_t i = 0; i < sizeof part / sizeof part[0]; i++)
        sb_markup_number(stream, part[i]);
}

/* Draws the branch of a path from its node at this depth. The branch of the path's last draw continues to the
 * column of the leaves. */
static void tree_branch(const struct tree_plan *plan, size_t path, size_t depth, FILE *stream)
{
    const double x = (double)depth * plan->width;

    tree_curve(x, tree_node_of(plan, path, depth).y, x + plan->width, tree_node_of(plan, path, depth + 1).y, stream);
    if (depth + 1 == plan->tree->path[path].length)
        fprintf(stream, "H%d", TREE_DRAWS);
}

static void tree_branches(const struct tree_plan *plan, FILE *stream)
{
    fputs("<path class=\"branches\" d=\"", stream);
    for (size_t i = 0; i < plan->tree->paths_count; i++)
        for (size_t d = i ? sb_path_common(plan->tree, i - 1, i) : 0; d < plan->tree->path[i].length; d++) {
            tree_move((double)d * plan->width, tree_node_of(plan, i, d).y, stream);
            tree_branch(plan, i, d, stream);
        }
    fputs("\"/>\n", stream);
}

static void tree_answers(const struct tree_plan *plan, struct sb_svg *svg)
{
    for (size_t i = 0; i < plan->tree->paths_count; i++)
        for (size_t d = i ? sb_path_common(plan->tree, i - 1, i) : 0; d < plan->tree->path[i].length && d < plan->depth;
             d++) {
            const struct tree_node node = tree_node_of(plan, i, d + 1);

            if ((double)node.count * plan->step >= TREE_ANSWER_LEAST)
                sb_svg_text(svg, "end answer", (double)(d + 1) * plan->width - 3, node.y - 2, "%" PRIu32,
                            sb_path_draw(plan->tree, i, d)->answer);
        }
    sb_svg_text(svg, "start faint", 0, 12, "%s", "draw");
    for (size_t d = 0; d < plan->depth; d++)
        if ((double)(d + 1) * plan->width > TREE_WORD)
            sb_svg_text(svg, "end faint", (double)(d + 1) * plan->width - 3, 12, "%zu", d + 1);
}

static void tree_way(const struct tree_plan *plan, size_t path, FILE *stream)
{
    fputs("<path class=\"way\" d=\"", stream);
    tree_move(0, tree_node_of(plan, path, 0).y, stream);
    for (size_t d = 0; d < plan->tree->path[path].length; d++)
        tree_branch(plan, path, d, stream);
    tree_curve(TREE_DRAWS, tree_node_of(plan, path, plan->tree->path[path].length).y, TREE_DRAWS + TREE_FLOW,
               tree_end(plan, path), stream);
    fputs("\"/>", stream);
}

static void tree_flow(const struct tree_plan *plan, size_t rank, FILE *stream)
{
    fputs("<path class=\"flow\" d=\"", stream);
    for (size_t i = 0; i < plan->tree->paths_count; i++) {
        const double y = tree_node_of(plan, i, plan->tree->path[i].length).y;

        if (plan->tree->path[i].rank != rank)
            continue;
        tree_move(TREE_DRAWS, y, stream);
        tree_curve(TREE_DRAWS, y, TREE_DRAWS + TREE_FLOW, tree_end(plan, i), stream);
    }
    fputs("\"/>\n", stream);
}

/* A band of `paths` paths, between the y coordinates of its upper side. */
static void tree_band(const struct tree_plan *plan, double x0, double y0, double x1, double y1, size_t paths,
                      FILE *stream)
{
    const double height = (double)paths * plan->unit;

    tree_move(x0, y0, stream);
    tree_curve(x0, y0, x1, y1, stream);
    sb_print(stream, "v%.4g", height);
    tree_curve(x1, y1 + height, x0, y0 + height, stream);
    fputc('z', stream);
}

static void tree_bands(const struct tree_plan *plan, FILE *stream)
{
    fputs("<path class=\"branches bundle\" d=\"", stream);
    for (size_t i = 0; i < plan->tree->paths_count; i++)
        for (size_t d = i ? sb_path_common(plan->tree, i - 1, i) : 0; d < plan->depth; d++) {
            const struct tree_node from = tree_node_of(plan, i, d), to = tree_node_of(plan, i, d + 1);

            tree_band(plan, (double)d * plan->width, from.top + (double)(i - from.first) * plan->unit,
                      (double)(d + 1) * plan->width, to.top, to.count, stream);
        }
    fputs("\"/>\n", stream);
}

/* Draws the ends of the bands that lead to an order. The ends of a band are sorted by their orders. */
static void tree_band_ends(const struct tree_plan *plan, size_t rank, FILE *stream)
{
    double end = tree_bar(plan, rank);

    fputs("<path class=\"flow bundle\" d=\"", stream);
    for (size_t i = 0, next; i < plan->tree->paths_count; i = next) {
        const struct tree_node node = tree_node_of(plan, i, plan->depth);
        size_t some = 0, lower = 0;

        for (next = i; next < i + node.count; next++) {
            some += plan->tree->path[next].rank == rank;
            lower += plan->tree->path[next].rank < rank;
        }
        if (some)
            tree_band(plan, TREE_DRAWS, node.top + (double)lower * plan->unit, TREE_DRAWS + TREE_FLOW, end, some,
                      stream);
        end += (double)some * plan->unit;
    }
    fputs("\"/>\n", stream);
}

static void tree_title(const struct tree_plan *plan, size_t rank, struct sb_svg *svg)
{
    const struct sb_explain *const tree = plan->tree;
    const struct sb_explain_order *const order = &tree->order[rank];
    struct sb_sentence s = { 0 };

    sb_sentence_add(&s, "%s: %" PRIu64 " of %zu paths, probability %s%s", sb_explain_order_text(tree, rank).text,
                    order->paths, tree->paths_count, order->mass, order->paths && !plan->bundled ? ":" : "");
    if (!plan->bundled)
        sb_path_list(tree, rank, &s);
    fprintf(svg->stream, "<title>%s</title>", s.text && !s.lost ? s.text : "");
    svg->status = s.lost ? SB_NO_MEMORY : svg->status;
    sb_sentence_close(&s);
}

/* Writes the order, and how many paths lead to it, or its probability. */
static void tree_words(const struct tree_plan *plan, size_t rank, double y, struct sb_svg *svg)
{
    const struct sb_explain_order *const order = &plan->tree->order[rank];
    const double x = TREE_DRAWS + TREE_FLOW + TREE_BAR;

    sb_svg_text(svg, "start head", x + 8, y, "%s", sb_explain_order_text(plan->tree, rank).text);
    if (plan->tree->even)
        sb_svg_text(svg, "end", x + TREE_LABEL - 4, y, "%" PRIu64, order->paths);
    else
        sb_svg_text(svg, "end", x + TREE_LABEL - 4, y, "%s", sb_number_percent(order->share, 2).text);
}

static void tree_order(const struct tree_plan *plan, size_t rank, double top, struct sb_svg *svg)
{
    const struct sb_explain *const tree = plan->tree;
    const struct sb_explain_order *const order = &tree->order[rank];
    const enum sb_ink ink = sb_explain_ink(order);
    const double row = tree_row(plan, rank), height = (double)order->paths * plan->unit;
    const double x = TREE_DRAWS + TREE_FLOW;

    fprintf(svg->stream, "<g class=\"order%s\">", ink == SB_INK_OVER ? " o" : ink == SB_INK_UNDER ? " u" : "");
    tree_title(plan, rank, svg);
    sb_svg_rect(svg, "row", x, top, TREE_BAR + TREE_LABEL, row);
    if (order->paths && plan->bundled)
        tree_band_ends(plan, rank, svg->stream);
    else if (order->paths)
        tree_flow(plan, rank, svg->stream);
    for (size_t i = 0; i < tree->paths_count && !plan->bundled; i++)
        if (tree->path[i].rank == rank)
            tree_way(plan, i, svg->stream);
    sb_svg_rect(svg, "bar", x, top + (row - height) / 2, TREE_BAR, height);
    if (plan->told)
        tree_words(plan, rank, top + row / 2 + 4.5, svg);
    fputs("</g>\n", svg->stream);
}

static void tree_draw(const struct sb_scene *scene, struct sb_svg *svg)
{
    const struct tree_plan plan = tree_plan(scene);
    double top = plan.rows;

    if (plan.bundled)
        tree_bands(&plan, svg->stream);
    else
        tree_branches(&plan, svg->stream);
    tree_answers(&plan, svg);
    sb_svg_text(svg, "end faint", TREE_DRAWS + TREE_FLOW + TREE_BAR, 12, "order");
    if (plan.told)
        sb_svg_text(svg, "end faint", TREE_DRAWS + TREE_FLOW + TREE_BAR + TREE_LABEL - 4, 12, "%s",
                    plan.tree->even ? "paths" : "probability");
    fputs("<g class=\"cells\" data-columns=\"1\">\n", svg->stream);
    for (size_t rank = 0; rank < plan.tree->orders_count && !ferror(svg->stream); rank++) {
        tree_order(&plan, rank, top, svg);
        top += tree_row(&plan, rank) + plan.gap;
    }
    fputs("</g>\n", svg->stream);
}

static void tree_describe(const struct sb_scene *scene, struct sb_sentence *s)
{
    const struct sb_explain *const tree = tree_of(scene);

    sb_sentence_fill(s, "figures", "tree",
                     json_pack("{s:I, s:b, s:b}", "paths", (json_int_t)tree->paths_count, "even", tree->even, "bundled",
                               tree->paths_count > TREE_BUNDLES));
}

static void tree_data(const struct sb_scene *scene, struct sb_html *html)
{
    const struct sb_explain *const tree = tree_of(scene);

    struct sb_table table;

    sb_table_begin(&table, "lrrl", "order|paths|probability|their answers");
    table.class = "tree-data";
    for (size_t rank = 0; rank < tree->orders_count; rank++) {
        sb_table_row(&table, "%s|%" PRIu64 "|%s", sb_explain_order_text(tree, rank).text, tree->order[rank].paths,
                     tree->order[rank].mass);
        struct sb_sentence answers = { 0 };

        sb_path_list(tree, rank, &answers);
        sb_table_add(&table, SB_INK_PLAIN, "%s", answers.text ? answers.text : "");
        table.status = answers.lost ? SB_NO_MEMORY : table.status;
        sb_sentence_close(&answers);
    }
    sb_table_end(&table, &html->page);
}

const struct sb_figure_type sb_figure_tree = {
    .name = "tree",
    .of = SB_FIGURE_OF_REPORTS,
    .single = true,
    .has = tree_has,
    .measure = tree_measure,
    .draw = tree_draw,
    .title = "which series of draws lead to which order",
    .describe = tree_describe,
    .hint = "Point to an order, or tap it, to see its paths.",
    .data = tree_data,
};
