/*
 * A library for LD_PRELOAD that kills or stops its process, as kill -9 or -STOP does, before or after the Nth system call
 * that changes lasting state: files below one folder, locks, sockets of the internet or of PostgreSQL, and standard output.
 *
 * KILL_POINT_FOLDER  the folder whose files are counted; if unset, nothing is counted
 * KILL_POINT_AT      the number of the call, from 1; if unset, no call kills
 * KILL_POINT_CALL    the name of the calls that KILL_POINT_AT counts, such as "rename"; if unset, all calls
 * KILL_POINT_ABOUT   a part of the path that those calls concern
 * KILL_POINT_SINCE   a text: counting starts with the call that sends it to a socket or pipe; if unset, with the first
 * KILL_POINT_DEED    "stop" stops the process, which a test continues; if unset, the process is killed
 * KILL_POINT_SIDE    "before" or "after" the call
 * KILL_POINT_LOG     a file that gets a line for each call, written before the call: number, name, subject
 * KILL_POINT_CUT     what is lost, as in a power failure: "bytes" for unsynced contents of these files, "names" for those
 *                    and for new names in folders that were not synced since, whose former files return; if unset,
 *                    nothing
 *
 * A receiving call is counted if it returned data, so that the number of calls does not depend on how often a program
 * polls without result.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

static atomic_int calls;
static atomic_int chosen_calls;
static atomic_int later_calls;
static atomic_int has_begun;
static int target = -1;
static const char *chosen_call;
static const char *chosen_about;
static const char *since;
static int stops;
static int kills_before;
static int log_descriptor = -1;
static char folder[PATH_MAX];
static int loses_bytes;
static int loses_names;

/* A file that was written to, with its contents at the last sync. */
struct image {
    dev_t device;
    ino_t number;
    int descriptor;
    int is_synced;
    char *bytes;
    size_t length;
};
static struct image images[512];
static int image_count;

/* A new name, until its folder is synced. */
struct new_name {
    char old[PATH_MAX];
    char name[PATH_MAX];
    /* A link to the file that had the name before; empty if there was none. */
    char kept[PATH_MAX];
};
static struct new_name new_names[64];
static int kept_count;
static int new_name_count;
/* Protects both arrays. The thread that kills the process never releases it. */
static pthread_mutex_t losses = PTHREAD_MUTEX_INITIALIZER;

__attribute__((constructor)) static void read_variables(void) {
    const char *name = getenv("KILL_POINT_FOLDER");
    const char *at = getenv("KILL_POINT_AT");
    const char *side = getenv("KILL_POINT_SIDE");
    const char *log = getenv("KILL_POINT_LOG");
    const char *cut = getenv("KILL_POINT_CUT");
    if (at != NULL) target = atoi(at);
    chosen_call = getenv("KILL_POINT_CALL");
    chosen_about = getenv("KILL_POINT_ABOUT");
    since = getenv("KILL_POINT_SINCE");
    const char *deed = getenv("KILL_POINT_DEED");
    stops = deed != NULL && strcmp(deed, "stop") == 0;
    loses_names = cut != NULL && strcmp(cut, "names") == 0;
    loses_bytes = cut != NULL;
    kills_before = side != NULL && strcmp(side, "before") == 0;
    if (log != NULL) {
        log_descriptor =
            (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    }
    if (name != NULL && strlen(name) < sizeof folder) strcpy(folder, name);
}

static void take_image(struct image *image) {
    struct stat status;
    if (syscall(SYS_fstat, image->descriptor, &status) != 0) abort();
    free(image->bytes);
    image->bytes = malloc((size_t)status.st_size + 1);
    if (image->bytes == NULL) abort();
    ssize_t length = syscall(SYS_pread64, image->descriptor, image->bytes, (size_t)status.st_size, 0L);
    if (length < 0) abort();
    image->length = (size_t)length;
    image->is_synced = 1;
}

/* Called before a file is changed, and after it was synced. Its contents before the first change count as synced. */
static void note_file(int descriptor, int is_sync) {
    struct stat status;
    if (!loses_bytes || syscall(SYS_fstat, descriptor, &status) != 0 || !S_ISREG(status.st_mode)) return;
    pthread_mutex_lock(&losses);
    int place = 0;
    while (place < image_count && (images[place].number != status.st_ino || images[place].device != status.st_dev)) place++;
    if (place == image_count) {
        /* The descriptor is kept, so that the file continues to exist and no other file gets its number. */
        char link[64];
        snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
        int own = (int)syscall(SYS_openat, AT_FDCWD, link, O_RDWR | O_CLOEXEC);
        if (own < 0 || place == sizeof images / sizeof images[0]) abort();
        images[image_count++] = (struct image){
            .device = status.st_dev, .number = status.st_ino, .descriptor = own};
        take_image(&images[place]);
    }
    if (is_sync) take_image(&images[place]);
    else images[place].is_synced = 0;
    pthread_mutex_unlock(&losses);
}

static void note_name(const char *old, const char *name) {
    if (!loses_names) return;
    pthread_mutex_lock(&losses);
    int place = 0;
    while (place < new_name_count && strcmp(new_names[place].name, name) != 0) place++;
    struct new_name *entry = &new_names[place];
    if (place == new_name_count) {
        if (place == sizeof new_names / sizeof new_names[0]) abort();
        new_name_count++;
        strcpy(entry->name, name);
        entry->kept[0] = 0;
        if (syscall(SYS_faccessat, AT_FDCWD, name, F_OK) == 0) {
            snprintf(entry->kept, sizeof entry->kept, "%.3000s/.kept-%d-%d", folder, (int)syscall(SYS_getpid), kept_count++);
            if (syscall(SYS_linkat, AT_FDCWD, name, AT_FDCWD, entry->kept, 0) != 0) abort();
        }
    }
    strcpy(entry->old, old);
    pthread_mutex_unlock(&losses);
}

static void note_synced_folder(const char *path) {
    size_t length = strlen(path);
    int kept = 0;
    pthread_mutex_lock(&losses);
    for (int place = 0; place < new_name_count; place++) {
        const char *name = new_names[place].name;
        int is_in = strncmp(name, path, length) == 0 && strrchr(name, '/') == name + length;
        if (!is_in) new_names[kept++] = new_names[place];
        else if (new_names[place].kept[0] != 0) syscall(SYS_unlinkat, AT_FDCWD, new_names[place].kept, 0);
    }
    new_name_count = kept;
    pthread_mutex_unlock(&losses);
}

static void die(void) {
    if (stops) {
        syscall(SYS_kill, syscall(SYS_getpid), SIGSTOP);
        return;
    }
    pthread_mutex_lock(&losses);
    for (int place = 0; place < image_count; place++) {
        struct image *image = &images[place];
        if (image->is_synced) continue;
        syscall(SYS_ftruncate, image->descriptor, 0L);
        syscall(SYS_pwrite64, image->descriptor, image->bytes, image->length, 0L);
    }
    while (new_name_count > 0) {
        struct new_name *last = &new_names[--new_name_count];
        syscall(SYS_renameat2, AT_FDCWD, last->name, AT_FDCWD, last->old, 0);
        if (last->kept[0] != 0) syscall(SYS_renameat2, AT_FDCWD, last->kept, AT_FDCWD, last->name, 0);
    }
    syscall(SYS_kill, syscall(SYS_getpid), SIGKILL);
    for (;;) pause();
}

/* If the program exits on its own, unsynced changes stay, but the links are removed. */
__attribute__((destructor)) static void drop_links(void) {
    for (int place = 0; place < new_name_count; place++) {
        if (new_names[place].kept[0] != 0) syscall(SYS_unlinkat, AT_FDCWD, new_names[place].kept, 0);
    }
}

static int is_inside(const char *path) {
    size_t length = strlen(folder);
    return length > 0 && strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == 0);
}

/* The path that a descriptor was opened with. */
static int path_of(int descriptor, char *path) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = syscall(SYS_readlinkat, AT_FDCWD, link, path, PATH_MAX - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return 1;
}

static int file_counts(int descriptor, char *path) {
    if (folder[0] == 0 || !path_of(descriptor, path)) return 0;
    if (descriptor == STDOUT_FILENO) return 1;
    return is_inside(path);
}

static int name_counts(int directory, const char *name, char *path) {
    if (folder[0] == 0 || name == NULL) return 0;
    if (name[0] == '/') {
        snprintf(path, PATH_MAX, "%s", name);
        return is_inside(path);
    }
    if (directory == AT_FDCWD || !path_of(directory, path)) return 0;
    size_t length = strlen(path);
    snprintf(path + length, PATH_MAX - length, "/%s", name);
    return is_inside(path);
}

static int socket_counts(int descriptor) {
    struct sockaddr_storage address;
    socklen_t length = sizeof address;
    if (folder[0] == 0) return 0;
    if (syscall(SYS_getsockname, descriptor, &address, &length) != 0) return 0;
    if (address.ss_family == AF_INET || address.ss_family == AF_INET6) return 1;
    if (address.ss_family != AF_UNIX) return 0;
    /* That of a PostgreSQL server. */
    struct sockaddr_un peer = {0};
    length = sizeof peer;
    if (syscall(SYS_getpeername, descriptor, &peer, &length) != 0) return 0;
    return memmem(peer.sun_path, sizeof peer.sun_path, ".s.PGSQL.", 9) != NULL;
}

/* Counts a call; kills the process if this call is the target, and the kill comes before it. */
static int begin(const char *name, const char *about) {
    int saved = errno;
    int number = atomic_fetch_add(&calls, 1) + 1;
    if (log_descriptor >= 0) {
        char line[PATH_MAX + 64];
        const char *last = strrchr(about, '/');
        int length = snprintf(line, sizeof line, "%d %s %s\n", number, name, last == NULL ? about : last + 1);
        syscall(SYS_write, log_descriptor, line, (size_t)length);
    }
    if (chosen_call != NULL) {
        int is_chosen = strcmp(name, chosen_call) == 0 && (chosen_about == NULL || strstr(about, chosen_about) != NULL);
        number = is_chosen ? atomic_fetch_add(&chosen_calls, 1) + 1 : INT_MAX;
    }
    if (since != NULL) number = atomic_load(&has_begun) ? atomic_fetch_add(&later_calls, 1) + 1 : INT_MAX;
    if (number == target && kills_before) die();
    errno = saved;
    return number;
}

static void end(int number) {
    if (number == target && !kills_before) die();
}

/* Whether counting starts with the bytes sent here. */
static int begins(const void *bytes, size_t count) {
    if (since == NULL || bytes == NULL || atomic_load(&has_begun)) return 0;
    if (memmem(bytes, count, since, strlen(since)) == NULL) return 0;
    atomic_store(&has_begun, 1);
    return 1;
}

#define REAL(type, name, ...)                                    \
    static type (*real)(__VA_ARGS__);                            \
    if (real == NULL) real = (type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

static int open_at(int directory, const char *name, int flags, mode_t mode) {
    char path[PATH_MAX];
    int number = name_counts(directory, name, path) ? begin(flags & O_CREAT ? "create" : "open", path) : 0;
    int result = (int)syscall(SYS_openat, directory, name, flags, mode);
    if (number) end(number);
    return result;
}

static mode_t mode_of(int flags, va_list arguments) {
    return flags & (O_CREAT | __O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
}

#define OPEN(function)                                            \
    int function(const char *name, int flags, ...) {              \
        va_list arguments;                                        \
        va_start(arguments, flags);                               \
        mode_t mode = mode_of(flags, arguments);                  \
        va_end(arguments);                                        \
        return open_at(AT_FDCWD, name, flags, mode);              \
    }
OPEN(open)
OPEN(open64)

#define OPENAT(function)                                          \
    int function(int directory, const char *name, int flags, ...) { \
        va_list arguments;                                        \
        va_start(arguments, flags);                               \
        mode_t mode = mode_of(flags, arguments);                  \
        va_end(arguments);                                        \
        return open_at(directory, name, flags, mode);             \
    }
OPENAT(openat)
OPENAT(openat64)

int flock(int descriptor, int operation) {
    char path[PATH_MAX];
    int number = file_counts(descriptor, path) ? begin(operation & LOCK_UN ? "unlock" : "lock", path) : 0;
    int result = (int)syscall(SYS_flock, descriptor, operation);
    if (number) end(number);
    return result;
}

static int control(int descriptor, int command, void *argument) {
    char path[PATH_MAX];
    int locks = command == F_SETLK || command == F_SETLKW || command == F_OFD_SETLK || command == F_OFD_SETLKW;
    int number = locks && file_counts(descriptor, path) ? begin("fcntl-lock", path) : 0;
    int result = (int)syscall(SYS_fcntl, descriptor, command, argument);
    if (number) end(number);
    return result;
}

#define CONTROL(function)                                         \
    int function(int descriptor, int command, ...) {              \
        va_list arguments;                                        \
        va_start(arguments, command);                             \
        void *argument = va_arg(arguments, void *);               \
        va_end(arguments);                                        \
        return control(descriptor, command, argument);            \
    }
CONTROL(fcntl)
CONTROL(fcntl64)

/* A call on a file: counted if the file is. */
#define ON_FILE(type, function, symbol, is_sync, parameters, ...) \
    type function parameters {                                    \
        REAL(type, symbol, ON_FILE_TYPES_##function);             \
        char path[PATH_MAX];                                      \
        int number = file_counts(descriptor, path) ? begin(symbol, path) : 0; \
        if (number && !(is_sync)) note_file(descriptor, 0);       \
        type result = real(__VA_ARGS__);                          \
        int saved = errno;                                        \
        if (number && (is_sync)) {                                \
            note_file(descriptor, 1);                             \
            note_synced_folder(path);                             \
        }                                                         \
        if (number) end(number);                                  \
        errno = saved;                                            \
        return result;                                            \
    }
/* Also counts a write to a pipe if its text starts the counting. */
ssize_t write(int descriptor, const void *bytes, size_t count) {
    REAL(ssize_t, "write", int, const void *, size_t);
    char path[PATH_MAX] = "";
    int is_file = file_counts(descriptor, path);
    int number = is_file || begins(bytes, count) ? begin("write", path) : 0;
    if (is_file) note_file(descriptor, 0);
    ssize_t result = real(descriptor, bytes, count);
    int saved = errno;
    if (number) end(number);
    errno = saved;
    return result;
}
#define ON_FILE_TYPES_writev int, const struct iovec *, int
ON_FILE(ssize_t, writev, "writev", 0, (int descriptor, const struct iovec *parts, int count), descriptor, parts, count)
#define ON_FILE_TYPES_pwrite int, const void *, size_t, off_t
ON_FILE(ssize_t, pwrite, "pwrite", 0, (int descriptor, const void *bytes, size_t count, off_t at), descriptor, bytes, count, at)
#define ON_FILE_TYPES_pwrite64 int, const void *, size_t, off64_t
ON_FILE(ssize_t, pwrite64, "pwrite64", 0, (int descriptor, const void *bytes, size_t count, off64_t at), descriptor, bytes, count, at)
#define ON_FILE_TYPES_fsync int
ON_FILE(int, fsync, "fsync", 1, (int descriptor), descriptor)
#define ON_FILE_TYPES_fdatasync int
ON_FILE(int, fdatasync, "fdatasync", 1, (int descriptor), descriptor)
#define ON_FILE_TYPES_ftruncate int, off_t
ON_FILE(int, ftruncate, "ftruncate", 0, (int descriptor, off_t length), descriptor, length)
#define ON_FILE_TYPES_ftruncate64 int, off64_t
ON_FILE(int, ftruncate64, "ftruncate64", 0, (int descriptor, off64_t length), descriptor, length)
#define ON_FILE_TYPES_fallocate int, int, off_t, off_t
ON_FILE(int, fallocate, "fallocate", 0, (int descriptor, int mode, off_t at, off_t length), descriptor, mode, at, length)
#define ON_FILE_TYPES_posix_fallocate int, off_t, off_t
ON_FILE(int, posix_fallocate, "posix_fallocate", 0, (int descriptor, off_t at, off_t length), descriptor, at, length)

static int rename_at(int from, const char *old, int to, const char *name, unsigned flags) {
    char path[PATH_MAX];
    char source[PATH_MAX];
    int number = name_counts(to, name, path) ? begin("rename", path) : 0;
    if (number && name_counts(from, old, source)) note_name(source, path);
    int result = (int)syscall(SYS_renameat2, from, old, to, name, flags);
    if (number) end(number);
    return result;
}

int rename(const char *old, const char *name) { return rename_at(AT_FDCWD, old, AT_FDCWD, name, 0); }
int renameat(int from, const char *old, int to, const char *name) { return rename_at(from, old, to, name, 0); }
int renameat2(int from, const char *old, int to, const char *name, unsigned flags) {
    return rename_at(from, old, to, name, flags);
}

int unlinkat(int directory, const char *name, int flags) {
    char path[PATH_MAX];
    int number = name_counts(directory, name, path) ? begin("unlink", path) : 0;
    int result = (int)syscall(SYS_unlinkat, directory, name, flags);
    if (number) end(number);
    return result;
}
int unlink(const char *name) { return unlinkat(AT_FDCWD, name, 0); }

int connect(int descriptor, const struct sockaddr *address, socklen_t length) {
    int number = socket_counts(descriptor) ? begin("connect", "") : 0;
    int result = (int)syscall(SYS_connect, descriptor, address, length);
    int saved = errno;
    if (number) end(number);
    errno = saved;
    return result;
}

#define ON_SENDING(function, parameters, types, begun, ...)       \
    ssize_t function parameters {                                 \
        REAL(ssize_t, #function, types);                          \
        (void)(begun);                                            \
        int number = socket_counts(descriptor) ? begin("send", "") : 0; \
        ssize_t result = real(__VA_ARGS__);                       \
        int saved = errno;                                        \
        if (number) end(number);                                  \
        errno = saved;                                            \
        return result;                                            \
    }
#define TYPES(...) __VA_ARGS__
ON_SENDING(send, (int descriptor, const void *bytes, size_t count, int flags), TYPES(int, const void *, size_t, int),
           begins(bytes, count), descriptor, bytes, count, flags)
ON_SENDING(sendto, (int descriptor, const void *bytes, size_t count, int flags, const struct sockaddr *to, socklen_t length),
           TYPES(int, const void *, size_t, int, const struct sockaddr *, socklen_t), begins(bytes, count), descriptor,
           bytes, count, flags, to, length)
ON_SENDING(sendmsg, (int descriptor, const struct msghdr *message, int flags), TYPES(int, const struct msghdr *, int), 0,
           descriptor, message, flags)

#define ON_RECEIVING(function, parameters, types, ...)            \
    ssize_t function parameters {                                 \
        REAL(ssize_t, #function, types);                          \
        ssize_t result = real(__VA_ARGS__);                       \
        int saved = errno;                                        \
        if (result > 0 && socket_counts(descriptor)) end(begin("receive", "")); \
        errno = saved;                                            \
        return result;                                            \
    }
ON_RECEIVING(recv, (int descriptor, void *bytes, size_t count, int flags), TYPES(int, void *, size_t, int), descriptor,
             bytes, count, flags)
ON_RECEIVING(recvfrom, (int descriptor, void *bytes, size_t count, int flags, struct sockaddr *from, socklen_t *length),
             TYPES(int, void *, size_t, int, struct sockaddr *, socklen_t *), descriptor, bytes, count, flags, from, length)
ON_RECEIVING(recvmsg, (int descriptor, struct msghdr *message, int flags), TYPES(int, struct msghdr *, int), descriptor,
             message, flags)
