import Glibc

/// Keeps descriptors 0, 1 and 2 occupied before anything else is opened.
enum StandardDescriptors {
    /// Fills each one that the parent left closed, so that no other file or pipe gets its number and is mistaken for
    /// it. Reading or writing it still fails with EBADF, because /dev/null is opened for the opposite direction.
    static func occupy() {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) == -1 {
            // open(2) returns the lowest free descriptor, which is the one that was found closed.
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }
}
