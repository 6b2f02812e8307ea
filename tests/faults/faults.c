/* A library to preload: it fails, cuts or ends the n-th file operation below a folder, as a full or dying disk would.
 *
 *   FAULTS_UNDER  the folder, an absolute path; other files, pipes and the terminal are left alone
 *   FAULTS_LOG    appends a line for each counted operation: its number, name and path
 *   FAULTS_AT     the number of the operation to disturb, from 1; without it operations are only counted
 *   FAULTS_DO     an errno (ENOSPC, EIO, EINTR, EDQUOT, EROFS, EACCES, EMFILE), which the operation returns undone;
 *                 `short`: half of a write is done; `kill`: the process ends before the operation; `torn`: it ends
 *                 after half of a write
 *   FAULTS_ON     if set, every operation from FAULTS_AT on returns the errno: a disk that stays full
 *
 * Counted are writes, syncs, truncations, renames, links, removals, new folders, and opening for writing.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum { MOST_FILES = 65536, PATH_SHOWN = 512 };

/* Which descriptors are files below the folder. */
static atomic_bool below[MOST_FILES];
static atomic_long count;

static const char *under, *action;
static long at;
static bool stays;
static int log_to = -1, error;

static const struct { const char *name; int value; } ERRORS[] = {
    {"ENOSPC", ENOSPC}, {"EIO", EIO},       {"EINTR", EINTR},   {"EDQUOT", EDQUOT},
    {"EROFS", EROFS},   {"EACCES", EACCES}, {"EMFILE", EMFILE},
};

/* The function of the C library that ours stands before. */
#define NEXT(name) \
    static typeof(&name) next; \
    if (!next) next = (typeof(&name))dlsym(RTLD_NEXT, #name)

__attribute__((constructor)) static void begin(void) {
    under = getenv("FAULTS_UNDER");
    action = getenv("FAULTS_DO");
    at = getenv("FAULTS_AT") ? atol(getenv("FAULTS_AT")) : 0;
    stays = getenv("FAULTS_ON") != NULL;
    for (size_t i = 0; action && i < sizeof ERRORS / sizeof *ERRORS; i++)
        if (strcmp(action, ERRORS[i].name) == 0) error = ERRORS[i].value;
    const char *log = getenv("FAULTS_LOG");
    if (log) log_to = (int)open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
}

static bool is_below(const char *path) {
    return under && path && strncmp(path, under, strlen(under)) == 0;
}

static bool is_ours(int fd) {
    return fd >= 0 && fd < MOST_FILES && below[fd];
}

static void note(long number, const char *name, const char *path) {
    char line[PATH_SHOWN];
    int length = snprintf(line, sizeof line, "%ld %s %s\n", number, name, path);
    if (length >= (int)sizeof line) length = sizeof line - 1;
    /* The log is not below the folder: this write is not counted. */
    if (log_to >= 0 && write(log_to, line, (size_t)length) < 0) log_to = -1;
}

static void end_process(void) {
    kill(getpid(), SIGKILL);
    pause();
}

enum verdict { GO_ON, FAIL, HALVE };
/* Operations that only happen or fail; those that a signal may interrupt; and those that may be done in part. */
enum kind { WHOLE, INTERRUPTIBLE, WRITES };

/* Counts an operation, and says what becomes of it. */
static enum verdict judge(const char *name, const char *path, enum kind kind) {
    long number = ++count;
    note(number, name, path);
    if (!at || !action || number < at || (number > at && !stays)) return GO_ON;
    if (error == EINTR && kind == WHOLE) return GO_ON;
    if (error) {
        errno = error;
        return FAIL;
    }
    if (strcmp(action, "kill") == 0 || (strcmp(action, "torn") == 0 && kind != WRITES)) end_process();
    return kind == WRITES ? HALVE : GO_ON;
}

static void after_half(void) {
    if (strcmp(action, "torn") == 0) end_process();
}

ssize_t write(int fd, const void *bytes, size_t size) {
    NEXT(write);
    if (!is_ours(fd)) return next(fd, bytes, size);
    enum verdict verdict = judge("write", "", WRITES);
    if (verdict == FAIL) return -1;
    if (verdict == GO_ON || size < 2) return next(fd, bytes, size);
    ssize_t written = next(fd, bytes, size / 2);
    after_half();
    return written;
}

ssize_t writev(int fd, const struct iovec *parts, int many) {
    NEXT(writev);
    if (!is_ours(fd)) return next(fd, parts, many);
    enum verdict verdict = judge("writev", "", WRITES);
    if (verdict == FAIL) return -1;
    ssize_t written = next(fd, parts, verdict == HALVE && many > 1 ? many / 2 : many);
    if (verdict == HALVE) after_half();
    return written;
}

ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t place) {
    NEXT(pwrite64);
    if (!is_ours(fd)) return next(fd, bytes, size, place);
    enum verdict verdict = judge("pwrite", "", WRITES);
    if (verdict == FAIL) return -1;
    if (verdict == GO_ON || size < 2) return next(fd, bytes, size, place);
    ssize_t written = next(fd, bytes, size / 2, place);
    after_half();
    return written;
}

ssize_t copy_file_range(int from, off64_t *from_at, int to, off64_t *to_at, size_t size, unsigned flags) {
    NEXT(copy_file_range);
    if (is_ours(to) && judge("copy", "", INTERRUPTIBLE) == FAIL) return -1;
    return next(from, from_at, to, to_at, size, flags);
}

/* Operations on a descriptor, and on one or two paths, that are done or fail. */
#define ON_FILE(name, parameters, arguments, fd) \
    int name parameters { \
        NEXT(name); \
        if (is_ours(fd) && judge(#name, "", INTERRUPTIBLE) == FAIL) return -1; \
        return next arguments; \
    }
#define ON_PATH(name, parameters, arguments, path) \
    int name parameters { \
        NEXT(name); \
        if (is_below(path) && judge(#name, path, WHOLE) == FAIL) return -1; \
        return next arguments; \
    }

ON_FILE(fsync, (int fd), (fd), fd)
ON_FILE(fdatasync, (int fd), (fd), fd)
ON_FILE(ftruncate64, (int fd, off64_t size), (fd, size), fd)
ON_PATH(rename, (const char *from, const char *to), (from, to), to)
ON_PATH(link, (const char *from, const char *to), (from, to), to)
ON_PATH(linkat, (int a, const char *from, int b, const char *to, int flags), (a, from, b, to, flags), to)
ON_PATH(mkdir, (const char *path, mode_t mode), (path, mode), path)
ON_PATH(unlink, (const char *path), (path), path)

static int opened(int fd, const char *path) {
    if (fd >= 0 && fd < MOST_FILES) below[fd] = is_below(path);
    return fd;
}

/* Folders are opened to be synced; their syncs count, too. */
#define OPEN(name) \
    int name(const char *path, int flags, ...) { \
        NEXT(name); \
        va_list more; \
        va_start(more, flags); \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0; \
        va_end(more); \
        bool writes = (flags & O_ACCMODE) != O_RDONLY; \
        if (is_below(path) && writes && judge("open", path, INTERRUPTIBLE) == FAIL) return -1; \
        return opened(next(path, flags, mode), path); \
    }

OPEN(open)
OPEN(open64)

int close(int fd) {
    NEXT(close);
    if (fd >= 0 && fd < MOST_FILES) below[fd] = false;
    return next(fd);
}
