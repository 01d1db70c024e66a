# SPDX-License-Identifier: GPL-3.0-or-later
# Gates shuffles with testthat: the program `shufflebias` reads many results of a function from a file.
#
#     Rscript -e 'testthat::test_file("test-shuffle.R", stop_on_failure = TRUE)'
library(testthat)

expect_fair <- function(shuffle, n = 4, max_bias = 0.05, decks = 1e5) {
  file <- tempfile()
  on.exit(unlink(file))
  write(vapply(seq_len(decks), function(i) shuffle(seq_len(n)), numeric(n)), file, ncolumns = n) # n numbers in each
  options <- c("gate", "-n", n, "--base", "1", "--max-bias", max_bias, shQuote(file))
  report <- suppressWarnings(system2("shufflebias", options, stdout = TRUE, stderr = TRUE))
  expect(is.null(attr(report, "status")), paste(report, collapse = "\n"))
}

naive <- function(deck) {
  for (i in seq_along(deck)) {
    j <- sample.int(length(deck), 1)
    deck[c(i, j)] <- deck[c(j, i)]
  }
  deck
}

test_that("sample() is fair", {
  expect_fair(sample)
})

test_that("the naive swap is fair", { # this one fails
  expect_fair(naive)
})
