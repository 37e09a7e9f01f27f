// Headers of the C library and the kernel that the toolchain's Glibc module omits: declarations, and functions for
// variadic calls.
#ifndef CLINUX_SHIM_H
#define CLINUX_SHIM_H

#include <malloc.h>        // mallopt(3): limits how much freed memory is kept
#include <spawn.h>         // posix_spawn(3): starts child processes
#include <sys/eventfd.h>   // eventfd(2): wakes threads from poll(2)
#include <sys/prctl.h>     // prctl(2), which is variadic
#include <sys/statfs.h>    // fstatfs(2): statvfs(3) of glibc 2.36 has no file system type
#include <sys/syscall.h>   // the numbers of syscall(2)
#include <sys/timerfd.h>   // timerfd_create(2): waits on CLOCK_BOOTTIME while polling other descriptors

// F_OFD_GETLK and F_OFD_SETLK of fcntl(2). <fcntl.h> declares them only under _GNU_SOURCE, which the
// Glibc module does not set. The values are the same on every Linux architecture (asm-generic/fcntl.h).
static const int clover_ofd_getlk = 36;
static const int clover_ofd_setlk = 37;

// syscall(2) for what the C library of Ubuntu 22.04 (glibc 2.35) lacks. <unistd.h> declares it under _DEFAULT_SOURCE.
long syscall(long number, ...);

// pidfd_open(2): waits for a process's end while reading its output. The C library has it since glibc 2.36.
static inline int clover_pidfd_open(pid_t pid, unsigned int flags) {
    return (int)syscall(SYS_pidfd_open, pid, flags);
}

// pipe2(2), for pipes that no child process inherits. <unistd.h> declares it only under _GNU_SOURCE.
int pipe2(int ends[2], int flags);

// memfd_create(2), a file without a directory; glibc 2.27. <sys/mman.h> declares it and its flag only under _GNU_SOURCE.
int memfd_create(const char *name, unsigned int flags);
static const unsigned int clover_mfd_cloexec = 1;

// Closes every descriptor from `from` on in the child process; glibc 2.34. <spawn.h> declares it only under
// _GNU_SOURCE.
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);

// Changes the directory in the child process; glibc 2.29. <spawn.h> declares it only under _GNU_SOURCE.
int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);

// Turning PR_SET_DUMPABLE off cannot fail.
static inline void clover_set_not_dumpable(void) {
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

// At most 15 bytes are kept; prctl(2), PR_SET_NAME, of the calling thread. It cannot fail.
static inline void clover_name_thread(const char *name) {
    prctl(PR_SET_NAME, name, 0, 0, 0);
}

#endif
