// SPDX-License-Identifier: GPL-3.0-or-later

package shuffle

import (
	"math/rand"
	"testing"
	"time"
)

var random = rand.New(rand.NewSource(time.Now().UnixNano()))

func TestShuffle(t *testing.T) {
	AssertFair(t, 5, 0.02, func(deck []uint16) {
		random.Shuffle(len(deck), func(i, j int) { deck[i], deck[j] = deck[j], deck[i] })
	})
}

// This one fails: the naive swap.
func TestNaive(t *testing.T) {
	AssertFair(t, 5, 0.02, func(deck []uint16) {
		for i := range deck {
			j := random.Intn(len(deck))
			deck[i], deck[j] = deck[j], deck[i]
		}
	})
}
