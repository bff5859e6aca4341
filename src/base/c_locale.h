/* SPDX-License-Identifier: MIT */
/* The C locale for this thread alone: strtod and printf use the locale of the thread. */
#ifndef SHEPARD_BASE_C_LOCALE_H
#define SHEPARD_BASE_C_LOCALE_H

#include <locale.h>
#if defined(_WIN32)
#include <stdio.h>
#endif

/* What the thread had before. */
struct shepard_c_locale {
#if defined(_WIN32)
    int of_thread;    /* whether it had a locale of its own */
    char before[128]; /* the name */
#else
    locale_t c, before;
#endif
};

static inline struct shepard_c_locale shepard_c_locale_begin(void)
{
#if defined(_WIN32)
    struct shepard_c_locale locale = {.of_thread = _configthreadlocale(_ENABLE_PER_THREAD_LOCALE)};
    snprintf(locale.before, sizeof locale.before, "%s", setlocale(LC_NUMERIC, NULL));
    setlocale(LC_NUMERIC, "C");
#else
    struct shepard_c_locale locale = {.c = newlocale(LC_ALL_MASK, "C", (locale_t)0)};
    locale.before = uselocale(locale.c);
#endif
    return locale;
}

static inline void shepard_c_locale_end(const struct shepard_c_locale *locale)
{
#if defined(_WIN32)
    setlocale(LC_NUMERIC, locale->before);
    _configthreadlocale(locale->of_thread);
#else
    uselocale(locale->before);
    if (locale->c != (locale_t)0)
        freelocale(locale->c);
#endif
}

#endif
