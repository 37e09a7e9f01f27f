import ArgumentParser
import CloverAPI
import CloverCore
import CloverExport
import CloverSystem
import Glibc

extension ErrorReport {
    /// Errors of exports: files, names, ranges.
    init(_ error: ExportError) {
        switch error {
        case .file(let operation, let path, let number):
            let isCreating = [.create, .rename, .list].contains(operation)
            self.init(
                code: "export_file", status: isCreating ? .cannotCreate : .inputOutput,
                message: "cannot \(operation.rawValue) \(path): \(String(cString: strerror(number)))",
                hints: Self.hints(number, at: path))
        case .busy(let path):
            self.init(
                code: "lock_busy", status: .tryAgain, message: "another export to \(path) is running",
                hints: ["to wait for it, add --if-running wait; to skip this run, add --if-running skip"])
        case .foreignDestination(let path):
            self.init(
                code: "foreign_destination", status: .configuration,
                message:
                    "\(path) was created with another state directory: on another machine, by another user, or with one that is lost",
                hints: [
                    "export to another directory, or use that state: CLOVER_STATE_DIR",
                    "to export everything here again, move the files away, including \(ExportDirectory.folder)",
                ])
        case .nameTaken(let path, let owner):
            self.init(
                code: "name_taken", status: .cannotCreate, message: "\(path) holds other records: \(owner)",
                hints: ["add {resource} and {window} or {date} to --name, or append to the file with --append"])
        case .dayTaken(let path, let owner):
            self.init(
                code: "name_taken", status: .cannotCreate,
                message: "\(path) holds the same day with different bounds: \(owner)",
                hints: ["use the same --day-start and --time-zone, or add {from} to --name to tell them apart"])
        case .truncatedFile(let path, let size, let known):
            self.init(
                code: "cut_file", status: .badData,
                message: "\(path) has been truncated: \(size) of \(known) bytes are left",
                hints: [
                    "restore the whole file: later runs export only changes, and not what it has lost",
                    "to export all of it again, move the file away, and run once with --full",
                ])
        case .alreadyAdded(let path, let what):
            self.init(
                code: "already_added", status: .cannotCreate,
                message: "\(path) has \(what) already, and would have records twice",
                hints: [
                    "move the file away, or choose another --name: a file takes either the changes from run to run, or "
                        + "ranges that do not overlap"
                ])
        case .otherForm(let path):
            self.init(
                code: "other_form", status: .cannotCreate,
                message: "\(path) is written in another form: other columns, or another format",
                hints: ["move the file away, or choose another --name, or the same --format, --fields and --compress"])
        case .formConflict(let path, let isWhole):
            self.init(
                code: "other_form", status: .cannotCreate,
                message:
                    "\(path) holds the same records in another form: other fields, another program or another format",
                hints: ["choose another --name or another directory, or move the file away"]
                    + (isWhole ? ["to replace it with everything in this form, run with --full"] : []))
        case .formChanged(let resource, let place, let kept):
            self.init(
                code: "other_form", status: .cannotCreate,
                message:
                    "\(resource) is exported to \(place) in another form: \(kept); "
                    + "in this form, it would have only what changed since the last run",
                hints: [
                    "use that form, or export this one to a separate directory: --to DIRECTORY",
                    "to export everything in this form, and continue in it, run with --full",
                ])
        case .foreignFile(let path):
            self.init(
                code: "name_taken", status: .cannotCreate, message: "\(path) exists, but was not made by an export",
                hints: ["move it away, or choose another --name"])
        case .otherMerchant(let path, let known, let merchant):
            self.init(
                code: "other_merchant", status: .configuration,
                message: "\(path) has the exports of merchant \(known), and this run is for merchant \(merchant)",
                hints: [
                    "choose the sign-in with --profile or --merchant, or give each merchant a separate directory: --to DIRECTORY",
                    "one directory for several merchants needs {merchant} in --name, or --tag-merchant in each export to it",
                ])
        case .foreignManifest(let path):
            self.init(
                code: "foreign_file", status: .cannotCreate,
                message: "\(path) was not written by an export: its first line is not a line of a manifest",
                hints: ["move it away, or export to another directory: --to DIRECTORY"])
        case .link(let path):
            self.init(
                code: "foreign_file", status: .cannotCreate,
                message: "\(path) is a symbolic link, and exports do not follow links below their destination",
                hints: ["remove the link, or export to the directory that it leads to: --to DIRECTORY"])
        case .notFile(let path):
            self.init(
                code: "foreign_file", status: .cannotCreate, message: "\(path) is not a regular file",
                hints: ["move it away, or choose another --name"])
        case .name(let fault, let template): self.init(fault, template)
        case .malformedDay(let text):
            self.init(
                code: "bad_day", status: .usage, message: "'\(text)' is not a day",
                hints: ["write it as yesterday, today or 2026-11-20"])
        case .malformedDayStart(let text):
            self.init(
                code: "bad_day", status: .usage, message: "'\(text)' is not a time of day",
                hints: ["write it as 04:00"])
        case .malformedTime(let text):
            self.init(
                code: "bad_time", status: .usage, message: "'\(text)' is not a time",
                hints: ["write it as 2026-11-20, 2026-11-20T08:00Z, yesterday or -7d"])
        case .emptyRange(let from, let to):
            self.init(
                code: "empty_range", status: .usage,
                message:
                    "the range is empty: it begins at \(InstantText.utc(milliseconds: from)) and ends at "
                    + InstantText.utc(milliseconds: to),
                hints: ["--since must be earlier than --until, which is never later than now"])
        case .clockBehind(let resource, let end, let now):
            self.init(
                code: "clock_behind", status: .incomplete,
                message:
                    "incomplete: this machine's clock shows \(InstantText.utc(milliseconds: now)), but \(resource) is already "
                    + "exported up to \(InstantText.utc(milliseconds: end)), so nothing later was requested",
                hints: [
                    "set the clock: 'clover doctor' compares it with the service's; the next run continues from there"
                ])
        case .noDays(let resource):
            self.init(
                code: "no_days", status: .usage,
                message: "\(resource) cannot be exported by day: the service does not filter it by time",
                hints: ["leave --day out: \(resource) is then exported in full"])
        case .noTimes(let resource, let option):
            self.init(
                code: "no_times", status: .usage,
                message: "\(option) does not apply to \(resource), which the service does not filter by time of change",
                hints: ["leave it out: \(resource) is then exported in full"])
        case .noTimeZone(let merchant):
            self.init(
                code: "no_time_zone", status: .configuration,
                message: "the service does not report the time zone of merchant \(merchant)",
                hints: ["name a zone, such as --time-zone America/New_York"])
        case .unknownResource(let path, let suggestions):
            self.init(
                code: "unknown_path", status: .usage, message: "unknown path '\(path)'",
                hints: [])
            // A mistyped subcommand is parsed as a resource.
            let verbs = NearestNames.of(path, among: Export.configuration.subcommands.map { $0._commandName })
            let near = verbs.map { "clover export \($0)" } + suggestions
            hints = [
                near.isEmpty
                    ? "there are: " + EndpointCatalogue.exportable.joined(separator: ", ")
                    : "did you mean: " + near.joined(separator: ", ")
            ]
        case .notRecords(let path):
            self.init(
                code: "not_records", status: .usage, message: "\(path) returns text instead of records",
                hints: ["run: clover get \(path)"])
        case .recordsFailed(let count, let first, let isProgram, let isFile):
            let records = count == 1 ? "1 record" : "\(count) records"
            self.init(
                code: "records_failed", status: .badData,
                message: (isProgram ? "jq failed on \(records)" : "\(records) could not be printed")
                    + (count == 1 ? ", \(first)" : ", the first of them \(first)")
                    + (isFile
                        ? "; the file with them was not written, and nothing after it"
                        : "; the rest of their window was written, and nothing after it"),
                hints: [
                    isFile
                        ? "published files stay; the next run continues with this file"
                        : "the next run writes everything again"
                ])
        case .programHalted:
            self.init(
                code: "program_halted", status: .badData,
                message: "the jq program ended the run, so its file would not be complete",
                hints: ["to leave records out, use select(...) instead of halt"])
        case .unknownPart(let name, let resources, let known):
            let near = NearestNames.of(name, among: known)
            self.init(
                code: "unknown_part", status: .usage,
                message: "\(Self.together(resources)) no parts '\(name)'",
                hints: (near.isEmpty ? [] : ["did you mean: " + near.joined(separator: ", ")])
                    + (known.isEmpty ? [] : ["there are: " + known.joined(separator: ", ")]))
        case .unknownField(let name, let resources, let suggestions):
            self.init(
                code: "bad_field", status: .usage, message: "\(Self.together(resources)) no field '\(name)'",
                hints: (suggestions.isEmpty ? [] : ["did you mean: " + suggestions.joined(separator: ", ")])
                    + ["for all fields: clover schema \(resources.first ?? "")", "--jq accepts any field of a record"])
        case .futureDay(let day, let from):
            self.init(
                code: "bad_day", status: .usage,
                message: "\(day) has not begun: it begins at \(InstantText.utc(milliseconds: from))",
                hints: ["export it when it is over: --day yesterday"])
        case .notAnObject(let resource, let number, let window):
            self.init(
                code: "not_a_record", status: .badData,
                message: "element \(number) of \(resource)\(Self.place(of: window)) is not an object, so not a record",
                hints: ["nothing of this window is published; the next run reads it again"])
        case .wrongTime(let resource, let id, let time, let window):
            self.init(
                code: "filter_ignored", status: .incomplete,
                message:
                    "incomplete: the service does not filter \(resource) by \(window.field ?? "time"): asked for records"
                    + "\(Self.place(of: window)), it returned \(id ?? "a record") of "
                    + InstantText.utc(milliseconds: time),
                hints: ["nothing of this window is published; the next run reads it again"])
        }
    }

    private static func place(of window: PlannedWindow) -> String {
        window.from.map { Self.place(of: [TimeWindow(from: $0, to: window.to)]) } ?? ""
    }

    /// `orders has`, `orders, items have`.
    private static func together(_ resources: [String]) -> String {
        resources.joined(separator: ", ") + (resources.count == 1 ? " has" : " have")
    }

    private init(_ fault: ExportError.NameFault, _ template: String) {
        let known = NameTemplate.Placeholder.allCases.map { "{\($0.rawValue)}" }.joined(separator: ", ")
        let (message, hint) =
            switch fault {
            case .unknownPlaceholder(let name): ("--name has no {\(name)}", "there are: \(known)")
            case .unclosedBrace: ("--name '\(template)' has a { without }", "there are: \(known)")
            case .path:
                ("--name '\(template)' is not a path inside the destination", "such as {resource}/{date}.{extension}")
            case .reserved: ("--name '\(template)' is reserved for the export itself", "choose another name")
            case .missing(let name):
                (
                    "--name '\(template)' would be the same for several files",
                    name == "{merchant}"
                        ? "add {merchant} to it; one file for all merchants needs --append and --tag-merchant"
                        : "add \(name) to it"
                )
            }
        self.init(code: "bad_name", status: .usage, message: message, hints: [hint])
    }

    /// Suggestions for a file of a destination that could not be created or written.
    static func hints(_ number: Int32, at path: String) -> [String] {
        switch number {
        case ENOSPC, EDQUOT:
            ["free some space and run again: published files stay, and the next run continues from there"]
        case EACCES, EPERM, EROFS:
            ["make \(destination(of: path)) writable for this user, or export to another directory: --to DIRECTORY"]
        case ENOTDIR: ["a part of the path is a file: choose another directory, --to DIRECTORY"]
        default: ["export to another directory: --to DIRECTORY"]
        }
    }

    /// Whether the path is the export's own file in a destination.
    static func isOfDestination(_ path: String) -> Bool {
        path.split(separator: "/").contains { $0 == ExportDirectory.folder }
    }

    /// The directory that contains the export's own folder, or the parent of a file.
    private static func destination(of path: String) -> String {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        let end = parts.firstIndex { $0 == ExportDirectory.folder } ?? max(1, parts.count - 1)
        let directory = parts[..<end].joined(separator: "/")
        return directory.isEmpty ? "/" : directory
    }

    /// What exists of an incomplete resource, and what the next run does.
    private static func rest(of missing: ExportFailure.WindowsMissing) -> String {
        let place = missing.isResumable ? "safe; the next run reads" : "in the output; the next run writes"
        guard missing.done > 0 else {
            return missing.isResumable
                ? "no file was written for it; the next run reads it again" : "the next run writes everything again"
        }
        return "\(missing.done) of \(missing.windows) windows are \(place) "
            + (missing.isResumable ? "the others" : "all of them")
    }

    /// The end of a run of exports.
    init(_ error: ExportFailure) {
        switch error {
        case .timeRanOut(let seconds, let progress, let notReached, let obstacle):
            self.init(
                code: "time_ran_out", status: .timeRanOut,
                message: "--max-time \(Self.shortened(seconds)) ran out"
                    + (obstacle.map { ": \($0)" } ?? "")
                    + (progress.isEmpty ? "" : "; " + progress.joined(separator: ", "))
                    + (notReached.isEmpty ? "" : "; not reached: " + notReached.joined(separator: ", ")),
                hints: ["the next run continues from there"])
        case .windowsMissing(let missing):
            self.init(
                code: "incomplete", status: .incomplete,
                message: "incomplete: \(missing.resource)\(Self.place(of: missing.spans)) could not be read: "
                    + missing.cause
                    + (missing.untried.isEmpty ? "" : "; \(Self.words(missing.untried)) was not tried after that"),
                hints: [Self.rest(of: missing)] + (missing.mayHelpToRetry ? ["to retry longer, use --retry N"] : []))
        case .filesMissing(let paths, let directory, let exportWasTried, let hasChanged):
            self.init(
                code: "files_missing", status: .incomplete,
                message: "incomplete: \(MissingFiles.count(paths.count)) \(MissingFiles.fault(hasChanged: hasChanged)) "
                    + "in \(directory): " + paths.prefix(10).joined(separator: ", ")
                    + (paths.count > 10 ? ", ..." : ""),
                hints: [
                    exportWasTried
                        ? "--export-missing needs the --with and --append of the run that made a file; of a --day or "
                            + "another range that was added to a file that grows, ask for the range again"
                        : "restore them, or export their contents again: --export-missing",
                    "if they are no longer needed here: --accept-missing",
                ])
        case .someFailed(let names, let done):
            self.init(
                code: "some_failed", status: .partlyFailed,
                message: "\(names.joined(separator: ", ")) failed, \(done) \(done == 1 ? "is" : "are") done",
                hints: ["what failed is tried again by the next run"])
        case .allFailed(let names, let status):
            self.init(
                code: "all_failed", status: ExitStatus(rawValue: status) ?? .unclassified,
                message: "\(names.joined(separator: ", ")) failed", hints: ["they are tried again by the next run"])
        case .stale(let names, let limit):
            self.init(
                code: "stale", status: .incomplete,
                message: "not exported for \(limit): \(names.joined(separator: ", "))",
                hints: [
                    "to check only one directory, add --to DIRECTORY",
                    "to forget a directory that is no longer exported to, delete its \(ExportDirectory.folder), and run: "
                        + "--forget-missing",
                ])
        case .nothingExported(let directory):
            self.init(
                code: "nothing_exported", status: .notFound,
                message: "nothing has been exported yet" + (directory.map { " to \($0)" } ?? ""),
                hints: ["see 'clover help export'"])
        }
    }

    /// Empty for resources that are exported in full and have no range.
    private static func place(of spans: [TimeWindow]) -> String {
        spans.allSatisfy { $0.from == $0.to } ? "" : " of " + words(spans)
    }

    /// The first three ranges.
    private static func words(_ spans: [TimeWindow]) -> String {
        spans.prefix(3).map {
            "\(InstantText.utc(milliseconds: $0.from))..\(InstantText.utc(milliseconds: $0.to))"
        }.joined(separator: ", ") + (spans.count > 3 ? ", ..." : "")
    }

    /// Errors of compression.
    init(_ error: CompressionError) {
        switch error {
        case .memory:
            self.init(code: "memory", status: .inputOutput, message: "cannot compress: out of memory")
        case .failed(let code):
            self.init(code: "bug", status: .bug, message: "cannot compress: error \(code)")
        }
    }
}
