/* SPDX-License-Identifier: MIT */
/* Streams beside a main one, for kernels that have little to do each. */
#ifndef SHEPARD_BACKEND_CUDA_SIDE_STREAMS_CUH
#define SHEPARD_BACKEND_CUDA_SIDE_STREAMS_CUH

#include "cuda/stream.cuh"

namespace shepard
{

/* Kernels of different classes run side by side: some have little to do. */
constexpr int sides = 4;

class side_streams
{
  public:
    explicit side_streams(const stream &main) : main_(main) {}

    void wait() const
    {
        for (const stream &side : side_)
            (void)cudaStreamSynchronize(side.get());
    }
    /* What they do from now on comes after what the main stream was given. */
    void fork()
    {
        ready_.record(main_);
        for (const stream &side : side_)
            check(cudaStreamWaitEvent(side.get(), ready_.get()), "summing");
    }
    cudaStream_t main() const { return main_.get(); }
    /* Of what the main stream was given so far, for theirs to wait for. */
    cudaEvent_t mark()
    {
        marked_.record(main_);
        return marked_.get();
    }
    /* What the main stream is given from now on comes after what they did. */
    void join()
    {
        for (int i = 0; i < sides; i++) {
            done_[i].record(side_[i]);
            check(cudaStreamWaitEvent(main_.get(), done_[i].get()), "summing");
        }
    }
    cudaStream_t next() { return side_[turn_++ % sides].get(); }

  private:
    const stream &main_;
    stream side_[sides];
    event ready_, marked_, done_[sides];
    unsigned turn_ = 0;
};

/* Nothing that streams use, made before this, is given back before they are done. */
class side_wait
{
  public:
    explicit side_wait(const side_streams &sides) : sides_(sides) {}
    side_wait(const side_wait &) = delete;
    side_wait &operator=(const side_wait &) = delete;
    ~side_wait() { sides_.wait(); }

  private:
    const side_streams &sides_;
};

} // namespace shepard

#endif
