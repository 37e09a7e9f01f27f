/// When a program is run again and again.
package enum ScheduleTime: Sendable, Equatable {
    /// Every so many minutes.
    case every(minutes: Int)
    /// Every day at this time, by the machine's clock.
    case daily(hour: Int, minute: Int)

    private static let day = 24 * 60
    private static let week = 7 * day

    /// - Parameter seconds: between two runs.
    /// - Throws: `ScheduleError.interval` for what no calendar divides into.
    package init(everySeconds seconds: Double) throws(ScheduleError) {
        guard let minutes = Int(exactly: seconds / 60), minutes >= 1, minutes <= Self.week else {
            throw .interval(seconds: seconds)
        }
        if minutes == Self.week {
            self = .every(minutes: minutes)
            return
        }
        // Hours and days are divided anew each time, so that other intervals would be of two lengths.
        guard minutes < 60 ? 60 % minutes == 0 : minutes % 60 == 0 && Self.day % minutes == 0 else {
            throw .interval(seconds: seconds)
        }
        self = .every(minutes: minutes)
    }

    /// Reads a time of day, such as `02:30`.
    package init(at text: String) throws(ScheduleError) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, (1...2).contains(parts[0].count), parts[1].count == 2,
            parts.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isNumber } }),
            let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60
        else { throw .timeOfDay(text) }
        self = .daily(hour: hour, minute: minute)
    }

    /// The five fields of a line of crontab(5).
    package var cronFields: String {
        switch self {
        case .every(1): "* * * * *"
        case .every(let minutes) where minutes < 60: "*/\(minutes) * * * *"
        case .every(60): "0 * * * *"
        case .every(Self.day): "0 0 * * *"
        case .every(Self.week): "0 0 * * 0"
        case .every(let minutes): "0 */\(minutes / 60) * * *"
        case .daily(let hour, let minute): "\(minute) \(hour) * * *"
        }
    }

    /// The value of `OnCalendar=` (systemd.time(7)).
    package var calendar: String {
        switch self {
        case .every(1): "*-*-* *:*:00"
        case .every(let minutes) where minutes < 60: "*-*-* *:0/\(minutes):00"
        case .every(60): "*-*-* *:00:00"
        case .every(Self.day): "*-*-* 00:00:00"
        case .every(Self.week): "Sun *-*-* 00:00:00"
        case .every(let minutes): "*-*-* 0/\(minutes / 60):00:00"
        case .daily(let hour, let minute): "*-*-* \(Self.twoDigits(hour)):\(Self.twoDigits(minute)):00"
        }
    }

    /// `every 15 minutes`, for a person.
    package var words: String {
        switch self {
        case .every(1): "every minute"
        case .every(let minutes) where minutes < 60: "every \(minutes) minutes"
        case .every(60): "every hour"
        case .every(Self.day): "every day at 00:00"
        case .every(Self.week): "every Sunday at 00:00"
        case .every(let minutes): "every \(minutes / 60) hours"
        case .daily(let hour, let minute): "every day at \(Self.twoDigits(hour)):\(Self.twoDigits(minute))"
        }
    }

    private static func twoDigits(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
}

/// Why something cannot be run again and again.
package enum ScheduleError: Error, Sendable, Equatable {
    /// Hours and days are not divided by so many seconds.
    case interval(seconds: Double)
    /// Not a time such as `02:30`.
    case timeOfDay(String)
    /// A line of crontab(5) and a line of a unit hold no line breaks and no NUL.
    case unwritable(String)
}
