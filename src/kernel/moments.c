/* SPDX-License-Identifier: MIT */
/* P2M and M2M. Compiled once for each instruction set. Lanes are nodes: no sum crosses lanes, and a
 * node's moments do not depend on other nodes. */
#include "kernel/kernels.h"
#include "kernel/math.h"

/* ---- sums of rows ---------------------------------------------------------------------------- */

/* Rows of numbers [.., SHEPARD_BATCH]; each is by shrink numbers shorter than the one before. */
struct rows {
    const double *first;
    size_t length, shrink;
};

/* sum_i factors[i] row_i for width numbers from b on: as many chains of additions at once. */
static inline void sum_tile(const struct rows *rows, const vd *factors, size_t count, size_t b,
                            size_t width, vd *sums)
{
    const double *row = rows->first + b * SHEPARD_BATCH;
    size_t length = rows->length * SHEPARD_BATCH;
    vd sum[8];
    for (size_t j = 0; j < width; j++)
        sum[j] = factors[0] * vd_load(row + j * SHEPARD_BATCH);
    for (size_t i = 1; i < count; i++) {
        row += length;
        length -= rows->shrink * SHEPARD_BATCH;
        for (size_t j = 0; j < width; j++)
            sum[j] += factors[i] * vd_load(row + j * SHEPARD_BATCH);
    }
    for (size_t j = 0; j < width; j++)
        sums[b + j] = sum[j];
}

/* The same for the first width numbers. */
static inline void sum_rows(const struct rows *rows, const vd *factors, size_t count, size_t width,
                            vd *sums)
{
    size_t b = 0;
    for (; width - b >= 8; b += 8)
        sum_tile(rows, factors, count, b, 8, sums);
    if ((width - b) & 4) {
        sum_tile(rows, factors, count, b, 4, sums);
        b += 4;
    }
    if ((width - b) & 2) {
        sum_tile(rows, factors, count, b, 2, sums);
        b += 2;
    }
    if ((width - b) & 1)
        sum_tile(rows, factors, count, b, 1, sums);
}

static inline double *numbers_of(const struct shepard_batch *batch, size_t charge, size_t lane)
{
    return batch->numbers + charge * SHEPARD_DEGREE_FIRST(batch->degree + 1) * SHEPARD_BATCH + lane;
}

/* ---- from points ----------------------------------------------------------------------------- */

#define POWERS (SHEPARD_DEGREE_MAX + 1)

/* y^b of the points of a vector of leaves. */
static void fill_powers(double *powers, const struct shepard_batch_points *points, int degree,
                        size_t lane)
{
    for (size_t i = 0; i < SHEPARD_LEAF; i++) {
        const vd y = vd_load(points->y[i] + lane);
        vd power = vd_all(1);
        for (size_t b = 0; b <= (size_t)degree; b++, powers += SHEPARD_BATCH) {
            vd_store(powers, power);
            power *= y;
        }
    }
}

static void collect_charge(const struct shepard_batch_points *points, const struct rows *powers,
                           const struct shepard_batch *batch, size_t c, size_t lane)
{
    const double *charges = points->charges + c * SHEPARD_LEAF * SHEPARD_BATCH + lane;
    double *numbers = numbers_of(batch, c, lane);
    vd along[SHEPARD_LEAF], sums[POWERS]; /* q x^a */
    for (size_t i = 0; i < SHEPARD_LEAF; i++)
        along[i] = vd_load(charges + i * SHEPARD_BATCH);
    for (size_t width = (size_t)batch->degree + 1; width > 0; width--) {
        sum_rows(powers, along, SHEPARD_LEAF, width, sums);
        for (size_t b = 0; b < width; b++, numbers += SHEPARD_BATCH)
            vd_store(numbers, sums[b]);
        for (size_t i = 0; i < SHEPARD_LEAF; i++)
            along[i] *= vd_load(points->x[i] + lane);
    }
}

static void collect(const struct shepard_batch_points *points, struct shepard_batch *batch)
{
    double *powers = batch->room;
    const struct rows rows = {powers, (size_t)batch->degree + 1, 0};
    for (size_t lane = 0; lane < SHEPARD_BATCH; lane += LANES_D) {
        fill_powers(powers, points, batch->degree, lane);
        for (size_t c = 0; c < batch->charges; c++)
            collect_charge(points, &rows, batch, c, lane);
    }
}

/* ---- from nodes to their parents ------------------------------------------------------------- */

/* (d + s x)^j = sum_i binomial(j, i) d^(j - i) s^i x^i; factors [degree + 1, degree + 1]. */
static void fill_binomials(vd *factors, int degree, vd d, vd s)
{
    vd *row = factors, *before;
    row[0] = vd_all(1);
    for (int j = 1; j <= degree; j++) {
        before = row;
        row += degree + 1;
        row[0] = d * before[0];
        for (int i = 1; i < j; i++)
            row[i] = d * before[i] + s * before[i - 1];
        row[j] = s * before[j - 1];
    }
}

/* Translates along the power that orders the rows, and transposes: rows ordered by a become ordered
 * by b. */
static inline void move_rows(const double *from, const vd *factors, int degree, bool add,
                             double *to)
{
    const struct rows rows = {from, (size_t)degree + 1, 1};
    vd sums[POWERS];
    for (int j = 0; j <= degree; j++) {
        const size_t width = (size_t)(degree - j) + 1;
        double *column = to + (size_t)j * SHEPARD_BATCH;
        sum_rows(&rows, factors + j * (degree + 1), (size_t)j + 1, width, sums);
        for (size_t i = 0; i < width; i++) {
            vd_store(column, add ? vd_load(column) + sums[i] : sums[i]);
            column += ((size_t)degree + 1 - i) * SHEPARD_BATCH;
        }
    }
}

static void translate(struct shepard_batch *from, const struct shepard_batch_step *step,
                      struct shepard_batch *to)
{
    const size_t table = ((size_t)from->degree + 1) * ((size_t)from->degree + 1);
    vd *along_x = (void *)from->room, *along_y = along_x + table;
    double *turned = from->room + 2 * table * SHEPARD_BATCH;
    for (size_t lane = 0; lane < SHEPARD_BATCH; lane += LANES_D) {
        const vd scale = vd_load(step->scale + lane);
        fill_binomials(along_x, from->degree, vd_load(step->x + lane), scale);
        fill_binomials(along_y, from->degree, vd_load(step->y + lane), scale);
        for (size_t c = 0; c < from->charges; c++) {
            move_rows(numbers_of(from, c, lane), along_x, from->degree, false, turned);
            move_rows(turned, along_y, from->degree, true, numbers_of(to, c, lane));
        }
    }
}

/* ---- to complex moments ---------------------------------------------------------------------- */

/* The numbers of one degree and a parity of b, and the rows of coefficients for them. */
struct part {
    const vd *numbers;
    size_t count;
    const double *table;
    size_t stride; /* from row to row */
};

static inline void combine_tile(const struct part *part, size_t row, size_t width, double *to)
{
    const double *table = part->table + row * part->stride;
    vd sum[4];
    for (size_t j = 0; j < width; j++)
        sum[j] = table[j * part->stride] * part->numbers[0];
    for (size_t i = 1; i < part->count; i++)
        for (size_t j = 0; j < width; j++)
            sum[j] += table[j * part->stride + i] * part->numbers[i];
    for (size_t j = 0; j < width; j++)
        vd_store(to + 2 * (row + j) * SHEPARD_BATCH, sum[j]);
}

/* Every second number of a degree, from `to` on; as many as there are inputs. */
static inline void combine_part(const struct part *part, double *to)
{
    size_t row = 0;
    for (; part->count - row >= 4; row += 4)
        combine_tile(part, row, 4, to);
    if ((part->count - row) & 2) {
        combine_tile(part, row, 2, to);
        row += 2;
    }
    if ((part->count - row) & 1)
        combine_tile(part, row, 1, to);
}

/* One charge of a vector of lanes: numbers [SHEPARD_TERMS(degree), SHEPARD_BATCH]. */
static void combine(const struct shepard_batch *batch, const struct shepard_batch_out *out,
                    size_t c, size_t lane, double *numbers)
{
    const double *from = numbers_of(batch, c, lane), *table = out->table;
    for (int l = 0; l <= out->degree; l++) {
        const size_t even = (size_t)l / 2 + 1, odd = ((size_t)l + 1) / 2;
        vd sorted[2][POWERS / 2 + 1];
        for (int b = 0; b <= l; b++)
            sorted[b % 2][b / 2] =
                vd_load(from + shepard_batch_at(batch->degree, l - b, b) * SHEPARD_BATCH);
        combine_part(&(struct part){sorted[0], even, table, even + odd}, numbers);
        if (odd > 0)
            combine_part(&(struct part){sorted[1], odd, table + even, even + odd},
                         numbers + SHEPARD_BATCH);
        table += even * even + odd * odd;
        numbers += (even + odd) * SHEPARD_BATCH;
    }
}

typedef double eight_doubles __attribute__((vector_size(64)));
typedef float eight_floats __attribute__((vector_size(32)));

#define TURN(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)

/* Eight rows of eight floats become columns. */
static inline void turn_block(eight_floats *rows)
{
    eight_floats pairs[8], fours[8];
    for (size_t i = 0; i < 8; i += 2) {
        pairs[i] = TURN(rows[i], rows[i + 1], 0, 8, 1, 9, 4, 12, 5, 13);
        pairs[i + 1] = TURN(rows[i], rows[i + 1], 2, 10, 3, 11, 6, 14, 7, 15);
    }
    for (size_t i = 0; i < 8; i += 4) {
        fours[i] = TURN(pairs[i], pairs[i + 2], 0, 1, 8, 9, 4, 5, 12, 13);
        fours[i + 1] = TURN(pairs[i], pairs[i + 2], 2, 3, 10, 11, 6, 7, 14, 15);
        fours[i + 2] = TURN(pairs[i + 1], pairs[i + 3], 0, 1, 8, 9, 4, 5, 12, 13);
        fours[i + 3] = TURN(pairs[i + 1], pairs[i + 3], 2, 3, 10, 11, 6, 7, 14, 15);
    }
    for (size_t i = 0; i < 4; i++) {
        rows[i] = TURN(fours[i], fours[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        rows[i + 4] = TURN(fours[i], fours[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
}

/* Eight numbers of eight lanes, to each lane's place. */
static inline void write_block(const struct shepard_batch_out *out, const double *numbers,
                               size_t at)
{
    eight_floats rows[8];
    for (size_t i = 0; i < 8; i++) {
        eight_doubles row;
        memcpy(&row, numbers + i * SHEPARD_BATCH, sizeof row);
        rows[i] = __builtin_convertvector(row, eight_floats);
    }
    turn_block(rows);
    for (size_t lane = 0; lane < SHEPARD_BATCH; lane++)
        if (out->single[lane] != NULL)
            memcpy(out->single[lane] + at, &rows[lane], sizeof rows[lane]);
}

/* The last block overlaps the one before. */
static void write_single(const struct shepard_batch_out *out, const double *numbers, size_t count,
                         size_t at)
{
    for (size_t t = 0; count >= 8 && t < count; t += 8) {
        const size_t first = t + 8 <= count ? t : count - 8;
        write_block(out, numbers + first * SHEPARD_BATCH, at + first);
    }
    for (size_t lane = 0; count < 8 && lane < SHEPARD_BATCH; lane++)
        for (size_t t = 0; out->single[lane] != NULL && t < count; t++)
            out->single[lane][at + t] = (float)numbers[t * SHEPARD_BATCH + lane];
}

static void write_precise(const struct shepard_batch_out *out, const double *numbers, size_t count,
                          size_t at)
{
    for (size_t lane = 0; lane < SHEPARD_BATCH; lane++)
        for (size_t t = 0; out->precise[lane] != NULL && t < count; t++)
            out->precise[lane][at + t] = numbers[t * SHEPARD_BATCH + lane];
}

static void express(const struct shepard_batch *batch, const struct shepard_batch_out *out)
{
    const size_t count = SHEPARD_DEGREE_FIRST(out->degree + 1);
    double *numbers = batch->room;
    for (size_t c = 0; c < batch->charges; c++) {
        for (size_t lane = 0; lane < SHEPARD_BATCH; lane += LANES_D)
            combine(batch, out, c, lane, numbers + lane);
        write_single(out, numbers, count, c * out->stride);
        write_precise(out, numbers, count, c * out->stride);
    }
}

/* ---- reaches --------------------------------------------------------------------------------- */

/* M_kk of charge 0: sum_i binomial(k, i) x^2(k - i) y^2i. */
static inline vd even_moment(const struct shepard_batch *batch, int k, size_t lane)
{
    const double *from = numbers_of(batch, 0, lane);
    vd sum = vd_load(from + shepard_batch_at(batch->degree, 2 * k, 0) * SHEPARD_BATCH);
    double binomial = 1;
    for (int i = 1; i <= k; i++) {
        binomial *= (double)(k - i + 1) / i;
        sum += binomial *
               vd_load(from + shepard_batch_at(batch->degree, 2 * (k - i), 2 * i) * SHEPARD_BATCH);
    }
    return sum;
}

/* Mean radii of a vector of lanes; meaningless but finite in lanes without a charge. */
static void measure_lanes(const struct shepard_batch *batch,
                          const struct shepard_batch_mean_radius *out, size_t lane,
                          double (*mean_radius_log2)[SHEPARD_BATCH])
{
    const vd least = vd_all(0x1p-1022), scale = vd_load(out->scale + lane);
    const vd total = vd_max(vd_load(numbers_of(batch, 0, lane)), least);
    const vd rho = vd_log2(vd_max(scale, least));
    const vd one = 1 / total;
    vd_store(mean_radius_log2[0] + lane, vd_log2(total));
    for (int k = 1; k <= out->orders; k++) {
        const vd part = vd_max(even_moment(batch, k, lane) * one, vd_all(0)) + SHEPARD_BATCH_ERROR;
        const vd log2s = rho + vd_log2(part) * (0.5 / k) + SHEPARD_MEAN_RADIUS_MARGIN;
        vd_store(mean_radius_log2[k] + lane,
                 vd_select(scale > 0, log2s, vd_all(SHEPARD_MEAN_RADIUS_NONE)));
    }
}

static void measure(const struct shepard_batch *batch, const struct shepard_batch_mean_radius *out)
{
    double mean_radius_log2[SHEPARD_ORDERS_MAX + 1][SHEPARD_BATCH];
    for (size_t lane = 0; lane < SHEPARD_BATCH; lane += LANES_D)
        measure_lanes(batch, out, lane, mean_radius_log2);
    for (size_t lane = 0; lane < SHEPARD_BATCH; lane++)
        for (int k = 0; out->mean_radius_log2[lane] != NULL && k <= out->orders; k++)
            out->mean_radius_log2[lane][k] = (float)mean_radius_log2[k][lane];
}

const struct shepard_moment_kernels SHEPARD_KERNELS(moments) = {collect, translate, express,
                                                                measure};
