import CloverTestSupport
import Foundation

/// Time of the processors that nothing uses, because most of what runs waits.
enum SpareTime {
    /// Lets more through a turnstile as long as the processors are idle, and less again when they are not.
    /// - Parameter most: the weight that is added at most.
    static func fill(_ turnstile: WeightedSemaphore, most: Int) {
        Thread.detachNewThread {
            var added = 0
            var before = times()
            while true {
                Thread.sleep(forTimeInterval: 0.5)
                let now = times()
                let (idle, all) = (now.idle - before.idle, now.all - before.all)
                before = now
                let change = idle * 5 > all && added < most ? 1 : idle * 20 < all && added > 0 ? -1 : 0
                guard change != 0 else { continue }
                added += change
                turnstile.grow(by: change)
            }
        }
    }

    /// The times of all processors since the machine started (proc(5), /proc/stat); zero if they are not known.
    private static func times() -> (idle: Int, all: Int) {
        guard let line = (try? String(contentsOfFile: "/proc/stat", encoding: .utf8))?.split(separator: "\n").first
        else { return (0, 0) }
        // user, nice, system, idle, iowait, irq, softirq, steal; those of guests are in them.
        let times = line.split(separator: " ").dropFirst().prefix(8).compactMap { Int($0) }
        guard times.count == 8 else { return (0, 0) }
        return (times[3] + times[4], times.reduce(0, +))
    }
}
