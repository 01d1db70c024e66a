/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The files of this folder as strings. Meson generates the strings. */
#ifndef SB_REPORT_HTML_ASSET_H
#define SB_REPORT_HTML_ASSET_H

extern const char sb_asset_figure[]; /* figure.css, for figures in pages and in files of their own */
extern const char sb_asset_style[];  /* style.css */
extern const char sb_asset_script[]; /* script.js */
extern const char
    sb_asset_policy[]; /* the Content-Security-Policy, which allows the three strings above by their hashes */

#endif
