# SPDX-License-Identifier: MIT
# R's gstat::krige() on a dataset that `bench_core draw` wrote: ordinary kriging of the K nearest with
# the covariance of case_krige.c.
#   Rscript peer_gstat.R FILE K
# Prints one line of JSON: seconds of krige() alone, the means of values and standard deviations.
suppressPackageStartupMessages({ library(sp); library(gstat) })

words <- commandArgs(trailingOnly = TRUE)
file <- file(words[1], "rb")
counts <- readBin(file, "integer", 4)[c(1, 3)] # the low halves of two 64-bit integers
read <- function(count) readBin(file, "double", count)
x <- read(counts[1])
y <- read(counts[1])
targets <- SpatialPoints(cbind(read(counts[2]), read(counts[2])))
points <- SpatialPointsDataFrame(cbind(x, y), data.frame(z = read(counts[1])))
model <- vgm(500, "Exp", 2000, nugget = 25)
seconds <- system.time(
    made <- krige(z ~ 1, points, targets, model, nmax = as.integer(words[2]), debug.level = 0))
cat(sprintf('{"wall": %.6f, "cpu": %.6f, "mean_value": %.17g, "mean_sd": %.17g}\n', seconds[["elapsed"]],
            seconds[["user.self"]] + seconds[["sys.self"]], mean(made$var1.pred), mean(sqrt(made$var1.var))))
