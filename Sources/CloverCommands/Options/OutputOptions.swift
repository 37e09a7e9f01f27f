import ArgumentParser
import CloverCalendar
import CloverCore
import CloverJSON
import CloverOutput
import Glibc

/// The file that records are written to instead of standard output.
struct OutputFileOptions: ParsableArguments {
    @Option(
        name: [.customShort("o"), .customLong("output")], parsing: .unconditional,
        help: ArgumentHelp(
            "Write to this file instead of standard output; an existing file is replaced only after a complete run.",
            valueName: "file"), completion: .file())
    var path: String?

    func validate() throws {
        if path == "" { throw ValidationError("--output takes a file, or - for standard output") }
        if let path, RecordFormat(rawValue: path) != nil {
            throw ValidationError("--output takes a file, or ./\(path); for a format: --format \(path)")
        }
        try OutputPath.check(path, of: "--output")
    }
}

/// A command that prints records.
protocol RecordCommand: CloverCommand {
    var outputFile: OutputFileOptions { get }
    /// Whether to print PINs, bank and card numbers, tokens and secrets; nil for a command that never does.
    var sensitivityOptions: SensitivityOptions? { get }
}

/// A command that prints records of clover's own.
protocol OwnRecordCommand: RecordCommand {
    var output: RecordOutputOptions { get }
}

extension OwnRecordCommand {
    var outputFile: OutputFileOptions { output.file }
}

extension RecordCommand {
    var sensitivityOptions: SensitivityOptions? { nil }

    /// Runs the command with its output in the file, if one was given. Without an error the file replaces an existing one in
    /// one step (rename(2)), also if the status reports findings; otherwise it stays as it was.
    func runIntoFile(in environment: CommandEnvironment) async throws -> Int32 {
        guard let path = outputFile.path, path != "-" else {
            return try await run(in: messages.applied(to: environment))
        }
        var isPrivate = false
        if let sensitivityOptions {
            isPrivate = try sensitivityOptions.isShown(await environment.settings(for: ConnectionChoice()))
        }
        let result = try await ReceiptFile(path).replace(isPrivate: isPrivate) {
            descriptor -> Result<Int32, any Error> in
            var inner = environment
            inner.outputFile = path
            let output = RecordOutput(descriptor: descriptor)
            inner.standardOutput = output
            inner.terminal.isOutputTerminal = false
            inner.terminal.width = nil
            inner.terminal.outputSize = nil
            inner.screen = TerminalCapabilities(variables: environment.variables, isOutputTerminal: false)
            do {
                let status = try await run(in: messages.applied(to: inner))
                try await output.finishWriting()
                Self.warn(of: path, descriptor, environment.diagnostics)
                if OutputPath.isLikeFormat(path) {
                    environment.diagnostics.notice(
                        "the records are in the file '\(path)'; for a format: --format table")
                }
                return .success(status)
            } catch  where Self.isAboutOutput(error) {
                do {
                    try await output.finishWriting()
                } catch let fault {
                    throw Self.losing(path, descriptor, fault)
                }
                return .failure(error)
            } catch {
                // Before the descriptor is closed.
                await output.settle()
                throw Self.losing(path, descriptor, error)
            }
        }
        return try result.get()
    }

    /// Whether all that was asked for was printed, and the error is a verdict on it.
    private static func isAboutOutput(_ error: any Error) -> Bool {
        switch error {
        case let error as ReportError: error.isPrinted
        case ExportFailure.findings, ExportFailure.notCompacted, ExportFailure.stale, ExportFailure.exportsLack: true
        default: false
        }
    }

    /// The error of a run that failed, with what became of the file. Other files than regular ones, such as a pipe, have got
    /// the output.
    private static func losing(_ path: String, _ descriptor: Int32, _ error: any Error) -> any Error {
        var error = error
        if case .failed(let number)? = error as? RecordWriteError {
            error = CoreError.unwritableFile(path: path, errno: number)
        }
        var facts = stat()
        guard case .report(let report) = ErrorReport.ending(of: error), fstat(descriptor, &facts) == 0,
            facts.st_mode & S_IFMT == S_IFREG,
            facts.st_size > 0 || [.badData, .incomplete, .partlyFailed].contains(report.status)
        else { return error }
        return OutputNotKept(path: path, cause: error)
    }

    /// Warns of a file that is JSON and whose name says that it is a table.
    private static func warn(of path: String, _ descriptor: Int32, _ diagnostics: Diagnostics) {
        let ending = path.split(separator: ".").last.map { $0.lowercased() } ?? ""
        guard let format = RecordFormat(rawValue: ending), format.hasColumns else { return }
        var first: UInt8 = 0
        guard pread(descriptor, &first, 1, 0) == 1, [UInt8(ascii: "{"), UInt8(ascii: "[")].contains(first) else {
            return
        }
        diagnostics.warning("\(path) has JSON; for \(format.rawValue), add --format \(format.rawValue)")
    }
}

/// The error of a run whose output is lost, because only a complete run replaces the file of `--output`.
struct OutputNotKept: Error {
    let path: String
    let cause: any Error

    /// The report of the cause, which speaks of the output as if it were kept, with what became of the file.
    func report(_ report: ErrorReport) -> ErrorReport {
        var report = report
        report.outputFacts = [
            "'\(path)' was not written, and this run's output is lost: only a complete run replaces the file",
            "to keep the output of a run that is not complete: >FILE in place of --output",
        ]
        return report
    }
}

/// An output path as typed.
///
/// URLs are refused: taken as a path, `s3://bucket/exports` would create the directories `s3:`, `bucket` and `exports`
/// on this machine. A directory with such a name can be given as `./s3:...`.
enum OutputPath {
    /// - Parameters:
    ///   - text: the value of the option; nil if it was not given.
    ///   - option: the option with its dashes, such as `--to`.
    static func check(_ text: String?, of option: String) throws(ValidationError) {
        guard let text else { return }
        let start = text.prefix { $0 != ":" }
        if start.endIndex < text.endIndex, let right = databases[start.lowercased()], !text.hasPrefix(start + "://") {
            // Without the text, which may have a password.
            throw ValidationError(
                "\(option) takes a database as \(right); for a file or directory of that name, begin with ./")
        }
        guard let scheme = scheme(of: text) else { return }
        let rest = text.dropFirst(scheme.count + "://".count)
        let hint =
            scheme.lowercased() == "file" && rest.hasPrefix("/")
            ? "write it as a path: \(option) \(rest)"
            : "write to this machine and copy the files from there"
        throw ValidationError("\(option) takes a path and cannot write to \(scheme)://: \(hint)")
    }

    /// Whether a file has the name of a format, as other programs take it after `-o`.
    static func isLikeFormat(_ path: String) -> Bool {
        let words: Set = [
            "text", "txt", "wide", "yaml", "yml", "xml", "html", "pdf", "name", "names", "jsonl", "json-lines",
            "pretty",
            "plain", "excel", "xls", "markdown", "md", "list", "column", "columns", "raw", "go-template", "value",
        ]
        return words.contains(path.lowercased())
            || ["jsonpath=", "go-template=", "custom-columns=", "template="].contains { path.hasPrefix($0) }
    }

    /// How a database is written, by the words that people begin it with.
    private static let databases = [
        "sqlite": "sqlite:FILE", "sqlite3": "sqlite:FILE", "postgres": "postgresql://HOST/DATABASE",
        "postgresql": "postgresql://HOST/DATABASE",
    ]

    /// The scheme before `://` in a URL (RFC 3986, section 3.1); nil for a path.
    private static func scheme(of text: String) -> Substring? {
        let scheme = text.prefix { $0 != ":" }
        guard text[scheme.endIndex...].hasPrefix("://"), let first = scheme.first, first.isASCII, first.isLetter,
            scheme.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) })
        else { return nil }
        return scheme
    }
}

/// A duration given to an option; errors name the option.
enum NamedDuration {
    static func seconds(_ text: String, _ option: String) throws -> Double {
        do throws(CoreError) {
            return try DurationExpression.seconds(text)
        } catch {
            throw ValidationError("\(option) takes a duration such as 500ms, 10s or 1m, not '\(text)'")
        }
    }
}

/// A duration that may be in days: `89d`, or what `DurationExpression` accepts.
enum LongDuration {
    private static let secondsPerDay = 86_400.0

    private static let units = ["ms", "s", "m", "h", "d", ""]

    /// Whether the text is zero in any unit: `0`, `0s`.
    static func isZero(_ text: String) -> Bool { units.contains { text == "0\($0)" } }

    /// The duration in seconds, greater than zero.
    static func seconds(_ text: String) throws(CoreError) -> Double {
        guard text.hasSuffix("d") else { return try DurationExpression.seconds(text) }
        let number = text.dropLast()
        guard number.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }), let days = Double(number), days > 0,
            days < 100_000
        else { throw .malformedDuration(text) }
        return days * secondsPerDay
    }
}

/// A list that clover keeps itself, such as of sign-ins: a special table on a terminal, otherwise records like those of
/// `get`.
struct OwnList {
    /// The records as lines of JSON.
    let lines: [String]
    /// Names of their members with a single value: the columns of CSV, TSV and tables.
    let columns: [String]
    /// Those of `columns` that are times, in ISO 8601.
    var times: Set<String> = []
    /// Those of `columns` that are amounts in the smallest unit of a record's `currency`.
    var amounts: Set<String> = []
    /// Names of the other members.
    var others: [String] = []

    /// Prints the list.
    ///
    /// - Parameters:
    ///   - table: the table for a terminal, if no format and no jq program was given; with the zone of its times.
    ///   - choice: the connection whose settings apply.
    /// - Returns: the exit status.
    func print(
        _ options: RecordOutputOptions, _ messages: MessageOptions, _ choice: ConnectionChoice = ConnectionChoice(),
        in environment: CommandEnvironment, table: (DisplayedTimes) throws -> TextPage
    ) async throws -> Int32 {
        let records = try await options.records(messages, in: environment)
        if records.isOpen(in: environment) {
            let zone = try await DisplayedTimes.ofMachine(choice, zone: records.format.zone, in: environment)
            let page = try table(zone)
            try await StandardOutput.show(page, in: environment)
            if !times.isEmpty, page.showsTimes { environment.diagnostics.notice(zone.sentence) }
            return ExitStatus.done.rawValue
        }
        let report = try await records.print(lines, try schema(), merchant: choice, in: environment)
        return options.jq.ending(of: report, in: environment)
    }

    /// Prints the list; on a terminal, as a table of some of its members.
    ///
    /// - Parameters:
    ///   - shown: the titles and members of the table. The first one is what people copy.
    ///   - empty: the notice if there is nothing.
    func print(
        _ options: RecordOutputOptions, _ messages: MessageOptions, _ choice: ConnectionChoice,
        in environment: CommandEnvironment, shown: [(title: String, member: String)], empty: String
    ) async throws -> Int32 {
        try await print(options, messages, choice, in: environment) { _ in
            guard !lines.isEmpty else {
                environment.diagnostics.notice(empty)
                return TextPage("")
            }
            let rows = lines.map { line in
                let record = JSONTree(Array(line.utf8))
                return shown.map { Diagnostics.printable(cell($0.member, of: record)) }
            }
            return AlignedRows.text(
                head: shown.map(\.title), rows, meanings: [shown[0].title: .identifier, "AMOUNT": .amount],
                in: environment)
        }
    }

    private func cell(_ member: String, of record: JSONTree?) -> String {
        let value = record?[member]
        if amounts.contains(member), let amount = value?.int, let code = record?["currency"]?.string {
            return Currency.foreign(code).text(amount)
        }
        return switch value {
        case .text(let text)?: text
        case .boolean(let isTrue)?: isTrue ? "yes" : "no"
        case let value?: value.text
        case nil: "-"
        }
    }

    /// What the records have, for a list that is printed as it is read.
    func schema() throws(RecordFormatError) -> RecordSchema {
        var shown: [RecordColumn] = []
        let currency = try FieldPath.parsed("currency")
        for name in columns {
            let kind: RecordColumn.Kind =
                amounts.contains(name) ? .money(currency: currency) : times.contains(name) ? .time(.text) : .plain
            shown.append(RecordColumn(try FieldPath.parsed(name), kind: kind))
        }
        var schema = RecordSchema(columns: shown)
        schema.others = others
        return schema
    }
}
