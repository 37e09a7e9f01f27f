import ArgumentParser
import CloverAPI
import CloverCore
import CloverExport
import CloverJSON
import CloverOutput

extension Export {
    /// `clover export verify`.
    struct Verify: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "verify",
            abstract: "Check every file of a destination against its manifest, and name what is missing or changed",
            discussion: """
                Examples:
                  clover export verify ~/exports
                  clover export verify ~/exports --repair
                  clover export verify ~/exports --ignore-foreign --json

                Each file is read, and its size, SHA-256 and number of rows are compared with the manifest; then the \
                manifest with what this machine's state knows, and the windows of each resource with each other. The \
                service is not asked, and nothing is changed. It prints one finding a line, and nothing if all is well. \
                A destination of another machine is checked against its manifest alone.

                Kinds of findings: missing, shortened, changed, rows, not_a_file, unreadable, foreign (no export made \
                the file), manifest, gap (no file has the records of a time between others), overlap (two files have \
                the same window) and identity (the next run would start over). Files that you no longer want here: \
                'clover export run' with --accept-missing.

                --repair exports missing files again, and what is left of files that lost their end is kept as \
                FILE.changed. It restores the manifest, and changes nothing else: to export a changed file again, move \
                it away first. A file that grows is exported again up to now.

                Exit statuses:
                  0   every file is as it was exported
                  64  wrong usage
                  66  there is no such directory, or nothing was exported to it, so
                      that there is nothing to check
                  75  an export to it is running
                  78  --repair: this machine has no state of it
                  79  records are missing: missing, shortened, not_a_file, unreadable, gap
                  82  everything is there, but something else was found
                """
        )

        @Argument(
            help: ArgumentHelp("Directory of the exports, or s3://BUCKET/PREFIX.", valueName: "destination"),
            completion: .directory)
        var destination: String

        @Flag(name: .long, help: "Export again what is missing, and nothing else.")
        var repair = false

        @Flag(name: .customLong("ignore-foreign"), help: "Do not report files that no export made.")
        var ignoresForeign = false

        @OptionGroup(title: "What to print")
        var output: RecordOutputOptions

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func validate() throws {
            guard !DatabaseAddress.isMeant(by: destination) else {
                throw ValidationError(
                    "verify checks files and objects; a database says itself what it has, and the next export goes on from there"
                )
            }
            try DatabaseAddress.check(destination, of: "the destination")
        }

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let environment = messages.applied(to: environment)
            let records = try await output.records(messages, in: environment)
            let address = try ObjectAddress.located(destination, of: "the destination", in: environment)
            let isThere = ExportDirectory.existing(destination).map { (path: $0, ExportDirectory.isDestination($0)) }
            guard let path = address?.name ?? isThere.flatMap({ $0.1 ? $0.path : nil }) else {
                throw ExportFailure.nothingExported(directory: destination)
            }
            let verification = ExportVerification(
                path: path, address: address, ignoresForeign: ignoresForeign, environment: environment)
            var result = try await verification.run()
            guard !result.isEmpty else { throw ExportFailure.nothingExported(directory: destination) }
            var failure: (any Error)?
            if repair, !result.findings.isEmpty {
                failure = try await ExportRepair(path: path, environment: environment).run(result)
                result = try await verification.run()
            }
            let report = try await print(result, records, in: environment)
            guard result.findings.isEmpty else {
                throw failure ?? ExportFailure.findings(result.findings.map(\.kind), directory: path)
            }
            return output.jq.ending(of: report, in: environment)
        }

        private func print(
            _ result: ExportVerification.Result, _ records: LocalRecords, in environment: CommandEnvironment
        ) async throws -> FilterReport {
            let schema = try ExportFinding.schema()
            let isTable = try records.isTable(schema, in: environment)
            var report = FilterReport()
            if !isTable || !result.findings.isEmpty {
                report = try await records.print(
                    result.findings.map(\.json), schema, merchant: ConnectionChoice(), in: environment)
            }
            if isTable, result.findings.isEmpty {
                environment.diagnostics.notice("all is well: \(result.counts.text)")
            }
            return report
        }
    }
}

extension ExportFinding {
    /// One line of JSON.
    fileprivate var json: String {
        var line = JSONLine()
        line.add("kind", kind.rawValue)
        line.add("file", file)
        line.add("resource", resource)
        line.add("merchant", merchant)
        line.add("sentence", sentence)
        return line.text
    }

    fileprivate static func schema() throws -> RecordSchema {
        var columns = [RecordColumn(try FieldPath(parsing: "kind"), heading: "KIND", importance: .key)]
        for name in ["file", "resource", "merchant"] {
            columns.append(
                RecordColumn(try FieldPath(parsing: name), heading: name.uppercased(), importance: .optional))
        }
        let sentence = RecordColumn(try FieldPath(parsing: "sentence"), heading: "WHAT")
        return RecordSchema(columns: columns + [sentence], tableColumns: [columns[0], columns[1], sentence])
    }
}

extension DestinationCheck.Counts {
    /// For people: `3 files with 120 rows, 45678 bytes`.
    fileprivate var text: String {
        "\(files) \(files == 1 ? "file" : "files") with \(rows) \(rows == 1 ? "row" : "rows"), \(bytes) bytes"
    }
}
