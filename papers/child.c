/* SPDX-License-Identifier: MIT */
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static int connect_stream(posix_spawn_file_actions_t *actions, FILE *file, int to, int flags)
{
    if (file)
        return posix_spawn_file_actions_adddup2(actions, fileno(file), to);
    return posix_spawn_file_actions_addopen(actions, to, "/dev/null", flags, 0);
}

/* Signals that this program holds back or catches end the child as usual. */
static int free_signals(posix_spawnattr_t *attributes)
{
    sigset_t none, caught;
    sigemptyset(&none);
    sigemptyset(&caught);
    sigaddset(&caught, SIGINT);
    sigaddset(&caught, SIGTERM);
    sigaddset(&caught, SIGHUP);
    sigaddset(&caught, SIGPIPE);
    int fault = posix_spawnattr_setsigmask(attributes, &none);
    if (!fault)
        fault = posix_spawnattr_setsigdefault(attributes, &caught);
    if (!fault)
        fault =
            posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    return fault;
}

static int start(const char *const arguments[], const posix_spawn_file_actions_t *actions,
                 const posix_spawnattr_t *attributes, pid_t *child)
{
    /* posix_spawnp takes the texts without const and leaves them as they are. */
    union {
        const char *const *given;
        char *const *taken;
    } argv = {arguments};
    return posix_spawnp(child, arguments[0], actions, attributes, argv.taken, environ);
}

static int wait_for(pid_t child)
{
    int status = 0;
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR)
            return SHEPARD_CHILD_MISSING;
    }
    const int missing = 127; /* some systems notice only in the child that there is no program */
    if (WIFSIGNALED(status))
        return 128 + WTERMSIG(status);
    return WEXITSTATUS(status) == missing ? SHEPARD_CHILD_MISSING : WEXITSTATUS(status);
}

int shepard_child_run(const char *const arguments[], struct shepard_child_streams streams)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    pid_t child = 0;
    if (posix_spawn_file_actions_init(&actions))
        return SHEPARD_CHILD_MISSING;
    if (posix_spawnattr_init(&attributes)) {
        posix_spawn_file_actions_destroy(&actions);
        return SHEPARD_CHILD_MISSING;
    }
    int fault = connect_stream(&actions, streams.in, STDIN_FILENO, O_RDONLY);
    if (!fault)
        fault = connect_stream(&actions, streams.out, STDOUT_FILENO, O_WRONLY);
    if (!fault)
        fault = connect_stream(&actions, streams.err, STDERR_FILENO, O_WRONLY);
    if (!fault)
        fault = free_signals(&attributes);
    if (!fault)
        fault = start(arguments, &actions, &attributes, &child);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return fault ? SHEPARD_CHILD_MISSING : wait_for(child);
}
