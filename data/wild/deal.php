<?php
// SPDX-License-Identifier: GPL-3.0-or-later
// Deals with a shuffle of PHP: php deal.php FUNCTION N
// FUNCTION is a function of a deck, which returns a deck.
$shuffle = eval("return {$argv[1]};");
do {
    $lines = '';
    for ($i = 0; $i < 500; $i++) {
        $lines .= implode(' ', $shuffle(range(0, $argv[2] - 1))) . "\n";
    }
} while (@fwrite(STDOUT, $lines) === strlen($lines)); // until the reader has seen enough
