import ArgumentParser
import CloverAPI
import CloverCore
import CloverExport
import CloverJSON
import CloverOutput

extension Export {
    /// `clover export verify`.
    struct Verify: OwnRecordCommand {
        static let configuration = CommandConfiguration(
            commandName: "verify",
            abstract: "Check every file or table of a destination, and name what is missing or changed",
            discussion: """
                Examples:
                  clover export verify ~/exports
                  clover export verify ~/exports --repair
                  clover export verify sqlite:shop.db

                Each file is read, and its size, SHA-256 and number of rows are compared with the manifest; then the \
                manifest with what this machine's state knows, and the windows of each resource with each other. \
                Without --service, Clover is not asked; nothing is changed. It prints one finding a line, and nothing if all is well. \
                A destination of another machine is checked against its manifest alone.

                In a database, the number of rows of each table, their keys and their values are compared with sums \
                that each export keeps in the transaction of its rows, in clover_export_tables. Columns that you added \
                do not count. A view that you dropped is named, and the next run makes it again. Rows that others deleted or changed: 'clover export run' with --full, after which the rows \
                count as they are; for rows that you deleted, --accept-missing does the same without exporting them. After an export with --profiles, the address names the schemas of all merchants that this \
                machine exported; one alone is postgresql://host/shop?options=-csearch_path%3Dclover_MERCHANT, with the id in \
                small letters.

                --service also reads the lists of Clover from the destination's earliest record on, and compares the ids \
                and times of change with those of the destination: missing, changed, or gone (not in the list, as \
                deleted records are). What came or changed after the last export is no finding. It sends at most as many \
                requests as --explain says, with retries; if that is not enough, the rest was not compared (79). Records \
                without ids, files in other formats than NDJSON or compressed with zstd, and exports of single days cannot be \
                compared (79); nested lists are not. Records in DIRECTORY/failed count as exported.

                Kinds of findings: missing, shortened, changed, rows, not_a_file, unreadable, foreign (no export made \
                the file), manifest, gap (no file has the records of a time between others, or a database has less than \
                was exported to it), overlap (two files have the same window), keys (a table has rows of other ids), \
                orphan (a row of a list belongs to no record), gone and identity (the next run would start over). Files that \
                you no longer want here: 'clover export run' with --accept-missing.

                --repair exports missing files again, and what is left of files that lost their end is kept as \
                FILE.changed. It restores the manifest, and changes nothing else: to export a changed file again, move \
                it away first. A file that grows is exported again up to now. It does not apply to databases.

                Exit statuses:
                  0   every file is as it was exported
                  64  wrong usage
                  66  there is no such directory or database, or nothing was exported
                      to it, so that there is nothing to check
                  75  an export to it is running
                  78  --repair and --service: this machine has no state of it
                  79  records are missing, or may be: missing, shortened, not_a_file,
                      unreadable, gap, keys
                  82  everything is there, but something else was found
                """
        )

        @Argument(
            help: ArgumentHelp(
                "Directory of the exports, s3://BUCKET/PREFIX, or a database such as sqlite:shop.db.",
                valueName: "destination"),
            completion: .directory)
        var destination: String

        @Flag(name: .long, help: "Export again what is missing, and nothing else.")
        var repair = false

        @Flag(name: .long, help: "Compare the records with those at Clover, too.")
        var service = false

        @Flag(name: .long, help: "With --service: say how many requests it takes at most, and send none.")
        var explain = false

        @Flag(name: .customLong("ignore-foreign"), help: "Do not report files that no export made.")
        var ignoresForeign = false

        @OptionGroup(title: "What to print")
        var output: RecordOutputOptions

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func validate() throws {
            try DatabaseAddress.check(destination, of: "the destination")
            if explain, !service { throw ValidationError("--explain needs --service") }
            guard repair, DatabaseAddress.isMeant(by: destination) else { return }
            throw ValidationError(
                "--repair exports files; to export the rows of a database again, run its export with --full")
        }

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let records = try await output.records(messages, in: environment)
            if let address = try DatabaseAddress.parsed(destination, of: "the destination") {
                let result = try await DatabaseVerification(address: address, environment: environment).runWithSchemas()
                return try await end(result, of: destination, nil, records, in: environment)
            }
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
            return try await end(result, of: path, failure, records, in: environment)
        }

        /// Prints the findings and decides the status.
        private func end(
            _ result: ExportVerification.Result, of destination: String, _ failure: (any Error)?,
            _ records: RecordPrinting, in environment: CommandEnvironment
        ) async throws -> Int32 {
            guard !result.isEmpty else { throw ExportFailure.nothingExported(directory: destination) }
            var result = result
            if service {
                guard !result.sources.isEmpty else { throw ExportFailure.notRepairable(directory: destination) }
                var plans: [(verification: ServiceVerification, plan: ServiceVerification.Plan)] = []
                for source in result.sources {
                    let verification = ServiceVerification(source: source, environment: environment)
                    plans.append((verification, try await verification.plan()))
                }
                guard !explain else {
                    let isForPerson = environment.terminal.isOutputTerminal && !messages.json
                    let plan = ServiceVerification.Plan(joining: plans.map { $0.plan })
                    try await StandardOutput.print(isForPerson ? plan.text : plan.json + "\n", in: environment)
                    return 0
                }
                for (verification, plan) in plans {
                    result.findings += plan.findings
                    result.findings += try await verification.run(plan)
                }
            }
            let report = try await print(result, records, in: environment)
            guard result.findings.isEmpty else {
                throw failure ?? ExportFailure.findings(result.findings.map(\.kind), directory: destination)
            }
            return output.jq.ending(of: report, in: environment)
        }

        private func print(
            _ result: ExportVerification.Result, _ records: RecordPrinting, in environment: CommandEnvironment
        ) async throws -> FilterReport {
            let schema = try ExportFinding.schema()
            let isTable = try records.isTable(schema, in: environment)
            var report = FilterReport()
            if !isTable || !result.findings.isEmpty {
                report = try await records.print(
                    result.findings.map(\.json), schema, merchant: ConnectionChoice(), in: environment)
            }
            if isTable, result.findings.isEmpty {
                environment.diagnostics.notice("all is well: \(result.text)")
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
