// SPDX-License-Identifier: GPL-3.0-or-later

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BiConsumer;

/** Deals with the shuffles of Java's libraries: java Deal NAME N [prove]. build.py writes a line for each subject of the table. */
class Deal {
    static final BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
    static final Map<String, BiConsumer<List<Integer>, Random>> shuffles = new HashMap<>();

    static {
        // EACH shuffles.put("NAME", (deck, random) -> { EXPRESSION; });
    }

    /** Answers nextInt(bound) by asking `shufflebias prove`. */
    static class Asking extends Random {
        @Override
        public int nextInt(int bound) {
            try {
                System.out.println("draw " + bound);
                return Integer.parseInt(in.readLine());
            } catch (IOException | NumberFormatException end) {
                System.exit(0);
                return 0;
            }
        }
    }

    static String dealt(String name, int n, Random random) {
        final List<Integer> deck = new ArrayList<>();

        for (int i = 0; i < n; i++)
            deck.add(i);
        shuffles.get(name).accept(deck, random);
        return deck.toString().replaceAll("[\\[\\],]", "");
    }

    /** Puts the items of an array back into the deck. */
    static void copy(int[] from, List<Integer> deck) {
        for (int i = 0; i < from.length; i++)
            deck.set(i, from[i]);
    }

    static int[] array(List<Integer> deck) {
        return deck.stream().mapToInt(Integer::intValue).toArray();
    }

    public static void main(String[] words) throws IOException {
        final int n = Integer.parseInt(words[1]);

        if (words.length > 2) {
            for (final Random asking = new Asking(); in.readLine() != null;)
                System.out.println("deck " + dealt(words[0], n, asking));
            return;
        }
        final PrintStream out = new PrintStream(new java.io.FileOutputStream(java.io.FileDescriptor.out), false);
        final Random random = new Random();

        while (!out.checkError()) {
            final StringBuilder lines = new StringBuilder();

            for (int i = 0; i < 500; i++)
                lines.append(dealt(words[0], n, random)).append('\n');
            out.print(lines);
        }
    }
}
