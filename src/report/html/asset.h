/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The files of this folder as strings. Meson generates the strings. */
#ifndef SB_REPORT_HTML_ASSET_H
#define SB_REPORT_HTML_ASSET_H

extern const char sb_asset_figure_css[]; /* for figures in pages and in files of their own */
extern const char sb_asset_style_css[], sb_asset_script_js[]; /* for all pages */
extern const char sb_asset_stepper_css[], sb_asset_stepper_js[];
extern const char sb_asset_lesson_css[], sb_asset_lesson_js[]; /* for the course */
/* the Content-Security-Policy, which allows the strings above by their hashes */
extern const char sb_asset_policy[];

#endif
