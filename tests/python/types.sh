#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The types of the Python package are complete: types.sh SOURCE
command -v mypy >/dev/null || { echo 'mypy is not installed: apt-get install mypy'; exit 77; }
cd "$1/src/python" && exec mypy --cache-dir=/dev/null shufflebias
