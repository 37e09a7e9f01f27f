import CloverCore
import CloverExport

extension ErrorReport {
    /// Errors of Clover's Export API.
    init(_ error: ExportAPIError) {
        switch error {
        case .notExported(let resource):
            self.init(
                code: "not_exported", status: .usage,
                message: "the service exports orders and payments, not \(resource)",
                hints: ["leave --via export-api out, or run \(resource) by itself"])
        case .ended(let resource, let from, let to, let status, let tries):
            self.init(
                code: "export_failed", status: .unavailable,
                message:
                    "the service could not export \(resource.rawValue) of \(Self.span(from, to)): status \(status), \(tries) times",
                hints: ["run again later, or without --via export-api"])
        case .filesGone(let resource, let from, let to, let tries):
            self.init(
                code: "export_gone", status: .unavailable,
                message:
                    "cannot read the files of the service's export of \(resource.rawValue) of \(Self.span(from, to)) (tried \(tries) times)",
                hints: ["run again later, or without --via export-api"])
        case .fewer(let resource, let from, let to, let records, let tries):
            self.init(
                code: "incomplete", status: .incomplete,
                message:
                    "incomplete: the service's export of \(resource.rawValue) of \(Self.span(from, to)) has \(records) records, "
                    + "and the list of records shows more (tried \(tries) times)",
                hints: ["nothing of it is published; run again later, or without --via export-api"])
        case .unreadable(let url):
            self.init(
                code: "unreadable", status: .nonsense, message: "the response from \(url) does not describe an export",
                hints: ["run again without --via export-api"])
        case .insecureFile(let url):
            self.init(
                code: "insecure_file", status: .nonsense,
                message: "the service returned an export file that cannot be fetched safely: \(url)",
                hints: ["run again without --via export-api"])
        }
    }

    private static func span(_ from: Int64, _ to: Int64) -> String {
        "\(InstantText.utc(milliseconds: from)) to \(InstantText.utc(milliseconds: to))"
    }
}

extension ErrorReport {
    /// Errors of Singer states.
    init(_ error: SingerStateError) {
        switch error {
        case .unreadable(let path):
            self.init(
                code: "bad_state", status: .badData, message: "\(path) is not a state of 'clover export --singer'",
                hints: ["give the last line that the target wrote, or leave --state out to export everything"])
        case .otherMerchant(let path, let merchant):
            self.init(
                code: "bad_state", status: .configuration, message: "\(path) belongs to merchant \(merchant)",
                hints: ["keep a state for each merchant, or sign in to that one"])
        case .otherEnvironment(let path, let environment):
            self.init(
                code: "bad_state", status: .configuration, message: "\(path) belongs to a merchant in \(environment)",
                hints: ["keep a state for each merchant, or sign in there"])
        }
    }
}

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
