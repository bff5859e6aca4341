/* SPDX-License-Identifier: MIT */
/* A survey of a made-up mountain range, as comma-separated x,y,z on standard output.
 *
 *     terrain [COUNT [SEED]]      default 1000000 points, seed 1
 *
 * The ground is a sum of octaves of gradient noise: ridges high up, smooth slopes below, flat
 * lakes. It is sampled as an airborne scanner does it: overlapping flight strips, dense at their
 * edges, thin in between, few returns from water, and some sites surveyed much more densely. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;
static const double west = 600000.0, south = 5150000.0; /* metres, UTM zone 32 north */
static const double width = 12000.0, height = 9000.0;   /* metres */
static const double lake_level = 905.0;                 /* metres above the sea */

enum { strip_count = 14, site_count = 24, octave_count = 9 };

struct random {
    uint64_t state;
};

/* splitmix64: public-domain constants of its author, S. Vigna. */
static uint64_t mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Uniform in [0, 1). */
static double draw(struct random *random)
{
    random->state += 0x9e3779b97f4a7c15u;
    return (double)(mix(random->state) >> 11) * 0x1p-53;
}

/* Normal, mean 0 and deviation 1 (Box and Muller). */
static double draw_normal(struct random *random)
{
    const double radius = sqrt(-2.0 * log(1.0 - draw(random)));
    return radius * cos(2.0 * pi * draw(random));
}

/* Dot product of the offset (dx, dy) from lattice point (i, j) and the gradient that stands there.
 */
static double lattice(int64_t i, int64_t j, double dx, double dy, uint64_t seed)
{
    const uint64_t key = seed ^ ((uint64_t)i * 0x8da6b343u) ^ ((uint64_t)j * 0xd8163841u << 20);
    const double angle = 2.0 * pi * ((double)(mix(key) >> 11) * 0x1p-53);
    return dx * cos(angle) + dy * sin(angle);
}

static double fade(double t)
{
    return t * t * t * (t * (6.0 * t - 15.0) + 10.0);
}

/* Gradient noise of wavelength 1, about -0.7 to 0.7. */
static double noise(double x, double y, uint64_t seed)
{
    const double fx = floor(x), fy = floor(y);
    const int64_t i = (int64_t)fx, j = (int64_t)fy;
    const double dx = x - fx, dy = y - fy, u = fade(dx), v = fade(dy);
    const double low =
        lattice(i, j, dx, dy, seed) * (1.0 - u) + lattice(i + 1, j, dx - 1.0, dy, seed) * u;
    const double high = lattice(i, j + 1, dx, dy - 1.0, seed) * (1.0 - u) +
                        lattice(i + 1, j + 1, dx - 1.0, dy - 1.0, seed) * u;
    return low * (1.0 - v) + high * v;
}

/* Height of the ground in metres: octaves of ridges, each rough where the one before stands high.
 */
static double ground(double x, double y, uint64_t seed)
{
    const double bend = 500.0 * noise(x / 2600.0, y / 2600.0, seed + 99);
    double wave = 5200.0, strength = 1.0, carry = 1.0, sum = 0.0;
    for (int octave = 0; octave < octave_count; octave++) {
        const double value = noise((x + bend) / wave, (y - bend) / wave, seed + (uint64_t)octave);
        double ridge = 1.0 - 1.6 * fabs(value);
        ridge *= ridge * carry;
        sum += ridge * strength;
        carry = fmin(1.0, 1.4 * ridge);
        strength *= 0.47;
        wave *= 0.5;
    }
    return 500.0 + 1050.0 * sum;
}

struct place {
    double x, y; /* metres from the south-west corner */
};

/* A return of the scanner: strip by strip, the mirror swings fast in the middle and slow at the
 * edges. */
static struct place draw_scan(struct random *random)
{
    const double strip = floor(draw(random) * strip_count);
    const double middle = (strip + 0.5) * height / strip_count;
    const double reach = 0.62 * height / strip_count; /* over half a strip: neighbours overlap */
    const double swing = cos(pi * draw(random));
    return (struct place){width * draw(random),
                          middle + reach * swing + 60.0 * sin(strip + 0.001 * middle)};
}

static struct place draw_site(struct random *random, const struct place *sites)
{
    const size_t site = (size_t)(draw(random) * site_count);
    const double spread = 60.0 + 240.0 * (double)site / site_count;
    return (struct place){sites[site].x + spread * draw_normal(random),
                          sites[site].y + spread * draw_normal(random)};
}

static bool is_inside(const struct place *place)
{
    return place->x >= 0.0 && place->x <= width && place->y >= 0.0 && place->y <= height;
}

static void print_points(long count, uint64_t seed)
{
    struct random random = {seed};
    struct place sites[site_count];
    for (int i = 0; i < site_count; i++) {
        sites[i] = (struct place){width * draw(&random), height * draw(&random)};
    }
    puts("x,y,z");
    for (long done = 0; done < count;) {
        const struct place place =
            draw(&random) < 0.2 ? draw_site(&random, sites) : draw_scan(&random);
        const double z = ground(place.x, place.y, seed);
        const bool seen = z > lake_level || draw(&random) < 0.15;
        if (is_inside(&place) && seen) {
            const double shown = fmax(z, lake_level) + 0.08 * draw_normal(&random);
            printf("%.2f,%.2f,%.2f\n", west + place.x, south + place.y, shown);
            done++;
        }
    }
}

int main(int argc, char **argv)
{
    char *end = "";
    const long count = argc > 1 ? strtol(argv[1], &end, 10) : 1000000;
    if (*end || count < 1 || argc > 3) {
        fputs("usage: terrain [COUNT [SEED]], COUNT at least 1\n", stderr);
        return 1;
    }
    const uint64_t seed = argc > 2 ? strtoull(argv[2], &end, 10) : 1;
    if (*end) {
        fputs("terrain: the seed is a whole number\n", stderr);
        return 1;
    }
    print_points(count, seed);
    if (fflush(stdout) || ferror(stdout)) {
        fputs("terrain: cannot write to standard output\n", stderr);
        return 1;
    }
    return 0;
}
