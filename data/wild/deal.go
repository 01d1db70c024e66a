// SPDX-License-Identifier: GPL-3.0-or-later

// Deals with the shuffles of Go: deal NAME N. build.py writes a line for each subject of the table.
package main

import (
	"bufio"
	"fmt"
	"math/rand"
	"os"
	"strconv"
	"time"

	fork "github.com/shogo82148/go-shuffle"
)

var shuffles = map[string]func(deck []int){
	// EACH "NAME": func(deck []int) { EXPRESSION },
}

func main() {
	n, _ := strconv.Atoi(os.Args[2])
	shuffle, out := shuffles[os.Args[1]], bufio.NewWriter(os.Stdout)

	rand.Seed(time.Now().UnixNano())
	_ = fork.Ints
	for {
		deck := make([]int, n)
		for i := range deck {
			deck[i] = i
		}
		shuffle(deck)
		for _, item := range deck {
			out.WriteString(strconv.Itoa(item))
			out.WriteByte(' ')
		}
		if _, failed := fmt.Fprintln(out); failed != nil {
			return
		}
	}
}
