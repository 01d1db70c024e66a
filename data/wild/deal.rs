// SPDX-License-Identifier: GPL-3.0-or-later
// Deals with the shuffles of Rust's crates: deal NAME N. build.py writes a line for each subject of the table.
use rand::seq::{index, SliceRandom};
use rand::thread_rng;
use std::io::{stdout, BufWriter, Write};

fn find(name: &str) -> fn(&mut Vec<usize>) {
    match name {
        // EACH "NAME" => |deck| { EXPRESSION; },
        _ => panic!("no subject {name}"),
    }
}

fn main() {
    let words: Vec<String> = std::env::args().collect();
    let (shuffle, n): (_, usize) = (find(&words[1]), words[2].parse().unwrap());
    let mut out = BufWriter::new(stdout());

    loop {
        let mut deck: Vec<usize> = (0..n).collect();

        shuffle(&mut deck);
        let line: Vec<String> = deck.iter().map(usize::to_string).collect();
        if writeln!(out, "{}", line.join(" ")).is_err() {
            return; // the reader has seen enough
        }
    }
}
