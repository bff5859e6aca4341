/* SPDX-License-Identifier: MIT */
/* Which devices a build has code for, and what is said of the others. Needs no device. */
#include "check.h"

#include "cuda/architecture.h"

#include <string.h>

static void codes(void)
{
    static const int built[] = {750, 800, 900};
    static const struct {
        int device;
        enum shepard_device_code code;
    } cases[] = {
        {700, SHEPARD_CODE_NONE},   {720, SHEPARD_CODE_NONE},   {750, SHEPARD_CODE_BINARY},
        {800, SHEPARD_CODE_BINARY}, {890, SHEPARD_CODE_BINARY}, {900, SHEPARD_CODE_BINARY},
        {1000, SHEPARD_CODE_PTX},   {1210, SHEPARD_CODE_PTX},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check(shepard_device_code_of(built, 3, cases[i].device) == cases[i].code, "code for %d",
              cases[i].device);
    check(shepard_device_code_of(built + 1, 1, 750) == SHEPARD_CODE_NONE, "8.0 alone, for 7.5");
    check(shepard_device_code_of((const int[]){860}, 1, 800) == SHEPARD_CODE_NONE,
          "8.6 alone, for 8.0");
}

static void reasons(void)
{
    static const int built[] = {800, 900, 1210};
    char text[SHEPARD_ARCHITECTURE_REASON_SIZE];
    shepard_architecture_reason(text, 1, built, 3, 750);
    check(strcmp(text, "device 1 has compute capability 7.5, this build has code for 8.0, 9.0, "
                       "12.1: build with -DCMAKE_CUDA_ARCHITECTURES=75") == 0,
          "reason: %s", text);
    int many[100];
    for (int i = 0; i < 100; i++)
        many[i] = 1000 + 10 * i;
    shepard_architecture_reason(text, 0, many, 100, 900);
    check(strstr(text, "=90") != NULL, "reason with a long list: %s", text);
}

int main(void)
{
    codes();
    reasons();
    return check_finish("architecture");
}
