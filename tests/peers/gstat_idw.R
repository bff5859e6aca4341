# SPDX-License-Identifier: MIT
# Makes gstat_idw.csv: predictions of R's gstat::idw() on the Meuse zinc data, 17 digits.
#   Rscript tests/peers/gstat_idw.R data/meuse/meuse.csv > tests/peers/gstat_idw.csv
# Made with R 4.2.2 and gstat 2.1-0 (Debian 12's r-base and r-cran-gstat).
suppressPackageStartupMessages({ library(sp); library(gstat) })

data <- read.csv(commandArgs(trailingOnly = TRUE)[1])
coordinates(data) <- ~ x + y
box <- bbox(data)

# Places on a slanted lattice inside and round the box, off the data's whole metres so that no two
# distances are equal; and, last, five of the data points themselves.
step <- seq(-0.1, 1.1, length.out = 6)
places <- expand.grid(u = step, v = step)
places <- data.frame(
    x = c(box["x", 1] + (places$u + 0.013 * places$v) * diff(box["x", ]) + 0.3719, data$x[1:5 * 30]),
    y = c(box["y", 1] + (places$v - 0.017 * places$u) * diff(box["y", ]) + 0.7127, data$y[1:5 * 30]))
coordinates(places) <- ~ x + y

cases <- expand.grid(power = c(0.5, 1, 2, 3.5, 10), nmax = c(Inf, 1, 5, 12), maxdist = c(Inf, 250, 700))
number <- function(a) ifelse(is.na(a), "NA", sprintf("%.17g", a))
cat("power,nmax,maxdist,x,y,zinc\n")
for (i in seq_len(nrow(cases))) {
    case <- cases[i, ]
    result <- idw(zinc ~ 1, data, places, idp = case$power, nmax = case$nmax,
                  maxdist = case$maxdist, debug.level = 0)
    at <- coordinates(places)
    cat(sprintf("%g,%g,%g,%s,%s,%s\n", case$power, case$nmax, case$maxdist, number(at[, 1]),
                number(at[, 2]), number(result$var1.pred)), sep = "")
}
