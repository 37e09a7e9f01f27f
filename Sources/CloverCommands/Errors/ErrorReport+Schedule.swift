import CloverExport

extension ErrorReport {
    /// Schedules.
    init(_ error: ScheduleError) {
        switch error {
        case .interval:
            self.init(
                code: "bad_interval", status: .usage,
                message: "an export is run every so many minutes, at least one and at most a week",
                hints: ["take for example 1m, 15m, 6h, 1d or 7d, or every day --at TIME"])
        case .notInCron(let minutes):
            self.init(
                code: "bad_interval", status: .usage,
                message: "cron has no such interval: an hour or a day is not divided by \(minutes) minutes",
                hints: [
                    "take 1m, 5m, 10m, 15m, 20m, 30m, 1h, 2h, 3h, 4h, 6h, 8h, 12h, 1d or 7d, or every day --at TIME",
                    "systemd has it: --print systemd",
                ])
        case .timeOfDay(let text):
            self.init(
                code: "bad_time", status: .usage, message: "'\(text)' is no time of day", hints: ["write it as 02:30"])
        case .unwritable:
            self.init(
                code: "unwritable", status: .usage,
                message: "a word of the export has a line break or another control character, which no line can hold",
                hints: ["put a jq program of several lines into a file: --from-file FILE"])
        }
    }
}
