# SPDX-License-Identifier: MIT
# Makes sphere_idw.csv: inverse distance weighting by great circles on a sphere of 6371008.8 m, written
# out in R, point by point with the haversine formula, 17 digits. gstat cannot be compared: for
# longitudes and latitudes it takes distances on the WGS84 ellipsoid, whatever the data's own (those of
# sp::spDists(longlat = TRUE)), which differ from a sphere's by up to 0.6 %.
#   Rscript tests/peers/sphere_idw.R data/meuse/meuse.csv > tests/peers/sphere_idw.csv
# Made with R 4.2.2.
data <- read.csv(commandArgs(trailingOnly = TRUE)[1])
# The Meuse points, spread over most of the Earth.
data$lon <- (data$x - 180000) / 8
data$lat <- (data$y - 331600) / 26

# Places all over, across the date line and round the poles; and, last, three of the data points.
u <- (1:24 * 0.7548776662) %% 1
v <- (1:24 * 0.5698402910) %% 1
places <- data.frame(lon = c(-200 + 400 * u, 10, 179.99, -179.99, data$lon[1:3 * 50]),
                     lat = c(-90 + 180 * v, 90, 12.5, 12.5, data$lat[1:3 * 50]))

distances <- function(lon, lat) {
    radian <- pi / 180
    half <- sin((data$lat - lat) * radian / 2)^2 +
        cos(data$lat * radian) * cos(lat * radian) * sin((data$lon - lon) * radian / 2)^2
    2 * 6371008.8 * asin(sqrt(pmin(half, 1)))
}

predict <- function(d, power, nmax, maxdist) {
    near <- order(d)[seq_len(min(nmax, length(d)))]
    near <- near[d[near] <= maxdist]
    if (length(near) == 0) return(NA)
    if (d[near[1]] == 0) return(mean(data$zinc[d == 0]))
    w <- (d[near] / d[near[1]])^-power
    sum(w * data$zinc[near]) / sum(w)
}

cases <- expand.grid(power = c(0.5, 2, 3.5), nmax = c(Inf, 1, 12), maxdist = c(Inf, 1e6, 4e6))
number <- function(a) ifelse(is.na(a), "NA", sprintf("%.17g", a))
cat("power,nmax,maxdist,x,y,zinc\n")
for (i in seq_len(nrow(cases)))
    for (j in seq_len(nrow(places))) {
        case <- cases[i, ]
        at <- places[j, ]
        zinc <- predict(distances(at$lon, at$lat), case$power, case$nmax, case$maxdist)
        cat(sprintf("%g,%g,%g,%s,%s,%s\n", case$power, case$nmax, case$maxdist, number(at$lon),
                    number(at$lat), number(zinc)))
    }
