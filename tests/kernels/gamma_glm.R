# SPDX-License-Identifier: MIT
# Prints the coefficients in check_gamma_regression.c: R's glm() on numbers that both make.
#   Rscript tests/kernels/gamma_glm.R
# Made with R 4.2.2 (Debian 12's r-base).
i <- 1:60
x1 <- ((37 * i) %% 101) / 50
x2 <- ((53 * i) %% 97) / 40 - 1
y <- exp(x1 - x2 / 2) * ((29 * i) %% 31 + 1) / 10
control <- glm.control(epsilon = 1e-15, maxit = 100)
number <- function(model) cat(sprintf("%.15g", coef(model)), "\n")
number(glm(y ~ 1, family = Gamma(link = log), control = control))
number(glm(y ~ x1, family = Gamma(link = log), control = control))
number(glm(y ~ x1 + x2, family = Gamma(link = log), control = control))
