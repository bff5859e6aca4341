/* SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE
#include "journal.h"

#include "checksum.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Before each record: its size and its checksum. */
struct record_head {
    uint64_t size, checksum;
};

static const uint64_t record_max = (uint64_t)1 << 32;

int shepard_write_at(int file, const void *bytes, size_t size, uint64_t place)
{
    const char *from = bytes;
    while (size > 0) {
        const ssize_t n = pwrite(file, from, size, (off_t)place);
        if (n < 0 && errno != EINTR)
            return errno;
        if (n > 0) {
            from += n;
            size -= (size_t)n;
            place += (uint64_t)n;
        }
    }
    return 0;
}

bool shepard_read_at(int file, void *bytes, size_t size, uint64_t place)
{
    char *to = bytes;
    while (size > 0) {
        const ssize_t n = pread(file, to, size, (off_t)place);
        if (n == 0 || (n < 0 && errno != EINTR))
            return false;
        if (n > 0) {
            to += n;
            size -= (size_t)n;
            place += (uint64_t)n;
        }
    }
    return true;
}

static void sync_folder_of(const char *path)
{
    char folder[4096];
    const char *const end = strrchr(path, '/');
    snprintf(folder, sizeof folder, "%.*s", end ? (int)(end - path + 1) : 1, end ? path : ".");
    const int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file >= 0) {
        fsync(file);
        close(file);
    }
}

/* It gets its name when it is whole. */
int shepard_journal_begin(struct shepard_journal *journal, const char *path, const void *record,
                          size_t size)
{
    char draft[4096];
    if (snprintf(draft, sizeof draft, "%s.draft", path) >= (int)sizeof draft)
        return ENAMETOOLONG;
    *journal =
        (struct shepard_journal){.file = open(draft, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600)};
    if (journal->file < 0)
        return errno;
    int reason = shepard_journal_append(journal, record, size);
    if (!reason && (fsync(journal->file) != 0 || rename(draft, path) != 0))
        reason = errno;
    if (reason)
        shepard_journal_close(journal);
    else
        sync_folder_of(path);
    return reason;
}

int shepard_journal_open(struct shepard_journal *journal, const char *path)
{
    *journal = (struct shepard_journal){.file = open(path, O_RDWR | O_CLOEXEC)};
    return journal->file < 0 ? errno : 0;
}

unsigned char *shepard_journal_read(struct shepard_journal *journal, size_t *size)
{
    struct record_head head;
    if (!shepard_read_at(journal->file, &head, sizeof head, journal->end) || head.size > record_max)
        return NULL;
    *size = (size_t)head.size;
    unsigned char *record = malloc(*size + 1);
    if (record && shepard_read_at(journal->file, record, *size, journal->end + sizeof head) &&
        shepard_checksum_add(0, record, *size) == head.checksum) {
        journal->end += sizeof head + *size;
        return record;
    }
    free(record);
    return NULL;
}

int shepard_journal_cut(struct shepard_journal *journal, uint64_t end)
{
    journal->end = end;
    return ftruncate(journal->file, (off_t)end) == 0 ? 0 : errno;
}

int shepard_journal_append(struct shepard_journal *journal, const void *record, size_t size)
{
    const struct record_head head = {.size = size,
                                     .checksum = shepard_checksum_add(0, record, size)};
    int reason = shepard_write_at(journal->file, &head, sizeof head, journal->end);
    if (!reason)
        reason = shepard_write_at(journal->file, record, size, journal->end + sizeof head);
    if (!reason)
        journal->end += sizeof head + size;
    return reason;
}

void shepard_journal_close(struct shepard_journal *journal)
{
    if (journal->file >= 0)
        close(journal->file);
    *journal = (struct shepard_journal){.file = -1};
}
