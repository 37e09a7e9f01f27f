import CLinux
import CloverSystem
import Glibc

/// A time on `CLOCK_BOOTTIME` (clock_gettime(2)): nanoseconds since this machine started, including time suspended. All
/// processes of one boot agree on it, and setting the wall clock does not change it.
package struct BootInstant: Comparable, Hashable, Sendable {
    /// Nanoseconds since the machine started.
    package let nanoseconds: Int64

    /// A known time, read from a ledger or chosen by a test.
    package init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// The start of the machine; in a ledger, "never".
    package static let boot = BootInstant(nanoseconds: 0)

    package static var now: BootInstant {
        var time = timespec()
        // Cannot fail: the clock exists since Linux 2.6.39 and the pointer is good.
        clock_gettime(CLOCK_BOOTTIME, &time)
        return BootInstant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// Blocks the thread until the given time; returns immediately if it has passed.
    static func sleep(until moment: BootInstant) {
        var time = timespec(
            tv_sec: Int(moment.nanoseconds / 1_000_000_000), tv_nsec: Int(moment.nanoseconds % 1_000_000_000))
        // Signals interrupt the sleep (clock_nanosleep(2)).
        while clock_nanosleep(CLOCK_BOOTTIME, Int32(TIMER_ABSTIME), &time, nil) == EINTR {}
    }

    package static func < (left: BootInstant, right: BootInstant) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    /// The time this many nanoseconds later; earlier if negative.
    package func advanced(by nanoseconds: Int64) -> BootInstant {
        BootInstant(nanoseconds: self.nanoseconds + nanoseconds)
    }

    /// Nanoseconds from `earlier` to this time; negative if `earlier` is later.
    package func nanoseconds(since earlier: BootInstant) -> Int64 {
        nanoseconds - earlier.nanoseconds
    }
}

/// The kernel's random identifier of this boot, from `/proc/sys/kernel/random/boot_id` (random(4)). Times of another
/// boot are meaningless.
package struct BootIdentity: Equatable, Sendable {
    /// The 16 bytes of the UUID.
    package let bytes: [UInt8]

    /// An identity from the given bytes; nil unless there are 16.
    package init?(bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// Reads the identity of the running kernel.
    package static func current() throws(LedgerError) -> BootIdentity {
        let path = "/proc/sys/kernel/random/boot_id"
        let text: [UInt8]
        do {
            text = try Descriptor(opening: path, in: AT_FDCWD, flags: O_RDONLY).read(limit: 64)
        } catch {
            throw .storage(.system(.read, path: path, errno: error.code))
        }
        guard let identity = BootIdentity(hexadecimal: text) else {
            throw .storage(.system(.read, path: path, errno: EINVAL))
        }
        return identity
    }

    /// The identity as 32 hexadecimal digits.
    package var text: String { bytes.hexadecimalDigits }

    /// Skips all characters but hexadecimal digits.
    init?(hexadecimal text: [UInt8]) {
        let digits = text.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        guard digits.count == 32 else { return nil }
        bytes = stride(from: 0, to: 32, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}

/// A timer on `CLOCK_BOOTTIME` (timerfd_create(2)). Unlike clock_nanosleep(2), it lets the thread poll other
/// descriptors while it waits; it also stays correct across suspend.
final class BootTimer: Sendable {
    private let descriptor: Descriptor

    /// Readable once the timer has expired.
    var number: Int32 { descriptor.number }

    init() throws(LedgerError) {
        let number = timerfd_create(CLOCK_BOOTTIME, Int32(TFD_CLOEXEC) | Int32(TFD_NONBLOCK))
        guard number >= 0 else { throw .system(call: "timerfd_create", errno: errno) }
        descriptor = Descriptor(owning: number)
    }

    /// Sets the expiry time, replacing any earlier one; nil disarms the timer. Also makes the descriptor unreadable
    /// again.
    func set(_ moment: BootInstant?) throws(LedgerError) {
        var setting = itimerspec()
        if let moment {
            // Zero would disarm the timer.
            let nanoseconds = max(moment.nanoseconds, 1)
            setting.it_value = timespec(
                tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
        }
        guard timerfd_settime(number, Int32(TFD_TIMER_ABSTIME), &setting, nil) == 0 else {
            throw .system(call: "timerfd_settime", errno: errno)
        }
    }
}
