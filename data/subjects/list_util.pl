# SPDX-License-Identifier: GPL-3.0-or-later
# Perl's List::Util::shuffle, one permutation per line:
#
#     shufflebias gate -- perl list_util.pl [N [SEED]]
use strict;
use warnings;
use List::Util 'shuffle';

my ($n, $seed) = @ARGV;
$n ||= 3;
srand $seed if defined $seed;

print join(' ', shuffle 0 .. $n - 1), "\n" while 1;
