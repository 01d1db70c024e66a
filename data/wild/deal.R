# SPDX-License-Identifier: GPL-3.0-or-later
# Deals with a shuffle of R: Rscript deal.R FUNCTION N
# FUNCTION is a function of a vector, which returns a vector.
words <- commandArgs(trailingOnly = TRUE)
shuffle <- eval(parse(text = words[1]))
n <- as.integer(words[2])
out <- stdout()
repeat writeLines(replicate(500, paste(shuffle(seq_len(n)), collapse = " ")), out)
