# SPDX-License-Identifier: GPL-3.0-or-later
# Python's own random.shuffle, one permutation per line, until the reader stops:
#
#     shufflebias gate -- python3 random_shuffle.py [N [SEED]]
#
# Replace it with your own shuffle. Each shuffle starts from the same order and draws new random numbers.
import random
import sys

n = int(sys.argv[1]) if len(sys.argv) > 1 else 3
rng = random.Random(int(sys.argv[2])) if len(sys.argv) > 2 else random.Random()

while True:
    items = list(range(n))
    rng.shuffle(items)
    print(*items)
