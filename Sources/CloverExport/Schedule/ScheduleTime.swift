/// When a program is run again and again.
package enum ScheduleTime: Sendable, Equatable {
    /// Every so many minutes, by the clock: an hour, a day or a week is divided by them.
    case every(minutes: Int)
    /// So many minutes after the last time, of which no clock has the moments: cron cannot.
    case after(minutes: Int)
    /// Every day at this time, by the machine's clock.
    case daily(hour: Int, minute: Int)

    private static let day = 24 * 60
    private static let week = 7 * day

    /// - Parameter seconds: between two runs.
    /// - Throws: `ScheduleError.interval` for what is no number of minutes, or more than a week.
    package init(everySeconds seconds: Double) throws(ScheduleError) {
        guard let minutes = Int(exactly: seconds / 60), minutes >= 1, minutes <= Self.week else {
            throw .interval(seconds: seconds)
        }
        // Hours and days are divided anew each time, so that other intervals would be of two lengths.
        let isDivisor =
            minutes < 60
            ? 60 % minutes == 0 : minutes % 60 == 0 && Self.day % minutes == 0 || minutes == Self.week
        self = isDivisor ? .every(minutes: minutes) : .after(minutes: minutes)
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
    ///
    /// - Throws: `ScheduleError.notInCron` for what cron has no fields for.
    package var cronFields: String {
        get throws(ScheduleError) {
            switch self {
            case .every(1): "* * * * *"
            case .every(let minutes) where minutes < 60: "*/\(minutes) * * * *"
            case .every(60): "0 * * * *"
            case .every(Self.day): "0 0 * * *"
            case .every(Self.week): "0 0 * * 0"
            case .every(let minutes): "0 */\(minutes / 60) * * *"
            case .after(let minutes): throw .notInCron(minutes: minutes)
            case .daily(let hour, let minute): "\(minute) \(hour) * * *"
            }
        }
    }

    /// The lines of a timer that say when (systemd.timer(5), systemd.time(7)).
    package var timerSettings: String {
        switch self {
        case .every(1): Self.onCalendar("*-*-* *:*:00")
        case .every(let minutes) where minutes < 60: Self.onCalendar("*-*-* *:0/\(minutes):00")
        case .every(60): Self.onCalendar("*-*-* *:00:00")
        case .every(Self.day): Self.onCalendar("*-*-* 00:00:00")
        case .every(Self.week): Self.onCalendar("Sun *-*-* 00:00:00")
        case .every(let minutes): Self.onCalendar("*-*-* 0/\(minutes / 60):00:00")
        case .after(let minutes):
            """
            # Soon after the machine is on, and then so long after each start.
            OnBootSec=1min
            OnUnitActiveSec=\(minutes)min
            """
        case .daily(let hour, let minute):
            Self.onCalendar("*-*-* \(Self.twoDigits(hour)):\(Self.twoDigits(minute)):00")
        }
    }

    private static func onCalendar(_ calendar: String) -> String {
        """
        OnCalendar=\(calendar)
        # What was due while the machine was off is done when it is on again.
        Persistent=true
        """
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
        case .after(let minutes) where minutes % Self.day == 0: "every \(minutes / Self.day) days"
        case .after(let minutes) where minutes % 60 == 0: "every \(minutes / 60) hours"
        case .after(let minutes): "every \(minutes) minutes"
        case .daily(let hour, let minute): "every day at \(Self.twoDigits(hour)):\(Self.twoDigits(minute))"
        }
    }

    private static func twoDigits(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
}

/// Why something cannot be run again and again.
package enum ScheduleError: Error, Sendable, Equatable {
    /// No whole number of minutes, or more than a week.
    case interval(seconds: Double)
    /// Hours and days are not divided by so many minutes, and cron knows no other way.
    case notInCron(minutes: Int)
    /// Not a time such as `02:30`.
    case timeOfDay(String)
    /// A line of crontab(5) and a line of a unit hold no line breaks and no NUL.
    case unwritable(String)
}
