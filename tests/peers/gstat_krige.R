# SPDX-License-Identifier: MIT
# Makes gstat_krige.csv: predictions and variances of R's gstat::krige() with given models on the
# Meuse zinc data, in kilometres from (180000, 330000), 17 digits.
#   Rscript tests/peers/gstat_krige.R data/meuse/meuse.csv > tests/peers/gstat_krige.csv
# Made with R 4.2.2 and gstat 2.1-0 (Debian 12's r-base and r-cran-gstat).
suppressPackageStartupMessages({ library(sp); library(gstat) })

data <- read.csv(commandArgs(trailingOnly = TRUE)[1])
data$x <- (data$x - 180000) / 1000
data$y <- (data$y - 330000) / 1000
coordinates(data) <- ~ x + y

# Places inside, at the edge and outside, no two of the data equally far; the last is a data point.
places <- data.frame(x = c(-0.3721, 0.2613, 0.5537, 1.0219, 1.5391, 4.0477, data@coords[77, 1]),
                     y = c(0.8171, 1.9103, 1.3249, 2.6571, 3.1933, 5.3117, data@coords[77, 2]))
coordinates(places) <- ~ x + y

# ratio and angle: none, or gstat's anis, whose angle is clockwise from north.
models <- data.frame(model = c("Exp", "Sph", "Mat", "Gau", "Exc", "Lin"),
                     range = c(0.4, 0.9, 0.25, 0.5, 0.5, 0), kappa = c(0.5, 0.5, 1.5, 0.5, 1.3, 0.5))
# The data nearest by the distance of the model; gstat's own nmax does not look at anis.
nearest <- function(at, ratio, nmax) {
    angle <- 35 * pi / 180
    dx <- data@coords[, 1] - at[1]
    dy <- data@coords[, 2] - at[2]
    along <- dx * sin(angle) + dy * cos(angle)
    across <- dx * cos(angle) - dy * sin(angle)
    data[order(along^2 + (across / ratio)^2)[seq_len(nmax)], ]
}

cases <- expand.grid(at = seq_len(nrow(models)), ratio = c(1, 0.4), nmax = c(Inf, 12),
                     kind = c("ordinary", "simple", "universal"), stringsAsFactors = FALSE)
number <- function(a) sprintf("%.17g", a)
cat("model,nugget,ratio,angle,kind,nmax,x,y,zinc,variance\n")
for (i in seq_len(nrow(cases))) {
    case <- cases[i, ]
    of <- models[case$at, ]
    if (of$model == "Lin" && case$kind == "simple") next
    nugget <- if (case$ratio < 1 || of$model == "Gau") 15000 else 0
    anis <- if (case$ratio < 1) c(35, case$ratio) else c(0, 1)
    model <- vgm(130000, of$model, of$range, kappa = of$kappa, anis = anis)
    if (nugget > 0) model <- vgm(nugget, "Nug", 0, add.to = model)
    trend <- if (case$kind == "universal") zinc ~ x + y else zinc ~ 1
    at <- coordinates(places)
    result <- NULL
    for (j in seq_len(nrow(at))) {
        used <- if (is.finite(case$nmax)) nearest(at[j, ], case$ratio, case$nmax) else data
        result <- rbind(result, (if (case$kind == "simple")
            krige(trend, used, places[j, ], model, beta = 470, debug.level = 0) else
            krige(trend, used, places[j, ], model, debug.level = 0))@data)
    }
    cat(sprintf("%s,%g,%g,%g,%s,%g,%s,%s,%s,%s\n", of$model, nugget, case$ratio,
                if (case$ratio < 1) 35 else 0, case$kind, case$nmax, format(at[, 1], digits = 15, trim = TRUE),
                format(at[, 2], digits = 15, trim = TRUE), number(result$var1.pred), number(result$var1.var)), sep = "")
}
