// SPDX-License-Identifier: GPL-3.0-or-later

// Lets `shufflebias prove` answer the draws of a Go function. Put a file of package main beside this one, with
//
//	func shuffle(deck []int, below func(int) int)
//
// which draws by below(k) instead of rand.Intn(k):
//
//	shufflebias prove -n 3 -- go run prove.go shuffle.go 3
package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
)

func main() {
	lines := bufio.NewScanner(os.Stdin)
	below := func(bound int) int {
		fmt.Println("draw", bound)
		if !lines.Scan() {
			os.Exit(0)
		}
		answer, err := strconv.Atoi(lines.Text())
		if err != nil {
			panic(err)
		}
		return answer
	}
	n, err := strconv.Atoi(os.Args[len(os.Args)-1])
	if err != nil {
		panic(err)
	}
	for lines.Scan() && lines.Text() == "start" {
		deck := make([]int, n)
		for i := range deck {
			deck[i] = i
		}
		shuffle(deck, below)
		text := fmt.Sprint(deck) // [2 0 1]
		fmt.Println("deck", text[1:len(text)-1])
	}
}
