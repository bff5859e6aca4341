/* SPDX-License-Identifier: MIT */
#include "background.h"

void shepard_background_start(struct shepard_background *background, void *(*work)(void *user),
                              void *user)
{
    background->runs = pthread_create(&background->thread, NULL, work, user) == 0;
    if (!background->runs)
        work(user);
}

void shepard_background_wait(struct shepard_background *background)
{
    if (background->runs)
        pthread_join(background->thread, NULL);
    background->runs = false;
}
