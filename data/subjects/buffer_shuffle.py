# SPDX-License-Identifier: GPL-3.0-or-later
# A buffer shuffle, as data loaders shuffle a stream: a buffer of B items; each item in turn takes the place of a
# random one in the buffer, which comes out. An item comes out at most B places too early. The gate says FAIL.
#
#     shufflebias gate -- python3 buffer_shuffle.py [N [B [SEED]]]
import random
import sys

n = int(sys.argv[1]) if len(sys.argv) > 1 else 10000
size = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
rng = random.Random(int(sys.argv[3])) if len(sys.argv) > 3 else random.Random()

while True:
    buffer, order = list(range(size)), []
    for item in range(size, n):
        i = rng.randrange(size)
        order.append(buffer[i])
        buffer[i] = item
    rng.shuffle(buffer)
    print(*order, *buffer)
