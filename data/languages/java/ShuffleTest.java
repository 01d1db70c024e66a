// SPDX-License-Identifier: GPL-3.0-or-later
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Gates shuffles with JUnit 5. The program `shufflebias` reads one permutation after another, until it knows the verdict. */
class ShuffleTest {
    static void assertFair(int n, Consumer<List<Integer>> shuffle) throws Exception {
        var command = List.of("shufflebias", "gate", "-n", String.valueOf(n), "--base", "0", "--max-bias", "0.02", "-");
        var gate = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (var decks = gate.outputWriter()) {
            while (gate.isAlive()) {
                var deck = IntStream.range(0, n).boxed().collect(Collectors.toList());
                shuffle.accept(deck);
                decks.write(deck.stream().map(String::valueOf).collect(Collectors.joining(" ", "", "\n")));
            }
        } catch (IOException theGateHasItsVerdict) {
            // The gate reads no more.
        }
        assertEquals(0, gate.waitFor(), new String(gate.getInputStream().readAllBytes()));
    }

    @Test
    void collectionsShuffle() throws Exception {
        assertFair(5, Collections::shuffle);
    }

    /** This one fails: the naive swap. */
    @Test
    void naive() throws Exception {
        var random = new Random();
        assertFair(5, deck -> {
            for (int i = 0; i < deck.size(); i++)
                Collections.swap(deck, i, random.nextInt(deck.size()));
        });
    }
}
