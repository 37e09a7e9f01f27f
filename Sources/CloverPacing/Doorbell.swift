import CLinux
import CloverStorage
import Glibc

/// Wakes the ledger's thread out of `poll(2)`: an eventfd(2) that anybody may ring at any time.
final class Doorbell: Sendable {
    private let descriptor: Descriptor

    /// Readable after it was rung.
    var number: Int32 { descriptor.number }

    init() throws(LedgerError) {
        let number = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
        guard number >= 0 else { throw .system(call: "eventfd", errno: errno) }
        descriptor = Descriptor(owning: number)
    }

    /// Rings; never blocks. A full counter means that it has been ringing all along.
    func ring() {
        while eventfd_write(number, 1) != 0, errno == EINTR {}
    }

    /// Stops the ringing.
    func silence() {
        var count: eventfd_t = 0
        while eventfd_read(number, &count) != 0, errno == EINTR {}
    }
}
