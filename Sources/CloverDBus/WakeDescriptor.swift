import CLinux
import Glibc

/// Wakes the bus thread out of poll(2): an eventfd(2), closed with the object.
final class WakeDescriptor: Sendable {
    /// Readable after somebody called ``wake()``.
    let number: Int32

    init() throws(DBusError) {
        let descriptor = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
        guard descriptor >= 0 else { throw .system(call: "eventfd", errno: errno) }
        number = descriptor
    }

    deinit { close(number) }

    /// Never blocks: a counter that is full is readable already.
    func wake() {
        while eventfd_write(number, 1) != 0, errno == EINTR {}
    }

    /// Makes it wait for the next wake.
    func reset() {
        var count: eventfd_t = 0
        while eventfd_read(number, &count) != 0, errno == EINTR {}
    }
}
