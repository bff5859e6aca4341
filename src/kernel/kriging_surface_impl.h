/* SPDX-License-Identifier: MIT */
/* Included by kriging.c: targets of one system of all points, a target to a lane. A lane's results
 * depend on nothing but its own target. */

#define SURFACE_VECTORS (SHEPARD_KRIGING_TARGETS / LANES_D)
/* As many chains of operations at once as hide the time of one. */
#define SURFACE_ROWS (8 / SURFACE_VECTORS > 0 ? 8 / SURFACE_VECTORS : 1)

/* Squared distances of targets, in vectors, from the points and, behind them, from the base. */
static inline void kriging_surface_distances(const struct shepard_kriging_surface *surface,
                                             const struct shepard_kriging_targets *targets, vd *d2)
{
    for (size_t v = 0; v < SURFACE_VECTORS; v++) {
        const vd tx = vd_load(targets->x + v * LANES_D), ty = vd_load(targets->y + v * LANES_D);
        const vd tz = vd_load(targets->z + v * LANES_D);
        for (size_t i = 0; i < surface->m; i++) {
            const vd dx = tx - surface->x[i], dy = ty - surface->y[i], dz = tz - surface->z[i];
            d2[i * SURFACE_VECTORS + v] = dx * dx + dy * dy + dz * dz;
        }
        d2[surface->m * SURFACE_VECTORS + v] = tx * tx + ty * ty + tz * tz;
    }
}

/* How much nearer targets are to a point than to the base, as a linear semivariance goes. */
static inline vd kriging_surface_nearer(const struct shepard_variogram *variogram,
                                        const struct shepard_kriging_surface *surface,
                                        const struct shepard_kriging_targets *targets, size_t i,
                                        size_t v)
{
    const vd tx = vd_load(targets->x + v * LANES_D), ty = vd_load(targets->y + v * LANES_D);
    const vd tz = vd_load(targets->z + v * LANES_D);
    const vd x = vd_all(surface->x[i]), y = vd_all(surface->y[i]), z = vd_all(surface->z[i]);
    const vd dx = tx - x, dy = ty - y, dz = tz - z;
    return (x * (tx + dx) + y * (ty + dy) + z * (tz + dz)) /
           (vd_sqrt(tx * tx + ty * ty + tz * tz) + vd_sqrt(dx * dx + dy * dy + dz * dz)) *
           (variogram->structure * variogram->unit);
}

/* What the targets have in common with the increments (Eq. 57), b [m, vectors]; behind them the
 * semivariances from the base. */
static void kriging_surface_fill(const struct shepard_variogram *variogram,
                                 const struct shepard_kriging_surface *surface,
                                 const struct shepard_kriging_targets *targets, vd *b)
{
    const bool linear = variogram->covariance == SHEPARD_COVARIANCE_LINEAR;
    const double simple = variogram->simple ? 1 : 0;
    const vd *base = b + surface->m * SURFACE_VECTORS;
    kriging_surface_distances(surface, targets, b);
    kriging_semivariances(variogram, b, (surface->m + 1) * SURFACE_VECTORS);
    for (size_t i = 0; i < surface->m; i++) {
        const double own = surface->from_base[i];
        for (size_t v = 0; v < SURFACE_VECTORS; v++) {
            vd *to = &b[i * SURFACE_VECTORS + v];
            const vd nearer =
                linear ? kriging_surface_nearer(variogram, surface, targets, i, v) : base[v] - *to;
            *to = nearer + own - simple * base[v] * own;
        }
    }
}

/* Predictions of the columns less the known mean (Eq. 59b). */
static void kriging_surface_values(const struct shepard_variogram *variogram,
                                   const struct shepard_kriging_surface *surface,
                                   struct shepard_kriging_targets *targets, const vd *b)
{
    const double simple = variogram->simple ? 1 : 0;
    const vd *base = b + surface->m * SURFACE_VECTORS;
    for (size_t c = 0; c < surface->columns; c++) {
        const struct shepard_kriging_plane *plane = &surface->plane[c];
        const double *weight = surface->weight + c * surface->m;
        vd sum[SURFACE_VECTORS];
        for (size_t v = 0; v < SURFACE_VECTORS; v++)
            sum[v] = vd_all(0);
        for (size_t i = 0; i < surface->m; i++)
            for (size_t v = 0; v < SURFACE_VECTORS; v++)
                sum[v] = vd_fma(b[i * SURFACE_VECTORS + v], vd_all(weight[i]), sum[v]);
        for (size_t v = 0; v < SURFACE_VECTORS; v++) {
            const size_t at = v * LANES_D;
            sum[v] +=
                vd_load(targets->x + at) * plane->along + vd_load(targets->y + at) * plane->across;
            vd_store(targets->value + c * SHEPARD_KRIGING_TARGETS + at,
                     sum[v] + (1 - simple * base[v]) * plane->base);
        }
    }
}

/* Rows i to i + count - 1 of L^-1 b, in place, as far as those before them. */
static inline __attribute__((always_inline)) void
kriging_surface_reduce(const struct shepard_kriging_surface *surface, size_t i, const size_t count,
                       vd *b)
{
    vd rest[SURFACE_ROWS][SURFACE_VECTORS];
    const double *row[SURFACE_ROWS];
    for (size_t r = 0; r < count; r++) {
        row[r] = surface->factor + (i + r) * (i + r + 1) / 2;
        for (size_t v = 0; v < SURFACE_VECTORS; v++)
            rest[r][v] = b[(i + r) * SURFACE_VECTORS + v];
    }
    for (size_t j = 0; j < i; j++)
        for (size_t r = 0; r < count; r++)
            for (size_t v = 0; v < SURFACE_VECTORS; v++)
                rest[r][v] =
                    kriging_less(rest[r][v], b[j * SURFACE_VECTORS + v], vd_all(row[r][j]));
    for (size_t r = 0; r < count; r++)
        for (size_t v = 0; v < SURFACE_VECTORS; v++) {
            for (size_t q = 0; q < r; q++)
                rest[r][v] = kriging_less(rest[r][v], b[(i + q) * SURFACE_VECTORS + v],
                                          vd_all(row[r][i + q]));
            b[(i + r) * SURFACE_VECTORS + v] = rest[r][v] * row[r][i + r];
        }
}

/* What a plane adds to the variance (Eq. 59), b being L^-1 b. */
static inline vd kriging_surface_plane(const struct shepard_kriging_surface *surface,
                                       const struct shepard_kriging_targets *targets, const vd *b,
                                       size_t v)
{
    vd q[2] = {vd_load(targets->x + v * LANES_D), vd_load(targets->y + v * LANES_D)};
    for (size_t i = 0; i < surface->m; i++) {
        q[0] = kriging_less(q[0], b[i * SURFACE_VECTORS + v], vd_all(surface->along[i]));
        q[1] = kriging_less(q[1], b[i * SURFACE_VECTORS + v], vd_all(surface->across[i]));
    }
    return q[0] * q[0] * surface->inverse[0] + 2 * q[0] * q[1] * surface->inverse[1] +
           q[1] * q[1] * surface->inverse[2];
}

/* Variances over the sill (Eq. 58); b becomes L^-1 b. */
static void kriging_surface_variances(const struct shepard_variogram *variogram,
                                      const struct shepard_kriging_surface *surface,
                                      struct shepard_kriging_targets *targets, vd *b)
{
    const double simple = variogram->simple ? 1 : 0;
    const vd *base = b + surface->m * SURFACE_VECTORS;
    size_t i = 0;
    for (; i + SURFACE_ROWS <= surface->m; i += SURFACE_ROWS)
        kriging_surface_reduce(surface, i, SURFACE_ROWS, b);
    for (; i < surface->m; i++)
        kriging_surface_reduce(surface, i, 1, b);
    for (size_t v = 0; v < SURFACE_VECTORS; v++) {
        vd rest = 2 * base[v] - simple * base[v] * base[v];
        for (i = 0; i < surface->m; i++)
            rest = kriging_less(rest, b[i * SURFACE_VECTORS + v], b[i * SURFACE_VECTORS + v]);
        if (variogram->universal)
            rest += kriging_surface_plane(surface, targets, b, v);
        vd_store(targets->variance + v * LANES_D, rest);
    }
}

static void kriging_predict(const struct shepard_variogram *variogram,
                            const struct shepard_kriging_surface *surface,
                            struct shepard_kriging_targets *targets, bool with_variances)
{
    vd *b = (vd *)(void *)targets->room;
    kriging_surface_fill(variogram, surface, targets, b);
    for (size_t v = 0; v < SURFACE_VECTORS; v++)
        vd_store(targets->from_base + v * LANES_D, b[surface->m * SURFACE_VECTORS + v]);
    kriging_surface_values(variogram, surface, targets, b);
    if (with_variances)
        kriging_surface_variances(variogram, surface, targets, b);
}
