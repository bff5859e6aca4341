/* SPDX-License-Identifier: MIT */
/* The current device: which it is, and another one for a scope. */
#ifndef SHEPARD_BACKEND_CUDA_USE_DEVICE_CUH
#define SHEPARD_BACKEND_CUDA_USE_DEVICE_CUH

#include "cuda/check.cuh"

namespace shepard
{

inline int current_device()
{
    int device = 0;
    check(cudaGetDevice(&device), "choosing a device");
    return device;
}

/* Makes a device the current one, and the one before again at the end. */
class use_device
{
  public:
    explicit use_device(int device) : before_(current_device())
    {
        check(cudaSetDevice(device), "choosing a device");
    }
    use_device(const use_device &) = delete;
    use_device &operator=(const use_device &) = delete;
    ~use_device() { (void)cudaSetDevice(before_); }

  private:
    int before_;
};

/* The same where nothing may be thrown: for destructors. */
class use_device_quietly
{
  public:
    explicit use_device_quietly(int device)
    {
        (void)cudaGetDevice(&before_);
        (void)cudaSetDevice(device);
    }
    use_device_quietly(const use_device_quietly &) = delete;
    use_device_quietly &operator=(const use_device_quietly &) = delete;
    ~use_device_quietly() { (void)cudaSetDevice(before_); }

  private:
    int before_ = 0;
};

/* Destroys what has members on a device, whose number it knows. */
struct destroy_on_device {
    template <class T> void operator()(T *made) const
    {
        const use_device_quietly there(made->device);
        delete made;
    }
};

} // namespace shepard

#endif
