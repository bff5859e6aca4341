/* SPDX-License-Identifier: MIT */
#include "shepard/shepard.h"

const char *shepard_status_text(enum shepard_status status)
{
#define STATUS_TEXT(name, text) text,
    static const char *const texts[] = {SHEPARD_STATUS_LIST(STATUS_TEXT)};
#undef STATUS_TEXT
    if ((int)status < 0 || status >= SHEPARD_STATUS_COUNT)
        return "unknown status";
    return texts[status];
}

const char *shepard_version(void)
{
    return SHEPARD_VERSION;
}
