/* SPDX-License-Identifier: MIT */
/* What a call says while it runs: its notice, and progress that must rise. */
#ifndef SHEPARD_TESTS_CUDA_CALL_WATCH_CUH
#define SHEPARD_TESTS_CUDA_CALL_WATCH_CUH

#include "shepard/shepard.h"

#include <string>

struct call_watch {
    std::string notice;
    double reached = 0; /* of its progress */
    double stop_at = 2; /* fraction at which it is cancelled */
    bool rises = true;

    /* To be given to one call, during which this stays where it is. */
    shepard_control control()
    {
        shepard_control given = {};
        given.size = sizeof given;
        given.notice = keep_notice;
        given.progress = keep_progress;
        given.user = this;
        return given;
    }

  private:
    static void keep_notice(const char *text, void *to)
    {
        static_cast<call_watch *>(to)->notice = text;
    }
    static bool keep_progress(double fraction, void *to)
    {
        call_watch *const own = static_cast<call_watch *>(to);
        own->rises = own->rises && fraction >= own->reached && fraction <= 1;
        own->reached = fraction;
        return fraction < own->stop_at;
    }
};

#endif
