import CloverExport

extension ErrorReport {
    /// Errors of schedules.
    init(_ error: ScheduleError) {
        switch error {
        case .interval:
            self.init(
                code: "bad_interval", status: .usage,
                message: "the interval of an export is a whole number of minutes, from one minute to a week",
                hints: ["use for example 1m, 15m, 6h, 1d or 7d, or every day --at TIME"])
        case .notInCron(let minutes):
            self.init(
                code: "bad_interval", status: .usage,
                message: "cron has no such interval: an hour or a day is not divisible by \(minutes) minutes",
                hints: [
                    "use 1m, 5m, 10m, 15m, 20m, 30m, 1h, 2h, 3h, 4h, 6h, 8h, 12h, 1d or 7d, or every day --at TIME",
                    "or use systemd, which supports it: --print systemd",
                ])
        case .timeOfDay(let text):
            self.init(
                code: "bad_time", status: .usage, message: "'\(text)' is not a time of day",
                hints: ["write it as 02:30"])
        case .unwritable:
            self.init(
                code: "unwritable", status: .usage,
                message: "a word of the export has a line break or another control character, which is not allowed",
                hints: ["put a jq program of several lines into a file: --from-file FILE"])
        }
    }
}
