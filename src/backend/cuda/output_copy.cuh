/* SPDX-License-Identifier: MIT */
/* A copy of what a call wants, whose arrays can be replaced one by one. */
#ifndef SHEPARD_BACKEND_CUDA_OUTPUT_COPY_CUH
#define SHEPARD_BACKEND_CUDA_OUTPUT_COPY_CUH

extern "C" {
#include "core/diagnostics.h"
}

#include <vector>

namespace shepard
{

class output_copy
{
  public:
    output_copy(const shepard_output &given, std::size_t columns) : output_(given)
    {
        for (int r = 0; r < SHEPARD_COLUMN_RESULTS; r++) {
            const shepard_output_array **const of = shepard_output_columns(&output_, r);
            if (*of == nullptr)
                continue;
            columns_[r].assign(*of, *of + columns);
            *of = columns_[r].data();
        }
    }
    output_copy(const output_copy &) = delete;
    output_copy &operator=(const output_copy &) = delete;

    const shepard_output &output() const { return output_; }
    void set_memory(const shepard_memory &memory) { output_.memory = memory; }
    /* The wanted arrays, always in the same order. */
    std::vector<shepard_output_array *> arrays()
    {
        std::vector<shepard_output_array *> all;
        for (auto &column : columns_)
            for (shepard_output_array &one : column)
                add(&one, &all);
#define ADD(id, array, name) add(&output_.array, &all);
        SHEPARD_DIAGNOSTIC_LIST(ADD, SHEPARD_NO_DIAGNOSTIC)
#undef ADD
        return all;
    }

  private:
    static void add(shepard_output_array *one, std::vector<shepard_output_array *> *all)
    {
        if (one->data != nullptr)
            all->push_back(one);
    }

    shepard_output output_;
    std::vector<shepard_output_array> columns_[SHEPARD_COLUMN_RESULTS];
};

} // namespace shepard

#endif
