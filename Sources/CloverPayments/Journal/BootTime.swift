/// A moment on the clock of one boot of the machine, which nobody can set. Moments of two boots cannot be compared.
package struct BootTime: Codable, Sendable, Equatable {
    /// The kernel's random name of the boot.
    package let boot: String
    /// Milliseconds since the machine started, time asleep included.
    package let milliseconds: Int64

    package init(boot: String, milliseconds: Int64) {
        self.boot = boot
        self.milliseconds = milliseconds
    }

    /// Milliseconds from `earlier` until now.
    ///
    /// - Returns: nil when the machine was started anew in between, or when either moment is unknown.
    static func age(of earlier: BootTime?, now: BootTime?) -> Int64? {
        guard let earlier, let now, earlier.boot == now.boot, now.milliseconds >= earlier.milliseconds else {
            return nil
        }
        return now.milliseconds - earlier.milliseconds
    }
}
