import CLinux
import CloverStorage
import Glibc

/// A timer on `CLOCK_BOOTTIME` (timerfd_create(2)). Unlike clock_nanosleep(2) it lets the thread hear other
/// descriptors while it waits, and it is right also after the machine was asleep.
final class BootTimer: Sendable {
    private let descriptor: Descriptor

    /// Readable once the moment has come.
    var number: Int32 { descriptor.number }

    init() throws(LedgerError) {
        let number = timerfd_create(CLOCK_BOOTTIME, Int32(TFD_CLOEXEC) | Int32(TFD_NONBLOCK))
        guard number >= 0 else { throw .system(call: "timerfd_create", errno: errno) }
        descriptor = Descriptor(owning: number)
    }

    /// Sets the moment, replacing an earlier one; nil for never. Setting it also makes it unreadable again.
    func set(_ moment: BootInstant?) throws(LedgerError) {
        var setting = itimerspec()
        if let moment {
            // Zero would mean never.
            let nanoseconds = max(moment.nanoseconds, 1)
            setting.it_value = timespec(
                tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
        }
        guard timerfd_settime(number, Int32(TFD_TIMER_ABSTIME), &setting, nil) == 0 else {
            throw .system(call: "timerfd_settime", errno: errno)
        }
    }
}
