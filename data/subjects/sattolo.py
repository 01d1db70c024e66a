# SPDX-License-Identifier: GPL-3.0-or-later
# Sattolo's loop: Fisher-Yates with a bound that is too small by one. No card ever keeps its position.
#
#     shufflebias gate -- python3 sattolo.py [N [SEED]]
import random
import sys

n = int(sys.argv[1]) if len(sys.argv) > 1 else 52
rng = random.Random(int(sys.argv[2])) if len(sys.argv) > 2 else random.Random()

while True:
    deck = list(range(n))
    for i in range(n - 1, 0, -1):
        j = rng.randrange(i)  # rng.randrange(i + 1) would be fair
        deck[i], deck[j] = deck[j], deck[i]
    print(*deck)
