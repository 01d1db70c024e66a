# SPDX-License-Identifier: GPL-3.0-or-later
# The naive swap: each item in turn changes places with a random item, which may be itself. The gate says FAIL.
#
#     shufflebias gate -- python3 naive.py [N [SEED]]
import random
import sys

n = int(sys.argv[1]) if len(sys.argv) > 1 else 3
rng = random.Random(int(sys.argv[2])) if len(sys.argv) > 2 else random.Random()

while True:
    items = list(range(n))
    for i in range(n):
        j = rng.randrange(n)  # rng.randrange(i, n) would be fair
        items[i], items[j] = items[j], items[i]
    print(*items)
