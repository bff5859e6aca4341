/* SPDX-License-Identifier: MIT */
/* Counts checks, and prints the first that fail with what they were about. */
#ifndef SHEPARD_TESTS_CUDA_LABELLED_TALLY_CUH
#define SHEPARD_TESTS_CUDA_LABELLED_TALLY_CUH

#include <cstdio>
#include <string>

struct labelled_tally {
    std::string label;
    long passed = 0, failed = 0;

    bool check(bool good, const char *what, const char *message = "")
    {
        (good ? passed : failed)++;
        if (!good && failed <= 30)
            std::printf("FAILED: %s: %s %s\n", label.c_str(), what, message);
        return good;
    }
};

#endif
