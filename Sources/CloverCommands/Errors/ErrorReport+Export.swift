import ArgumentParser
import CloverAPI
import CloverCompression
import CloverCore
import CloverExport
import Glibc

extension ErrorReport {
    /// Exports: files, names, ranges.
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
                code: "lock_busy", status: .tryAgain, message: "another export to \(path) runs",
                hints: ["wait for it with --if-running wait, or leave it alone with --if-running skip"])
        case .foreignDestination(let path):
            self.init(
                code: "foreign_destination", status: .configuration,
                message:
                    "\(path) was begun with another state directory: on another machine, by another user, or with one that is lost",
                hints: [
                    "export to another directory, or use that state: CLOVER_STATE_DIR",
                    "to export everything here anew, move the files away, and \(ExportDirectory.folder) with them",
                ])
        case .nameTaken(let path, let owner):
            self.init(
                code: "name_taken", status: .cannotCreate, message: "\(path) holds other records: \(owner)",
                hints: ["put {resource} and {window} or {date} into --name, or add to the file with --append"])
        case .dayTaken(let path, let owner):
            self.init(
                code: "name_taken", status: .cannotCreate,
                message: "\(path) holds the same day by other bounds: \(owner)",
                hints: ["ask with the same --day-start and --time-zone, or tell them apart with {from} in --name"])
        case .cutFile(let path, let size, let known):
            self.init(
                code: "cut_file", status: .badData,
                message: "\(path) is shorter than what was added to it: \(size) of \(known) bytes are there",
                hints: [
                    "put the whole file back: what it has lost does not come again with what changes next",
                    "all of it anew: move the file away, and run once with --full",
                ])
        case .alreadyAdded(let path, let what):
            self.init(
                code: "already_added", status: .cannotCreate,
                message: "\(path) has \(what) already, and would have records twice",
                hints: [
                    "move the file away, or choose another --name: a file takes either what changed from run to run, or "
                        + "ranges that have nothing in common"
                ])
        case .otherForm(let path):
            self.init(
                code: "other_form", status: .cannotCreate,
                message: "\(path) is written in another form: other columns, or another format",
                hints: ["move the file away, or choose another --name, or the same --format, --fields and --compress"])
        case .formTaken(let path, let isWhole):
            self.init(
                code: "other_form", status: .cannotCreate,
                message:
                    "\(path) holds the same records in another form: other fields, another program or another format",
                hints: ["choose another --name or another directory, or move the file away"]
                    + (isWhole ? ["--full puts all of it, in this form, in the place of what is there"] : []))
        case .formChanged(let resource, let place, let kept):
            self.init(
                code: "other_form", status: .cannotCreate,
                message:
                    "\(resource) goes to \(place) in another form: \(kept); "
                    + "what changed since the last run would be missing there",
                hints: [
                    "go on in that form, or give this one a directory of its own: --to DIRECTORY",
                    "--full exports all of it in this form, and goes on in it from then on",
                ])
        case .foreignFile(let path):
            self.init(
                code: "name_taken", status: .cannotCreate, message: "\(path) is there and no export has made it",
                hints: ["move it away, or choose another --name"])
        case .otherMerchant(let path, let known, let merchant):
            self.init(
                code: "other_merchant", status: .configuration,
                message: "\(path) has the exports of merchant \(known), and this run is for merchant \(merchant)",
                hints: [
                    "choose the sign-in with --profile or --merchant, or give each merchant a directory of its own: --to DIRECTORY",
                    "one directory for several merchants needs {merchant} in --name, or --tag-merchant",
                ])
        case .foreignManifest(let path):
            self.init(
                code: "foreign_file", status: .cannotCreate,
                message: "\(path) was not written by an export: its first line is not a line of a manifest",
                hints: ["move it away, or export to another directory: --to DIRECTORY"])
        case .link(let path):
            self.init(
                code: "foreign_file", status: .cannotCreate,
                message: "\(path) is a symbolic link, and exports follow none below their destination",
                hints: ["remove the link, or export to the directory that it leads to: --to DIRECTORY"])
        case .notFile(let path):
            self.init(
                code: "foreign_file", status: .cannotCreate, message: "\(path) is not a regular file",
                hints: ["move it away, or choose another --name"])
        case .name(let fault, let template): self.init(fault, template)
        case .malformedDay(let text):
            self.init(
                code: "bad_day", status: .usage, message: "'\(text)' is no day",
                hints: ["write it as yesterday, today or 2026-11-20"])
        case .malformedDayStart(let text):
            self.init(
                code: "bad_day", status: .usage, message: "'\(text)' is no time of day",
                hints: ["write it as 04:00"])
        case .malformedTime(let text):
            self.init(
                code: "bad_time", status: .usage, message: "'\(text)' is no time",
                hints: ["write it as 2026-11-20, 2026-11-20T08:00Z, yesterday or -7d"])
        case .emptyRange(let from, let to):
            self.init(
                code: "empty_range", status: .usage,
                message:
                    "the range is empty: it begins at \(InstantText.utc(milliseconds: from)) and ends at "
                    + InstantText.utc(milliseconds: to),
                hints: ["--since has to be earlier than --until, which is never later than now"])
        case .clockBehind(let resource, let end, let now):
            self.init(
                code: "clock_behind", status: .incomplete,
                message:
                    "incomplete: this machine's clock says \(InstantText.utc(milliseconds: now)), but \(resource) is "
                    + "exported up to \(InstantText.utc(milliseconds: end)) already, so that nothing later was asked for",
                hints: [
                    "set the clock: 'clover doctor' compares it with the service's; the next run goes on from there"
                ])
        case .noDays(let resource):
            self.init(
                code: "no_days", status: .usage,
                message: "records of \(resource) belong to no day: the service does not filter them by time",
                hints: ["leave --day out: \(resource) is then taken whole"])
        case .noTimes(let resource, let option):
            self.init(
                code: "no_times", status: .usage,
                message: "\(option) does not apply to \(resource), which the service does not filter by time of change",
                hints: ["leave it out: \(resource) is then taken whole"])
        case .noTimeZone(let merchant):
            self.init(
                code: "no_time_zone", status: .configuration,
                message: "the service does not say in which time zone merchant \(merchant) is",
                hints: ["name a zone, such as --time-zone America/New_York"])
        case .unknownResource(let path, let suggestions):
            self.init(
                code: "unknown_path", status: .usage, message: "unknown path '\(path)'",
                hints: [])
            // A verb of the command's own that was mistyped is taken for a resource.
            let verbs = NearestNames.of(path, among: Export.configuration.subcommands.map { $0._commandName })
            let near = verbs.map { "clover export \($0)" } + suggestions
            hints = [
                near.isEmpty
                    ? "there are: " + EndpointCatalogue.exportable.joined(separator: ", ")
                    : "did you mean: " + near.joined(separator: ", ")
            ]
        case .notRecords(let path):
            self.init(
                code: "not_records", status: .usage, message: "\(path) answers with text and not with records",
                hints: ["run: clover get \(path)"])
        case .recordsFailed(let count, let first, let isProgram, let isFile):
            let records = count == 1 ? "1 record" : "\(count) records"
            self.init(
                code: "records_failed", status: .badData,
                message: (isProgram ? "jq failed on \(records)" : "\(records) could not be printed")
                    + (count == 1 ? ", \(first)" : ", the first of them \(first)")
                    + (isFile
                        ? "; the file with them is not written, and nothing after it"
                        : "; the rest of their window is written, and nothing after it"),
                hints: [
                    isFile
                        ? "what is published stays; the next run goes on with this file"
                        : "the next run writes all of it again"
                ])
        case .programHalted:
            self.init(
                code: "program_halted", status: .badData,
                message: "the jq program ended the run, so that its file would not be whole",
                hints: ["leave records out with select(...) in place of halt"])
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
                    + ["all: clover schema \(resources.first ?? "")", "--jq takes whatever a record has"])
        case .dayToCome(let day, let from):
            self.init(
                code: "bad_day", status: .usage,
                message: "\(day) has not begun: it begins at \(InstantText.utc(milliseconds: from))",
                hints: ["export it when it is over: --day yesterday"])
        case .notAnObject(let resource, let number, let window):
            self.init(
                code: "not_a_record", status: .badData,
                message: "element \(number) of \(resource)\(Self.place(of: window)) is not an object, and so no record",
                hints: ["nothing of it is published; the next run reads it again"])
        case .otherTime(let resource, let id, let time, let window):
            self.init(
                code: "filter_ignored", status: .incomplete,
                message:
                    "incomplete: the service does not filter \(resource) by \(window.field ?? "time"): asked for records"
                    + "\(Self.place(of: window)), it gave \(id ?? "a record") of \(InstantText.utc(milliseconds: time))",
                hints: ["nothing of it is published; the next run reads it again"])
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
                ("--name '\(template)' is no path inside of the destination", "such as {resource}/{date}.{extension}")
            case .reserved: ("--name '\(template)' is a name that the export keeps for itself", "choose another one")
            case .missing(let name):
                (
                    "--name '\(template)' would be the same for several",
                    name == "{merchant}"
                        ? "put {merchant} into it; one file for all merchants needs --append and --tag-merchant"
                        : "put \(name) into it"
                )
            }
        self.init(code: "bad_name", status: .usage, message: message, hints: [hint])
    }

    /// What may help where a file of a destination could not be made or written.
    static func hints(_ number: Int32, at path: String) -> [String] {
        switch number {
        case ENOSPC, EDQUOT: ["make room and run again: what is published stays, and the next run goes on from there"]
        case EACCES, EPERM, EROFS:
            ["make \(destination(of: path)) writable for this user, or export to another directory: --to DIRECTORY"]
        case ENOTDIR: ["a part of the path is a file: choose another directory, --to DIRECTORY"]
        default: ["export to another directory: --to DIRECTORY"]
        }
    }

    /// Whether a file is the export's own in a destination.
    static func isOfDestination(_ path: String) -> Bool {
        path.split(separator: "/").contains { $0 == ExportDirectory.folder }
    }

    /// The directory that has the export's own folder, or the one above a file.
    private static func destination(of path: String) -> String {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        let end = parts.firstIndex { $0 == ExportDirectory.folder } ?? max(1, parts.count - 1)
        let directory = parts[..<end].joined(separator: "/")
        return directory.isEmpty ? "/" : directory
    }

    /// What is there of what is not whole, and what the next run does.
    private static func rest(of missing: ExportEnding.WindowsMissing) -> String {
        let place = missing.isGoneOnWith ? "safe; the next run reads" : "in the output; the next run writes"
        guard missing.done > 0 else {
            return missing.isGoneOnWith
                ? "no file was made of it; the next run reads it again" : "the next run writes all of it again"
        }
        return "\(missing.done) of \(missing.windows) windows are \(place) "
            + (missing.isGoneOnWith ? "the others" : "all of them")
    }

    /// How a run of exports ended.
    init(_ error: ExportEnding) {
        switch error {
        case .timeRanOut(let seconds, let progress, let notReached, let obstacle):
            self.init(
                code: "time_ran_out", status: .timeRanOut,
                message: "--max-time \(Self.shortened(seconds)) ran out"
                    + (obstacle.map { ": \($0)" } ?? "")
                    + (progress.isEmpty ? "" : "; " + progress.joined(separator: ", "))
                    + (notReached.isEmpty ? "" : "; not reached: " + notReached.joined(separator: ", ")),
                hints: ["the next run goes on from there"])
        case .windowsMissing(let missing):
            self.init(
                code: "incomplete", status: .incomplete,
                message: "incomplete: \(missing.resource)\(Self.place(of: missing.spans)) could not be read: "
                    + missing.cause
                    + (missing.untried.isEmpty ? "" : "; \(Self.words(missing.untried)) was not tried after that"),
                hints: [Self.rest(of: missing)] + (missing.mayTryLonger ? ["--retry N tries longer"] : []))
        case .filesMissing(let paths, let directory, let wereTried):
            self.init(
                code: "files_missing", status: .incomplete,
                message: "incomplete: \(MissingFiles.count(paths.count)) missing in \(directory): "
                    + paths.prefix(10).joined(separator: ", ")
                    + (paths.count > 10 ? ", ..." : ""),
                hints: [
                    wereTried
                        ? "--export-missing needs the --with and --append of the run that made a file; of a --day or "
                            + "another range that was added to a file that grows, ask for the range again"
                        : "put them back, or export what was in them anew: --export-missing",
                    "if they are not needed here any more: --accept-missing",
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
                    "only what goes to one directory is looked at with --to DIRECTORY",
                    "one that is not exported to any more is forgotten without its \(ExportDirectory.folder): "
                        + "--forget-missing",
                ])
        case .nothingExported(let directory):
            self.init(
                code: "nothing_exported", status: .notFound,
                message: "nothing was exported yet" + (directory.map { " to \($0)" } ?? ""),
                hints: ["see 'clover help export'"])
        }
    }

    /// Nothing for what is taken whole, which has no range.
    private static func place(of spans: [TimeWindow]) -> String {
        spans.allSatisfy { $0.from == $0.to } ? "" : " of " + words(spans)
    }

    /// The first three of them.
    private static func words(_ spans: [TimeWindow]) -> String {
        spans.prefix(3).map {
            "\(InstantText.utc(milliseconds: $0.from))..\(InstantText.utc(milliseconds: $0.to))"
        }.joined(separator: ", ") + (spans.count > 3 ? ", ..." : "")
    }

    /// Compressed files.
    init(_ error: CompressionError) {
        switch error {
        case .memory:
            self.init(code: "memory", status: .inputOutput, message: "cannot compress: there is no memory for it")
        case .failed(let code):
            self.init(code: "bug", status: .bug, message: "cannot compress: error \(code)")
        }
    }
}
