# SPDX-License-Identifier: GPL-3.0-or-later
# Deals by Fisher-Yates with awk's rand(): awk -f deal.awk N
BEGIN {
    n = ARGV[1]
    srand()
    for (;;) {
        for (i = 0; i < n; i++)
            a[i] = i
        for (i = n - 1; i > 0; i--) {
            j = int(rand() * (i + 1))
            t = a[i]
            a[i] = a[j]
            a[j] = t
        }
        line = a[0]
        for (i = 1; i < n; i++)
            line = line " " a[i]
        print line
    }
}
