import CloverStorage
import Glibc

/// The clocks that tokens are timed with. Handed in, so that tests need no waiting.
package struct TokenClock: Sendable {
    /// Milliseconds since 1970 UTC: what people mean by time, and what may be set back and forth.
    package let wall: @Sendable () -> Int64
    /// Milliseconds since this machine started, time asleep included (`CLOCK_BOOTTIME`, clock_gettime(2)).
    package let boot: @Sendable () -> Int64
    /// Names the start of the machine that `boot` counts from; empty when it is not known.
    package let bootID: @Sendable () -> String

    /// Puts clocks together.
    package init(
        wall: @escaping @Sendable () -> Int64, boot: @escaping @Sendable () -> Int64,
        bootID: @escaping @Sendable () -> String
    ) {
        self.wall = wall
        self.boot = boot
        self.bootID = bootID
    }

    /// What the clocks said at one moment.
    package struct Reading: Equatable, Sendable {
        /// Milliseconds since 1970 UTC.
        package let wall: Int64
        /// Milliseconds since the machine started.
        package let boot: Int64
        /// Names the start of the machine; empty when it is not known.
        package let bootID: String

        /// A known moment.
        package init(wall: Int64, boot: Int64, bootID: String) {
            self.wall = wall
            self.boot = boot
            self.bootID = bootID
        }
    }

    /// All clocks now.
    package var now: Reading {
        Reading(wall: wall(), boot: boot(), bootID: bootID())
    }

    /// The machine's clocks.
    package static let live = TokenClock(
        wall: { milliseconds(CLOCK_REALTIME) }, boot: { milliseconds(CLOCK_BOOTTIME) }, bootID: { machineBootID })

    private static func milliseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        // Cannot fail: both clocks exist on every Linux that we run on, and the pointer is good.
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    /// The kernel's random name of this boot (random(4)), read once: a process does not outlive it. Without it, times are
    /// compared on the wall clock.
    private static let machineBootID: String = {
        do {
            let file = try Descriptor(
                opening: "/proc/sys/kernel/random/boot_id", in: AT_FDCWD, flags: O_RDONLY)
            let text = String(decoding: try file.readFromStart(limit: 64), as: UTF8.self)
            return String(text.prefix { !$0.isWhitespace })
        } catch {
            return ""
        }
    }()
}
