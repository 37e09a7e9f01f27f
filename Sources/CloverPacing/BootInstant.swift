import Glibc

/// A moment on `CLOCK_BOOTTIME` (clock_gettime(2)): nanoseconds since this machine started, time asleep included. All
/// processes of one boot agree on it, and setting the wall clock does not move it.
package struct BootInstant: Comparable, Hashable, Sendable {
    /// Nanoseconds since the machine started.
    package let nanoseconds: Int64

    /// A known moment, as read from a ledger or made up by a test.
    package init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// The present moment.
    package static var now: BootInstant {
        var time = timespec()
        // Cannot fail: the clock exists since Linux 2.6.39 and the pointer is good.
        clock_gettime(CLOCK_BOOTTIME, &time)
        return BootInstant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// Blocks the thread until the moment; not at all when it has passed.
    static func sleep(until moment: BootInstant) {
        var time = timespec(
            tv_sec: Int(moment.nanoseconds / 1_000_000_000), tv_nsec: Int(moment.nanoseconds % 1_000_000_000))
        // Signals interrupt it (clock_nanosleep(2)).
        while clock_nanosleep(CLOCK_BOOTTIME, Int32(TIMER_ABSTIME), &time, nil) == EINTR {}
    }

    package static func < (left: BootInstant, right: BootInstant) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    /// The moment so many nanoseconds later, or earlier when negative.
    package func advanced(by nanoseconds: Int64) -> BootInstant {
        BootInstant(nanoseconds: self.nanoseconds + nanoseconds)
    }

    /// Nanoseconds from `earlier` to this moment; negative when that one is later.
    package func nanoseconds(since earlier: BootInstant) -> Int64 {
        nanoseconds - earlier.nanoseconds
    }
}
