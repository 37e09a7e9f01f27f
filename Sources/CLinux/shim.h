// Headers of the C library and the kernel that the toolchain's Glibc module leaves out.
// Declarations only: nothing here is compiled into the program.
#ifndef CLINUX_SHIM_H
#define CLINUX_SHIM_H

#include <sys/eventfd.h>   // eventfd(2): waking the ledger's thread
#include <sys/statfs.h>    // fstatfs(2): statvfs(3) of glibc 2.36 has no file system type
#include <sys/timerfd.h>   // timerfd_create(2): sleeping on CLOCK_BOOTTIME and still hearing other descriptors

// F_OFD_GETLK and F_OFD_SETLK of fcntl(2). <fcntl.h> shows them only under _GNU_SOURCE, which the Glibc module does not
// set. The values are the same on every Linux architecture (asm-generic/fcntl.h).
static const int clover_ofd_getlk = 36;
static const int clover_ofd_setlk = 37;

// pipe2(2), for pipes that no child process inherits. <unistd.h> shows it only under _GNU_SOURCE.
int pipe2(int ends[2], int flags);

#endif
