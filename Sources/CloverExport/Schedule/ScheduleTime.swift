/// When a scheduled program runs.
package enum ScheduleTime: Sendable, Equatable {
    /// At fixed clock times, at an interval that divides an hour, a day or a week.
    case every(minutes: Int)
    /// A number of minutes after the last start, for any other interval; cron cannot do this.
    case after(minutes: Int)
    /// Every day at this local time.
    case daily(hour: Int, minute: Int)

    private static let day = 24 * 60
    private static let week = 7 * day

    /// - Parameter seconds: interval between two runs.
    /// - Throws: `ScheduleError.interval` when it is not a whole number of minutes, or more than a week.
    package init(everySeconds seconds: Double) throws(ScheduleError) {
        guard let minutes = Int(exactly: seconds / 60), minutes >= 1, minutes <= Self.week else {
            throw .interval(seconds: seconds)
        }
        // Clock times start over with each hour or day, so that any other interval would vary.
        let isDivisor =
            minutes < 60
            ? 60 % minutes == 0 : minutes % 60 == 0 && Self.day % minutes == 0 || minutes == Self.week
        self = isDivisor ? .every(minutes: minutes) : .after(minutes: minutes)
    }

    /// Parses a time of day such as `02:30`.
    package init(at text: String) throws(ScheduleError) {
        guard let minutes = ClockTime.minutes(text) else { throw .timeOfDay(text) }
        self = .daily(hour: minutes / 60, minute: minutes % 60)
    }

    /// The five time fields of crontab(5).
    ///
    /// - Throws: `ScheduleError.notInCron` for a time that cron cannot express.
    package var cronFields: String {
        get throws(ScheduleError) {
            if case .after(let minutes) = self { throw .notInCron(minutes: minutes) }
            return forms.cron
        }
    }

    /// The time settings of a timer unit (systemd.timer(5), systemd.time(7)).
    package var timerSettings: String {
        if case .after(let minutes) = self {
            return """
                # One minute after boot, then at this interval after each start.
                OnBootSec=1min
                OnUnitActiveSec=\(minutes)min
                """
        }
        return """
            OnCalendar=\(forms.calendar)
            # A run missed while the machine was off starts after boot.
            Persistent=true
            """
    }

    /// Text such as `every 15 minutes`.
    package var words: String { forms.words }

    /// The time for crontab(5), for systemd.time(7), and for people.
    private var forms: (cron: String, calendar: String, words: String) {
        switch self {
        case .every(1): ("* * * * *", "*-*-* *:*:00", "every minute")
        case .every(let minutes) where minutes < 60:
            ("*/\(minutes) * * * *", "*-*-* *:0/\(minutes):00", "every \(minutes) minutes")
        case .every(60): ("0 * * * *", "*-*-* *:00:00", "every hour")
        case .every(Self.day): ("0 0 * * *", "*-*-* 00:00:00", "every day at 00:00")
        case .every(Self.week): ("0 0 * * 0", "Sun *-*-* 00:00:00", "every Sunday at 00:00")
        case .every(let minutes):
            ("0 */\(minutes / 60) * * *", "*-*-* 0/\(minutes / 60):00:00", "every \(minutes / 60) hours")
        case .after(let minutes) where minutes % Self.day == 0: ("", "", "every \(minutes / Self.day) days")
        case .after(let minutes) where minutes % 60 == 0: ("", "", "every \(minutes / 60) hours")
        case .after(let minutes): ("", "", "every \(minutes) minutes")
        case .daily(let hour, let minute):
            (
                "\(minute) \(hour) * * *", "*-*-* \(Self.twoDigits(hour)):\(Self.twoDigits(minute)):00",
                "every day at \(Self.twoDigits(hour)):\(Self.twoDigits(minute))"
            )
        }
    }

    private static func twoDigits(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
}

/// Why a program cannot be scheduled.
package enum ScheduleError: Error, Sendable, Equatable {
    /// Not a whole number of minutes, or more than a week.
    case interval(seconds: Double)
    /// The interval divides neither an hour nor a day, so cron cannot express it.
    case notInCron(minutes: Int)
    /// Not a time such as `02:30`.
    case timeOfDay(String)
    /// The word has a newline or another control character, which crontab(5) and unit files cannot hold.
    case unwritable(String)
}
