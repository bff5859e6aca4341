/* SPDX-License-Identifier: MIT */
/*
 * For LD_PRELOAD: takes the GPU away from a program in mid-run. A thread waits until the program
 * has made the context of device 0, and then some time, and runs a kernel there that stops by a
 * trap: from then on every call of the program on that device fails.
 *
 * SHEPARD_KILL_AFTER: milliseconds after the context is there, 0 or more; not set: nothing is done.
 * SHEPARD_KILL_TOLD: a file that gets a line "firing" before the kernel is launched, or one that
 * begins with "failed" where it cannot be.
 *
 * The driver's functions are looked up: nothing of CUDA is linked, and where no driver is, nothing
 * happens.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* The driver's handles and codes, as its interface has them: 0 is success. */
typedef void *handle;

struct driver {
    int (*initialise)(unsigned flags);
    int (*get_device)(int *device, int number);
    int (*get_state)(int device, unsigned *flags, int *active);
    int (*retain)(handle *context, int device);
    int (*set_current)(handle context);
    int (*load)(handle *module, const void *image);
    int (*get_function)(handle *function, handle module, const char *name);
    int (*launch)(handle function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                  unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                  handle stream, void **parameters, void **extra);
    int (*wait)(handle stream);
};

static const char kernel[] = ".version 6.3\n"
                             ".target sm_75\n"
                             ".address_size 64\n"
                             ".visible .entry lose() { trap; ret; }\n";

static void sleep_for(double milliseconds)
{
    const long seconds = (long)(milliseconds / 1e3);
    const struct timespec time = {.tv_sec = seconds,
                                  .tv_nsec = (long)(1e6 * (milliseconds - 1e3 * (double)seconds))};
    nanosleep(&time, NULL);
}

static void tell(const char *text, int code)
{
    const char *path = getenv("SHEPARD_KILL_TOLD");
    char line[128];
    const int length = snprintf(line, sizeof line, "%s %d\n", text, code);
    const int file = path ? open(path, O_WRONLY | O_CREAT | O_APPEND, 0644) : -1;
    if (file < 0)
        return;
    if (write(file, line, (size_t)length) != length)
        fprintf(stderr, "kill_context: cannot write '%s'\n", path);
    close(file);
}

/* A pointer to a function has the size of one to an object wherever there is a dlsym. */
static bool look_up(void *library, const char *name, void *function)
{
    void *const found = dlsym(library, name);
    memcpy(function, &found, sizeof found);
    return found != NULL;
}

static bool find_driver(struct driver *driver)
{
    void *const library = dlopen("libcuda.so.1", RTLD_NOW);
    return library && look_up(library, "cuInit", &driver->initialise) &&
           look_up(library, "cuDeviceGet", &driver->get_device) &&
           look_up(library, "cuDevicePrimaryCtxGetState", &driver->get_state) &&
           look_up(library, "cuDevicePrimaryCtxRetain", &driver->retain) &&
           look_up(library, "cuCtxSetCurrent", &driver->set_current) &&
           look_up(library, "cuModuleLoadData", &driver->load) &&
           look_up(library, "cuModuleGetFunction", &driver->get_function) &&
           look_up(library, "cuLaunchKernel", &driver->launch) &&
           look_up(library, "cuStreamSynchronize", &driver->wait);
}

/* False where the program ends, or has no use for the device. */
static bool wait_for_context(const struct driver *driver, int device)
{
    unsigned flags = 0;
    int active = 0;
    while (driver->get_state(device, &flags, &active) == 0) {
        if (active)
            return true;
        sleep_for(0.1);
    }
    return false;
}

/* Loads the kernel at once, so that after the delay only the launch remains. */
static int prepare(const struct driver *driver, int device, handle *function)
{
    handle context = NULL, module = NULL;
    int code = driver->retain(&context, device);
    if (code == 0)
        code = driver->set_current(context);
    if (code == 0)
        code = driver->load(&module, kernel);
    if (code == 0)
        code = driver->get_function(function, module, "lose");
    return code;
}

static void fire(const struct driver *driver, handle function)
{
    tell("firing", 0);
    int code = driver->launch(function, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL);
    if (code == 0)
        code = driver->wait(NULL);
    tell("the device says", code);
}

static void *run(void *after)
{
    struct driver driver;
    handle function = NULL;
    int device = 0;
    if (!find_driver(&driver) || driver.initialise(0) || driver.get_device(&device, 0) ||
        !wait_for_context(&driver, device))
        return NULL;
    const int code = prepare(&driver, device, &function);
    if (code) {
        tell("failed: the kernel cannot be loaded:", code);
        return NULL;
    }
    sleep_for(strtod(after, NULL));
    fire(&driver, function);
    return NULL;
}

__attribute__((constructor)) static void start(void)
{
    char *const after = getenv("SHEPARD_KILL_AFTER");
    pthread_t thread;
    if (after && pthread_create(&thread, NULL, run, after) == 0)
        pthread_detach(thread);
}
