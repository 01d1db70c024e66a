# SPDX-License-Identifier: GPL-3.0-or-later
# A chunked shuffle, as data loaders shuffle files: the chunks of C items in random order, and the items of each chunk
# in random order. Each item is at any position equally often, but neighbours stay near each other. The gate says FAIL.
#
#     shufflebias gate -- python3 chunk_shuffle.py [N [C [SEED]]]
import random
import sys

n = int(sys.argv[1]) if len(sys.argv) > 1 else 10000
size = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
rng = random.Random(int(sys.argv[3])) if len(sys.argv) > 3 else random.Random()

while True:
    chunks = [list(range(start, min(start + size, n))) for start in range(0, n, size)]
    rng.shuffle(chunks)
    for chunk in chunks:
        rng.shuffle(chunk)
    print(*(item for chunk in chunks for item in chunk))
