# SPDX-License-Identifier: GPL-3.0-or-later
# A test that looks at one thing only, for `shufflebias zoo --test`: how often item 1 of N is on top. 4 standard deviations.
import sys

top = [line.split()[0] == '1' for line in sys.stdin]
m, n = len(top), int(sys.argv[1])
sys.exit(abs(sum(top) - m / n) > 4 * (m * (n - 1)) ** 0.5 / n)
