module shuffle

go 1.19
