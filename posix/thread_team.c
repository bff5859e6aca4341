/* SPDX-License-Identifier: MIT */
#include "thread_team.h"

#include "background.h"

struct member {
    struct shepard_background background;
    void (*work)(void *user, int thread);
    void *user;
    int thread;
};

int shepard_team_size(int threads)
{
    return threads < 1 ? 1 : threads < SHEPARD_TEAM_MAX ? threads : SHEPARD_TEAM_MAX;
}

size_t shepard_team_share(size_t count, int thread, int threads)
{
    const size_t t = (size_t)thread, all = (size_t)threads, rest = count % all;
    return t * (count / all) + (t < rest ? t : rest);
}

static void *run(void *user)
{
    const struct member *const member = user;
    member->work(member->user, member->thread);
    return NULL;
}

void shepard_team_run(int threads, void (*work)(void *user, int thread), void *user)
{
    struct member members[SHEPARD_TEAM_MAX];
    for (int t = 1; t < threads; t++) {
        members[t] = (struct member){.work = work, .user = user, .thread = t};
        shepard_background_start(&members[t].background, run, &members[t]);
    }
    work(user, 0);
    for (int t = 1; t < threads; t++)
        shepard_background_wait(&members[t].background);
}
