# SPDX-License-Identifier: GPL-3.0-or-later
# A test for `shufflebias zoo --test`. It counts only how often item 1 of N is on top, and finds a fault if the count is more
# than 4 standard deviations from its mean.
import sys

top = [line.split()[0] == '1' for line in sys.stdin]
m, n = len(top), int(sys.argv[1])
sys.exit(abs(sum(top) - m / n) > 4 * (m * (n - 1)) ** 0.5 / n)
