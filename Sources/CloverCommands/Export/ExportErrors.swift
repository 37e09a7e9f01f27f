import ArgumentParser
import CloverAPI
import CloverCore
import CloverExport
import CloverRateLimit
import CloverSystem
import Glibc

/// How a run ends that is not complete, where no single error describes it.
enum ExportFailure: Error, Sendable, Equatable {
    /// `--max-time` ran out. `progress` has a line on the published windows of each unfinished resource, `notReached`
    /// names the resources that were not started, and `obstacle` says what the run was waiting for, where known.
    case timeRanOut(seconds: Double, progress: [String], notReached: [String], obstacle: Obstacle?)
    /// Some windows of a resource could not be read; the others are published.
    case windowsMissing(WindowsMissing)
    /// The export is complete, but files that earlier runs published are missing; `hasChanged`: some are there, but have
    /// another size.
    case filesMissing([String], directory: String, exportWasTried: Bool, hasChanged: Bool)
    /// Others deleted rows of exports: their number, by table.
    case rowsMissing([String: Int64], database: String)
    /// The jq program failed on records, which are in this directory; `isRestExported`: nothing else is missing.
    case recordsFailed(Int, first: String, directory: String, isRestExported: Bool)
    /// Some resources failed, each named on standard error; `done` of them succeeded.
    case someFailed([String], done: Int)
    /// All resources failed, each named on standard error. The status is that of the first failure.
    case allFailed([String], status: Int32)
    /// `export status --fail-if-older-than`: the last export of these is older than the limit, or there was none.
    case stale([String], limit: String)
    /// `export status --fail-if-older-than`: published files of these are missing.
    case exportsLack([String])
    /// `export verify` found these kinds of things.
    case findings([ExportFinding.Kind], directory: String)
    /// `export verify`: an export changes the destination.
    case exportRuns(directory: String)
    /// `export verify` with `--repair` or `--service`: this machine's state does not have the destination.
    case notRepairable(directory: String)
    /// `export compact` left these resources as they are.
    case notCompacted([String], directory: String)
    /// `export compact` cannot make the current file of a resource of this file, whose path is relative to the destination.
    case compactSource(String, path: String, ExportError.CurrentFault)
    /// `export status` has nothing to show.
    case nothingExported(directory: String?)
    /// This machine exported nothing to the database; others may have.
    case notExportedHere(database: String)
    /// `export status` cannot read what other machines export; what this machine exported was shown.
    case othersUnknown(LedgerError)

    /// What is missing of a resource, and why.
    struct WindowsMissing: Sendable, Equatable {
        var resource: String
        /// The time ranges that could not be read, oldest first; adjacent ranges are merged.
        var spans: [TimeWindow]
        /// The time ranges that were not tried after that, in the same form.
        var untried: [TimeWindow]
        /// Number of windows of the run, and how many of them are done.
        var windows: Int
        var done: Int
        /// Whether the next run resumes with them; an export to standard output starts over.
        var isResumable: Bool
        /// Cause of the first failure, such as `503`.
        var cause: String
        /// Whether more retries may help.
        var mayHelpToRetry: Bool
    }
}

extension ErrorReport {

    private static let otherDirectory = "export to another directory: --to DIRECTORY"
    private static let otherName = "move it away, or choose another --name"

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
                "lock_busy", .tryAgain, "another export to \(path) is running",
                "to wait for it, add --if-running wait; to skip this run, add --if-running skip")
        case .foreignDestination(let path):
            self.init(
                "foreign_destination", .configuration,
                "\(path) was created with another state directory: on another machine, by another user, or with one that is lost",
                "export to another directory, or use that state: CLOVER_STATE_DIR",
                "to export everything here again, move the files away, including \(ExportDirectory.folder)")
        case .unknownExports(let path, let resource):
            self.init(
                "foreign_destination", .configuration,
                "\(path) has files of \(resource), and has lost \(ExportDirectory.folder), by which its state is found: "
                    + "this export would write their records again",
                "if \(path) is a copy, copy \(ExportDirectory.folder) too; or export to another directory: --to DIRECTORY",
                "to export everything here again, move the files and \(NameTemplate.manifest) away")
        case .nameTaken(let path, let owner):
            self.init(
                "name_taken", .cannotCreate, "\(path) holds other records: \(owner)",
                "add {resource} and {window} or {date} to --name, or append to the file with --append")
        case .dayTaken(let path, let owner):
            self.init(
                "name_taken", .cannotCreate, "\(path) holds the same day with different bounds: \(owner)",
                "use the same --day-start and --zone, or add {from} to --name to tell them apart")
        case .truncatedFile(let path, let size, let known):
            self.init(
                "cut_file", .badData, "\(path) has been truncated: \(size) of \(known) bytes are left",
                "restore the whole file: later runs export only changes, and not what it has lost",
                "to export all of it again, add --export-missing, or move the file away, and run once with --full")
        case .lostFile(let path):
            self.init(
                "files_missing", .incomplete,
                "\(path) is missing, and nothing was added: a new file would have only the changes since the last run",
                "restore it, or add --export-missing to export all of it again",
                "if it is no longer needed here, or was made by --day or another range, begin a new file with "
                    + "--accept-missing")
        case .alreadyAdded(let path, let what):
            self.init(
                "already_added", .cannotCreate, "\(path) has \(what) already, and would have records twice",
                "move the file away, or choose another --name: a file takes either the changes from run to run, or "
                    + "ranges that do not overlap")
        case .otherForm(let path):
            self.init(
                "other_form", .cannotCreate,
                "\(path) is written in another form: other columns, or another format",
                "move the file away, or choose another --name, or the same --format, --fields and --compress")
        case .formConflict(let path, let isWhole):
            self.init(
                "other_form", .cannotCreate,
                "\(path) holds the same records in another form: other fields, another program or another format",
                "choose another --name or another directory, or move the file away")
            if isWhole { hints.append("to replace it with everything in this form, run with --full") }
        case .formChanged(let resource, let place, let kept, let asked):
            self.init(
                "other_form", .cannotCreate,
                "\(resource) is exported to \(place) in another form: \(kept), and not \(asked); "
                    + "in this form, it would have only what changed since the last run",
                "use that form, or export this one to a separate directory: --to DIRECTORY",
                "to export everything in this form, and continue in it, run with --full")
        case .foreignFile(let path):
            self.init("name_taken", .cannotCreate, "\(path) exists, but was not made by an export", Self.otherName)
        case .otherMerchant(let path, let known, let merchant):
            self.init(
                "other_merchant", .configuration,
                "\(path) has the exports of merchant \(known), and this run is for merchant \(merchant)",
                "choose the sign-in with --profile or --merchant, or give each merchant a separate directory: --to DIRECTORY",
                "one directory for several merchants needs {merchant} in --name, or --tag-merchant in each export to "
                    + "it")
        case .foreignManifest(let path):
            self.init(
                "foreign_file", .cannotCreate,
                "\(path) was not written by an export: its first line is not a line of a manifest",
                "move it away, or \(Self.otherDirectory)")
        case .link(let path):
            self.init(
                "foreign_file", .cannotCreate,
                "\(path) is a symbolic link, and exports do not follow links below their destination",
                "remove the link, or export to the directory that it leads to: --to DIRECTORY")
        case .notFile(let path):
            self.init("foreign_file", .cannotCreate, "\(path) is not a regular file", Self.otherName)
        case .name(let fault, let template): self.init(fault, template)
        case .malformedDay(let text):
            self.init(
                "bad_day", .usage, "'\(text)' is not a day or a period",
                "write it as yesterday, 2026-11-20, last-week, 2026-10 or 2026-10-01..2026-10-15")
        case .malformedDayStart(let text):
            self.init("bad_day", .usage, "'\(text)' is not a time of day", "write it as 04:00")
        case .malformedTime(let text):
            self.init(
                "bad_time", .usage, "'\(text)' is not a time",
                "write it as 2026-11-20, 2026-11-20T08:00Z, yesterday or -7d; a period such as 2026, 2026-11 or last-month is its beginning",
                "for a range: --since 2026-11-01 --until 2026-12-01, or --day 2026-11-01..2026-11-30")
        case .emptyRange(let from, let to):
            self.init(
                "empty_range", .usage,
                "the range is empty: it begins at \(InstantText.utc(milliseconds: from)) and ends at "
                    + InstantText.utc(milliseconds: to),
                "--since must be earlier than --until, which is never later than now; a period such as 2026-11 is its beginning"
            )
        case .clockBehind(let resource, let end, let now):
            self.init(
                "clock_behind", .incomplete,
                "incomplete: this machine's clock shows \(InstantText.utc(milliseconds: now)), but \(resource) is already "
                    + "exported up to \(InstantText.utc(milliseconds: end)), so nothing later was requested",
                "set the clock: 'clover doctor' compares it with the service's; the next run continues from there")
        case .clockSlow(let resource, let end, let seconds):
            self.init(
                "clock_slow", .incomplete,
                "incomplete: this machine's clock is \(seconds) s behind the service's, and \(resource) was exported up to "
                    + "\(InstantText.utc(milliseconds: end)) by this machine's",
                "set the clock: 'clover doctor' compares it with the service's; the next run continues from there")
        case .noDays(let resource):
            self.init(
                "no_days", .usage,
                "\(resource) cannot be exported by day: the service does not filter it by time",
                "leave --day out: \(resource) is then exported in full")
        case .noTimes(let resource, let option):
            self.init(
                "no_times", .usage,
                "\(option) does not apply to \(resource), which the service does not filter by time of change",
                "leave it out: \(resource) is then exported in full")
        case .noTimeZone(let merchant):
            self.init(
                "no_time_zone", .configuration,
                "the service does not report the time zone of merchant \(merchant)",
                "name a zone, such as --zone America/New_York")
        case .unknownResource(let path, let suggestions):
            // A mistyped subcommand is parsed as a resource.
            let verbs = NearestNames.of(path, among: Export.configuration.subcommands.map { $0._commandName })
            let familiar =
                FamiliarWords.commands(path, after: ["export"], next: nil).map { "clover \($0)" }
                + FamiliarWords.paths(path).filter(EndpointCatalogue.exportable.contains)
            let near = familiar.isEmpty ? verbs.map { "clover export \($0)" } + suggestions : familiar
            self.init(
                "unknown_path", .usage, "unknown path '\(path)'",
                near.isEmpty
                    ? "there are: " + EndpointCatalogue.exportable.joined(separator: ", ") : Self.didYouMean(near))
        case .notRecords(let path):
            self.init("not_records", .usage, "\(path) returns text instead of records", "run: clover get \(path)")
        case .recordsFailed(let count, let first, let isProgram, let isFile):
            let records = count == 1 ? "1 record" : "\(count) records"
            self.init(
                "records_failed", .badData,
                (isProgram ? "jq failed on \(records)" : "\(records) could not be printed")
                    + (count == 1 ? ", \(first)" : ", the first of them \(first)")
                    + (isFile
                        ? "; the file with them was not written, and nothing after it"
                        : "; the rest of their window was written, and nothing after it"),
                isFile
                    ? "published files stay; the next run continues with this file"
                    : "the next run writes everything again")
        case .programHalted:
            self.init(
                "program_halted", .badData, "the jq program ended the run, so its file would not be complete",
                "to leave records out, use select(...) instead of halt")
        case .unknownPart(let name, let resources, let known):
            let near = NearestNames.of(name, among: known)
            self.init("unknown_part", .usage, "\(Self.together(resources)) no parts '\(name)'")
            if !near.isEmpty { hints.append(Self.didYouMean(near)) }
            if !known.isEmpty { hints.append("there are: " + known.joined(separator: ", ")) }
        case .unknownField(let name, let resources, let suggestions):
            self.init(
                "bad_field", .usage, "\(Self.together(resources)) no field '\(name)'",
                "for all fields: clover schema \(resources.first ?? "")", "--jq accepts any field of a record")
            if !suggestions.isEmpty { hints.insert(Self.didYouMean(suggestions), at: 0) }
        case .unknownFieldOwner(let name, let known):
            let near = NearestNames.of(name, among: known)
            self.init("bad_field", .usage, "--fields \(name)=...: this run does not export \(name)")
            if !near.isEmpty { hints.append(Self.didYouMean(near)) }
            hints.append("there are: " + known.joined(separator: ", "))
        case .futureDay(let day, let from):
            self.init(
                "bad_day", .usage, "\(day) has not begun: it begins at \(InstantText.utc(milliseconds: from))",
                "export it when it is over: --day yesterday")
        case .notAnObject(let resource, let number, let window):
            self.init(
                "not_a_record", .badData,
                "element \(number) of \(resource)\(Self.place(of: window)) is not an object, so not a record",
                "nothing of this window is published; the next run reads it again")
        case .currentForm(let resource, let conflict):
            self.init(
                "other_form", .cannotCreate, "\(resource) has a current file in this directory: \(conflict)",
                "leave such options out, or \(Self.otherDirectory)")
        case .currentSource(let path, let fault):
            self.init(
                fault, "cannot bring the current file up to date, because \(path)",
                "all changes are exported; the current file was not changed")
        case .wrongTime(let resource, let id, let time, let window):
            self.init(
                "filter_ignored", .incomplete,
                "incomplete: the service does not filter \(resource) by \(window.field ?? "time"): asked for records"
                    + "\(Self.place(of: window)), it returned \(id ?? "a record") of "
                    + InstantText.utc(milliseconds: time),
                "nothing of this window is published; the next run reads it again")
        }
    }

    /// A file of which a current file cannot be made.
    fileprivate init(_ fault: ExportError.CurrentFault, _ sentence: String, _ hint: String) {
        let (status, what): (ExitStatus, String) =
            switch fault {
            case .missing: (.incomplete, "is missing")
            case .changed: (.incomplete, "has other bytes than were exported")
            case .noIdentifier: (.badData, "has a record without an id")
            case .form: (.badData, "is not uncompressed NDJSON with a row for each record")
            }
        self.init(
            "current_file", status, (status == .incomplete ? "incomplete: " : "") + "\(sentence) \(what)", hint)
        switch fault {
        case .missing: hints.append("to export it again: clover export verify DIRECTORY --repair")
        case .changed:
            hints.append("to export it again, move it away first: clover export verify DIRECTORY --repair")
        case .noIdentifier, .form: break
        }
    }

    private static func didYouMean(_ names: [String]) -> String { "did you mean: " + names.joined(separator: ", ") }

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
        self.init("bad_name", .usage, message, hint)
    }

    /// Suggestions for a file of a destination that could not be created or written.
    static func hints(_ number: Int32, at path: String) -> [String] {
        switch number {
        case ENOSPC, EDQUOT:
            ["free some space and run again: published files stay, and the next run continues from there"]
        case EACCES, EPERM, EROFS:
            ["make \(destination(of: path)) writable for this user, or \(otherDirectory)"]
        case ENOTDIR: ["a part of the path is a file: choose another directory, --to DIRECTORY"]
        default: [otherDirectory]
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
                outOfTime: obstacle,
                "--max-time \(Self.shortened(seconds)) ran out" + (obstacle.map { ": \($0.words)" } ?? "")
                    + (progress.isEmpty ? "" : "; " + progress.joined(separator: ", "))
                    + (notReached.isEmpty ? "" : "; not reached: " + notReached.joined(separator: ", ")),
                "the next run continues from there")
        case .windowsMissing(let missing):
            self.init(
                "incomplete", .incomplete,
                "incomplete: \(missing.resource)\(Self.place(of: missing.spans)) could not be read: " + missing.cause
                    + (missing.untried.isEmpty ? "" : "; \(Self.words(missing.untried)) was not tried after that"),
                Self.rest(of: missing))
            if missing.mayHelpToRetry { hints.append("to retry longer, use --retry N") }
        case .filesMissing(let paths, let directory, let exportWasTried, let hasChanged):
            self.init(
                "files_missing", .incomplete,
                "incomplete: \(MissingFiles.count(paths.count)) \(MissingFiles.fault(hasChanged: hasChanged)) "
                    + "in \(directory): " + paths.prefix(10).joined(separator: ", ")
                    + (paths.count > 10 ? ", ..." : ""),
                exportWasTried
                    ? "--export-missing needs the --with and --append of the run that made a file; of a --day or "
                        + "another range that was added to a file that grows, ask for the range again"
                    : "restore them, or export their contents again: run their resources with --export-missing",
                "if they are no longer needed here: run their resources with --accept-missing")
        case .rowsMissing(let rows, let database):
            self.init(
                "rows_missing", .incomplete, "incomplete: \(MissingFiles.text(of: rows)) in \(database)",
                "to export them again: run their resources with --full, and nested lists with the same --with",
                "if they are no longer needed here: run their resources with --accept-missing")
        case .recordsFailed(let count, let first, let directory, let isRestExported):
            let records = count == 1 ? "1 record, " : "\(count) records, the first of them "
            self.init(
                "records_failed", .partlyFailed,
                "jq failed on \(records)\(first); \(count == 1 ? "it is" : "they are") in \(directory)"
                    + (isRestExported ? ", everything else is exported" : ""),
                "later runs do not try them again; to stop instead, add --strict")
        case .someFailed(let names, let done):
            self.init(
                "some_failed", .partlyFailed,
                "\(names.joined(separator: ", ")) failed, \(done) \(done == 1 ? "is" : "are") done",
                "what failed is tried again by the next run")
        case .allFailed(let names, let status):
            self.init(
                "all_failed", ExitStatus(rawValue: status) ?? .unclassified,
                "\(names.joined(separator: ", ")) failed", "they are tried again by the next run")
        case .stale(let names, let limit):
            self.init(
                "stale", .incomplete,
                names.count == 1
                    ? "not exported for \(limit): \(names[0])" : "\(names.count) exports did not run for \(limit)",
                "to check only one directory, add --to DIRECTORY",
                "to stop watching one that is no longer exported to: clover export forget DIRECTORY")
        case .exportsLack(let names):
            self.init(
                "files_missing", .incomplete, "published files are missing of \(names.joined(separator: ", "))",
                "to see which, and to export them again: clover export verify DIRECTORY --repair",
                "if they were taken away on purpose, run the export once with --accept-missing")
        case .findings(let kinds, let directory):
            let count = kinds.count == 1 ? "1 finding" : "\(kinds.count) findings"
            let losses = Set(kinds.filter(\.isLoss))
            // What has other ids, or cannot be read, may be whole.
            let verb = losses.isSubset(of: [.keys, .unreadable, .notFile]) ? "may be" : "are"
            self.init(
                "findings", losses.isEmpty ? .partlyFailed : .incomplete,
                (losses.isEmpty ? "\(count) in " : "incomplete: \(count), records \(verb) missing from ") + directory)
            if DatabaseAddress.isMeant(by: directory) {
                if kinds.contains(.gone) {
                    hints.append("to mark what Clover has deleted: 'clover export run' with --full --mark-deleted")
                }
                if kinds.contains(where: { $0 != .gone }) {
                    hints.append(
                        "to export everything again, and take the rows as they are then: 'clover export run' with --full "
                            + "and the same --with"
                    )
                }
                return
            }
            if !Set(kinds).isDisjoint(with: [.missing, .shortened, .manifest, .identity]) {
                hints.append("to export again what is missing: --repair")
            }
            if !Set(kinds).isDisjoint(with: [.changed, .rows, .notFile]) {
                hints.append("to export a changed file again, move it away, and run with --repair")
            }
            if kinds.contains(.gap) { hints.append("to close a gap: 'clover export run' with --full") }
            if kinds.contains(.foreign) { hints.append("to leave out what no export made: --ignore-foreign") }
        case .exportRuns(let directory):
            self.init("lock_busy", .tryAgain, "an export to \(directory) is running", "run again when it has ended")
        case .notRepairable(let directory):
            self.init(
                "foreign_destination", .configuration,
                "this machine has no state of \(directory), which this needs",
                "run it where the exports run, or with their state: CLOVER_STATE_DIR")
        case .notCompacted(let names, let directory):
            self.init(
                "not_compacted", .partlyFailed, "\(names.joined(separator: ", ")) in \(directory) stayed as before",
                "to get a current file, export to another directory with --state current")
        case .compactSource(let resource, let path, let fault):
            self.init(
                fault, "cannot make the current file of \(resource), because \(path)",
                "nothing of \(resource) was moved or changed")
        case .nothingExported(let directory):
            self.init(
                "nothing_exported", .notFound,
                "nothing has been exported yet" + (directory.map { " to \($0)" } ?? ""),
                "to export: clover export orders --to "
                    + (directory.flatMap { $0 == "-" ? nil : ShellWord.quoted($0) } ?? "DIRECTORY"))
        case .notExportedHere(let database):
            self.init(
                "nothing_exported", .notFound,
                "this machine has exported nothing to \(database), or runs without the setting state that others share",
                "to see what the database has: clover export verify \(database)")
        case .othersUnknown(let error):
            self.init(error)
            message = "what other machines export is not known: \(error)"
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

    init(_ error: CompressionError) {
        switch error {
        case .memory: self.init("memory", .inputOutput, "cannot compress: out of memory")
        case .failed(let code): self.init("bug", .bug, "cannot compress: error \(code)")
        }
    }

    init(_ error: ExportAPIError) {
        func span(_ resource: ExportAPIResource, _ from: Int64, _ to: Int64) -> String {
            "\(resource.rawValue) of \(InstantText.utc(milliseconds: from)) to \(InstantText.utc(milliseconds: to))"
        }
        let otherWay = "without --via export-api"
        switch error {
        case .notExported(let resource):
            self.init(
                "not_exported", .usage, "the service exports orders and payments, not \(resource)",
                "leave --via export-api out, or run \(resource) by itself")
        case .ended(let resource, let from, let to, let status, let tries):
            self.init(
                "export_failed", .unavailable,
                "the service could not export \(span(resource, from, to)): status \(status), \(tries) times",
                "run again later, or \(otherWay)")
        case .filesGone(let resource, let from, let to, let tries):
            self.init(
                "export_gone", .unavailable,
                "cannot read the files of the service's export of \(span(resource, from, to)) (tried \(tries) times)",
                "run again later, or \(otherWay)")
        case .fewer(let resource, let from, let to, let records, let tries):
            self.init(
                "incomplete", .incomplete,
                "incomplete: the service's export of \(span(resource, from, to)) has \(records) records, "
                    + "and the list of records shows more (tried \(tries) times)",
                "nothing of it is published; run again later, or \(otherWay)")
        case .unreadable(let url):
            self.init(
                "unreadable", .nonsense, "the response from \(url) does not describe an export",
                "run again \(otherWay)")
        case .insecureFile(let url):
            self.init(
                "insecure_file", .nonsense,
                "the service returned an export file that cannot be fetched safely: \(url)", "run again \(otherWay)")
        }
    }

    init(_ error: SingerStateError) {
        switch error {
        case .unreadable(let path):
            self.init(
                "bad_state", .badData, "\(path) is not a state of 'clover export --singer'",
                "give the last line that the target wrote, or leave --state out to export everything")
        case .notRegularFile(let path):
            self.init(
                "bad_state", .badData, "\(path) is not a regular file",
                "write the last line that the target wrote to a file, and name that")
        case .otherMerchant(let path, let merchant):
            self.init(
                "bad_state", .configuration, "\(path) belongs to merchant \(merchant)",
                "keep a state for each merchant, or sign in to that one")
        case .otherEnvironment(let path, let environment):
            self.init(
                "bad_state", .configuration, "\(path) belongs to a merchant in \(environment)",
                "keep a state for each merchant, or sign in there")
        }
    }

    init(_ error: ScheduleError) {
        switch error {
        case .interval:
            self.init(
                "bad_interval", .usage,
                "the interval of an export is a whole number of minutes, from one minute to a week",
                "use for example 1m, 15m, 6h, 1d or 7d, or every day --at TIME")
        case .notInCron(let minutes):
            self.init(
                "bad_interval", .usage,
                "cron has no such interval: an hour or a day is not divisible by \(minutes) minutes",
                "use 1m, 5m, 10m, 15m, 20m, 30m, 1h, 2h, 3h, 4h, 6h, 8h, 12h, 1d or 7d, or every day --at TIME",
                "or use systemd, which supports it: --print systemd")
        case .timeOfDay(let text):
            self.init("bad_time", .usage, "'\(text)' is not a time of day", "write it as 02:30")
        case .unwritable:
            self.init(
                "unwritable", .usage,
                "a word of the export has a line break or another control character, which is not allowed",
                "put a jq program of several lines into a file: --from-file FILE")
        }
    }
}
