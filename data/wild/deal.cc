// SPDX-License-Identifier: GPL-3.0-or-later
// Deals with the shuffles of C++ libraries: deal NAME N. build.py writes a line for each subject of the table.
#include <algorithm>
#include <armadillo>
#include <boost/range/algorithm/random_shuffle.hpp>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <gsl/gsl_randist.h>
#include <igraph/igraph.h>
#include <numeric>
#include <random>
#include <string>
#include <vector>

using Deck = std::vector<int>;

static std::mt19937 words { std::random_device {}() };
static std::minstd_rand minstd { std::random_device {}() };
static gsl_rng *taus;

static std::function<void(Deck &)> find(const std::string &name)
{
    // EACH if (name == "NAME") return [](Deck &deck) { EXPRESSION; };
    return nullptr;
}

int main(int, char **argv)
{
    const auto shuffle = find(argv[1]);
    const int n = std::atoi(argv[2]);

    taus = gsl_rng_alloc(gsl_rng_taus);
    gsl_rng_set(taus, words());
    std::srand(words());
    arma::arma_rng::set_seed(words());
    igraph_rng_seed(igraph_rng_default(), words());
    while (std::ferror(stdout) == 0) {
        Deck deck(n);

        std::iota(deck.begin(), deck.end(), 0);
        shuffle(deck);
        for (int i = 0; i < n; i++)
            std::printf("%d%c", deck[i], i + 1 < n ? ' ' : '\n');
    }
}
