# SPDX-License-Identifier: MIT
# Makes gstat_idw_space.csv: predictions of R's gstat::idw() in three dimensions on the Meuse zinc
# data, whose elevations, times 40, are the third coordinate; 17 digits.
#   Rscript tests/peers/gstat_idw_space.R data/meuse/meuse.csv > tests/peers/gstat_idw_space.csv
# Made with R 4.2.2 and gstat 2.1-0 (Debian 12's r-base and r-cran-gstat).
suppressPackageStartupMessages({ library(sp); library(gstat) })

data <- read.csv(commandArgs(trailingOnly = TRUE)[1])
data$h <- 40 * data$elev
range <- sapply(data[c("x", "y", "elev")], range)

# Places on a slanted lattice inside and round the box, at several heights; and, last, three of the
# data points themselves.
step <- seq(-0.1, 1.1, length.out = 5)
places <- expand.grid(u = step, v = step)
places$w <- (seq_along(places$u) * 0.6180339887) %% 1.3 - 0.15
at <- function(name, part) range[1, name] + part * diff(range[, name])
places <- data.frame(
    x = c(at("x", places$u + 0.013 * places$v) + 0.3719, data$x[1:3 * 50]),
    y = c(at("y", places$v - 0.017 * places$u) + 0.7127, data$y[1:3 * 50]),
    elev = c(at("elev", places$w), data$elev[1:3 * 50]))
places$h <- 40 * places$elev
coordinates(data) <- ~ x + y + h
coordinates(places) <- ~ x + y + h

cases <- expand.grid(power = c(0.5, 2, 3.5), nmax = c(Inf, 1, 12), maxdist = c(Inf, 250, 700))
number <- function(a) ifelse(is.na(a), "NA", sprintf("%.17g", a))
cat("power,nmax,maxdist,x,y,z,zinc\n")
for (i in seq_len(nrow(cases))) {
    case <- cases[i, ]
    result <- idw(zinc ~ 1, data, places, idp = case$power, nmax = case$nmax,
                  maxdist = case$maxdist, debug.level = 0)
    at <- coordinates(places)
    cat(sprintf("%g,%g,%g,%s,%s,%s,%s\n", case$power, case$nmax, case$maxdist, number(at[, 1]),
                number(at[, 2]), number(places$elev), number(result$var1.pred)), sep = "")
}
