import Glibc

/// Descriptors 0, 1 and 2 are taken before anything else is opened.
enum StandardDescriptors {
    /// Fills each one that the parent left closed, so that no file or pipe of ours comes to stand in its place and is
    /// taken for it. Reading or writing it fails with EBADF as before: /dev/null is opened the other way round.
    static func occupy() {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) == -1 {
            // The lowest free descriptor is the one that was found closed (open(2)).
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }
}
