# SPDX-License-Identifier: GPL-3.0-or-later
# Deals with a shuffle of Perl: perl deal.pl FUNCTION N [prove]
# FUNCTION is a function of a list, which returns a list.
use strict;
use warnings;
use List::Util ();

my ($function, $n, $mode) = @ARGV;
my $shuffle = eval $function or die $@;
$| = 1;
if (($mode // '') eq 'prove') {
    # List::Util 1.54 and newer take each draw from this function: a number in [0, 1), of which they use floor(u * k).
    local $List::Util::RAND = sub {
        print "random\n";
        return <STDIN> // exit;
    };
    print 'deck ', join(' ', $shuffle->(0 .. $n - 1)), "\n" while <STDIN>;
    exit;
}
$| = 0;
$SIG{PIPE} = sub { exit };
print join(' ', $shuffle->(0 .. $n - 1)), "\n" while 1;
