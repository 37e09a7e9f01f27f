import CloverAPI
import CloverAuth
import CloverExport
import CloverJSON
import CloverOutput
import CloverSystem

/// The outputs of one window until they are published: a file for the records and one for each of their parts.
final class WindowOutputs {
    private let export: WindowExport
    /// Output of the records; nil when only parts are written.
    private(set) var records: ExportOutput?
    /// Outputs of the parts, in the order of the resource's parts.
    private(set) var parts: [ExportOutput] = []
    /// Forms of the growing files, by path.
    private var forms: [String: String] = [:]

    var all: [ExportOutput] { [records].compactMap(\.self) + parts }

    init(_ export: WindowExport) {
        self.export = export
    }

    private var request: ExportRequest { export.request }
    private var target: ExportDestination { export.target }

    /// Creates the outputs after checking that their names are available.
    func open(_ window: PlannedWindow, of plan: ExportPlan) async throws {
        let resource = export.resource
        if resource.partsOnly == nil {
            records = try await open(
                resource.name, window, of: plan, schema: try .of(resource.path.endpoint), format: request.format,
                program: request.program,
                guide: FieldValidator(resource.path, model: resource.path.endpoint?.model, expand: resource.expand))
        }
        // Fields and a program apply to the records, not to their parts.
        var format = request.format
        format.fields = []
        for part in resource.parts {
            parts.append(
                try await open(
                    "\(resource.name).\(part.name)", window, of: plan,
                    schema: try part.model.map { try RecordSchema.of(model: $0) } ?? .unknown,
                    format: format, program: nil, guide: .unknown))
        }
    }

    private func open(
        _ resource: String, _ window: PlannedWindow, of plan: ExportPlan, schema: RecordSchema,
        format: FormatChoice, program: GetRequest.ProgramChoice?, guide: FieldValidator
    ) async throws -> ExportOutput {
        let environment = export.environment
        var choice = format
        var name: WindowName?
        if let directory = target.directory {
            let found = try await WindowNaming(export: export, plan: plan).name(of: resource, window)
            name = found
            if request.appends {
                let form = form(of: format, program)
                forms[found.path] = form
                let additions = try await additions(to: found.path)
                try check(additions, found.path, form: form, resource: resource, window, of: plan)
                // Write the header once. A window that is exported a second time is compared with what is there.
                if try directory.size(of: found.path) ?? 0 > 0, format.format?.hasColumns ?? false,
                    additions.first?.window != window
                {
                    choice.hasHeader = false
                }
            } else {
                _ = try await claim(found.path, resource: resource, window)
            }
        }
        try guide.check(choice.fields)
        var schema = schema
        if request.tagsMerchant, program == nil { try Self.addTag(to: &choice, &schema) }
        let firstFailure = FirstFailure()
        let printing = RecordPrinting(
            program: program, format: choice, isJSON: true, firstFailure: firstFailure)
        let printingPlan = try printing.plan(schema, in: environment)
        let merchant = export.merchant
        return try await ExportOutput(
            resource, name: name, file: target.directory?.makeFile(all.count, isPrivate: request.showsSensitive),
            compression: request.compression,
            firstFailure: firstFailure, in: environment
        ) { environment in
            try await printing.makeFilter(
                printingPlan, guide, merchant.client, merchantID: merchant.merchantID, in: environment)
        }
    }

    /// Adds the merchant's tag as first column.
    private static func addTag(to choice: inout FormatChoice, _ schema: inout RecordSchema) throws {
        let tag = try FieldPath.parsed("merchant.id")
        if !choice.fields.isEmpty {
            if !choice.fields.contains(tag) { choice.fields.insert(tag, at: 0) }
        } else if !schema.columns.isEmpty, !schema.columns.contains(where: { $0.path == tag }) {
            schema.columns.insert(RecordColumn(tag), at: 0)
        }
    }

    /// What was added to the file that is there now; nothing for a file that was moved away.
    private func additions(to name: String) async throws -> [ExportStore.Owner] {
        guard let directory = target.directory, try directory.size(of: name) ?? 0 > 0 else { return [] }
        return try await target.store.additions(to: name, in: target.identifier)
    }

    /// Refuses to append records that do not fit the file or that it already contains.
    private func check(
        _ additions: [ExportStore.Owner], _ name: String, form: String, resource: String, _ window: PlannedWindow,
        of plan: ExportPlan
    ) throws(ExportError) {
        guard let directory = target.directory else { return }
        let path = directory.path + "/" + name
        guard let last = additions.last else {
            // The state may have been lost, and the file would get its records twice.
            if try directory.size(of: name) ?? 0 > 0 { throw .foreignFile(path: path) }
            return
        }
        if let known = last.form, known != form { throw .otherForm(path: path) }
        // A copy may be older than what is known of its original. An empty file counts as moved away: log rotation may
        // leave one in its place.
        let isContinued = export.stream.bookmark != nil || export.stream.content != nil
        if isContinued, let known = last.end, let size = try directory.size(of: name), size > 0, size < known {
            // An editor may have removed the final newline, which is added again.
            let isOpen = request.compression == nil ? try directory.endsInLine(name) : false
            if size < known - 1 || !isOpen { throw .truncatedFile(path: path, size: size, known: known) }
        }
        // Changes since the last run follow what that run added. Any other range may already be in the file.
        guard export.resource.partsOnly == nil else { return }
        let there = additions.first {
            $0.stream == export.stream.place && $0.resource == resource && $0.window != window
                && !(plan.skipsKnownRecords && $0.isRegular) && mayShare($0.window, window)
        }
        guard let there else { return }
        throw .alreadyAdded(path: path, what: Self.words(there))
    }

    /// Whether a record can be in both windows. A modification time is never before the creation time.
    private func mayShare(_ one: PlannedWindow, _ other: PlannedWindow) -> Bool {
        guard one.field != other.field else { return one.to > other.from ?? .min && other.to > one.from ?? .min }
        let (creation, modification) = one.field == export.resource.tracking.field ? (other, one) : (one, other)
        return modification.to > creation.from ?? .min
    }

    private static func holds(_ one: PlannedWindow, _ other: PlannedWindow) -> Bool {
        one.field == other.field && one.from ?? .min <= other.from ?? .min && one.to >= other.to
    }

    private static func words(_ owner: ExportStore.Owner) -> String {
        let bounds = owner.window.from.map { Shortfall.text(TimeWindow(from: $0, to: owner.window.to)) }
        return "\(owner.resource) \(bounds ?? InstantText.utc(milliseconds: owner.window.to))"
    }

    /// What must be the same throughout a file: for NDJSON the format, for columns also which ones there are.
    private func form(of format: FormatChoice, _ program: GetRequest.ProgramChoice?) -> String {
        let name = (format.format ?? .ndjson).rawValue
        var parts = [name, request.compression?.rawValue ?? ""]
        if format.format?.hasColumns ?? false, program == nil {
            parts.append(format.fields.map(\.text).joined(separator: ","))
            parts.append("\(format.storedCode) \(format.isSpreadsheetSafe) \(request.tagsMerchant)")
        }
        return parts.joined(separator: "\n")
    }

    func discard(_ output: ExportOutput) async throws {
        try await DedicatedThread.run { try output.discard() }
    }

    /// Discards all outputs. The error that ended the window is the one to report; the next run removes what cannot be
    /// removed now.
    func giveUp() async {
        for output in all {
            do {
                try await discard(output)
            } catch {
                export.environment.diagnostics.detail("\(error)")
            }
        }
    }

    /// Publishes an output under its name, or appends it to the file of that name.
    ///
    /// - Returns: nil for standard output, and when the file already contains the same bytes.
    func publish(
        _ output: ExportOutput, _ report: FilterReport, _ window: PlannedWindow, of plan: ExportPlan,
        _ statistics: ServiceClient.Statistics
    ) async throws -> PublishedFile? {
        guard let directory = target.directory, let name = output.name else { return nil }
        let path = name.path
        func file(at offset: Int64?) -> PublishedFile {
            let line = ManifestLine(
                name: name, resource: output.resource, merchant: export.merchant, window: window, day: export.day,
                counts: output.counts, results: report.results, bytes: output.bytes, sha256: output.sha256,
                offset: offset, statistics: statistics, now: export.environment.clock.wall(), version: request.version)
            return PublishedFile(
                path: path, base: name.base, number: name.number, resource: output.resource, window: window,
                sha256: output.sha256, line: line.text, form: forms[path],
                choice: output === records ? request.fileChoice : request.partChoice, isFirst: offset ?? 0 == 0,
                isTagged: request.tagsMerchant)
        }
        if request.appends {
            let mine = try await additions(to: path).filter {
                $0.stream == export.stream.place && $0.resource == output.resource
            }
            // The missing history of parts may already have been added by a run that was interrupted.
            if export.resource.partsOnly != nil, window.field == export.resource.tracking.field,
                mine.contains(where: { $0.window != window && Self.holds($0.window, window) })
            {
                try await discard(output)
                return nil
            }
            if let same = mine.last(where: { $0.window == window }) {
                guard same.sha256 == output.sha256 else {
                    throw ExportError.alreadyAdded(path: directory.path + "/" + path, what: Self.words(same))
                }
                try await discard(output)
                if request.showsSensitive { try directory.makePrivate(path) }
                try await target.store.keep(path, in: target.identifier)
                return nil
            }
            let size = try directory.size(of: path) ?? 0
            try await target.store.intend(toAddTo: path, of: size, in: target.identifier)
            // A last line without a newline would run into our first line.
            let isOpen = request.compression == nil ? try directory.endsInLine(path) : false
            if isOpen {
                export.environment.diagnostics.warning(
                    "\(directory.path)/\(path) did not end with a newline; added one")
            }
            return file(
                at: try await DedicatedThread.run {
                    try output.append(to: path, at: size, endingLine: isOpen)
                })
        } else {
            if try await claim(path, resource: output.resource, window) == output.sha256 {
                try await discard(output)
                if request.showsSensitive { try directory.makePrivate(path) }
                return nil
            }
            let file = file(at: nil)
            try await target.store.intend(toPublish: file, of: plan, in: export.stream)
            try await DedicatedThread.run { try output.publish(as: path) }
            return file
        }
    }

    /// Makes sure that a name is free, or belongs to the same window, to an earlier part of the same day, or to the same
    /// resource exported in full.
    ///
    /// - Returns: the SHA-256 of the file with that name, when an export made it from the same window and no one
    ///   changed its size.
    private func claim(_ path: String, resource: String, _ window: PlannedWindow) async throws -> String? {
        guard let directory = target.directory, let size = try directory.size(of: path) else { return nil }
        guard let owner = try await target.store.owner(of: path, in: target.identifier) else {
            throw ExportError.foreignFile(path: directory.path + "/" + path)
        }
        if owner.isInterrupted { return nil }
        let isSame = owner.stream == export.stream.place && owner.resource == resource
        let choice = resource == export.resource.name ? request.fileChoice : request.partChoice
        if isSame, let known = owner.choice, known != choice, request.range != .full {
            throw ExportError.formConflict(path: directory.path + "/" + path, isWhole: owner.window.field == nil)
        }
        if isSame, export.day != nil, owner.window.field == window.field, owner.window.from == window.from,
            owner.window.to < window.to
        {
            return nil
        }
        if isSame, export.day != nil, owner.window.field == window.field, owner.window.from != window.from {
            throw ExportError.dayTaken(path: directory.path + "/" + path, by: Self.words(owner))
        }
        guard isSame, owner.window == window || owner.window.field == nil && window.field == nil else {
            throw ExportError.nameTaken(path: directory.path + "/" + path, by: Self.words(owner))
        }
        return size == owner.size ? owner.sha256 : nil
    }
}

/// The manifest's line about one file.
struct ManifestLine {
    var name: WindowName
    var resource: String
    var merchant: ExportMerchant
    var window: PlannedWindow
    /// The business day of `--day`.
    var day: ExportedDay?
    var counts: ExportOutput.Counts
    /// Number of printed results; with a jq program, not the number of records.
    var results: Int
    var bytes: Int
    var sha256: String
    /// Byte offset in a growing file; nil for a file that has only these records.
    var offset: Int64?
    /// Requests, retries and waiting time of the window.
    var statistics: ServiceClient.Statistics
    var now: Int64
    var version: String

    /// Without a line break.
    var text: String {
        var line = JSONLine()
        line.add("file", name.path)
        if name.number > 1 { line.add("number", Int64(name.number)) }
        line.add("resource", resource)
        line.add("merchant", merchant.merchantID)
        line.add("environment", merchant.connection.environment.name)
        line.add("field", window.field)
        line.add("from", window.from.map { InstantText.utc(milliseconds: $0) })
        line.add("to", InstantText.utc(milliseconds: window.to))
        if let day {
            line.add("day", day.date)
            // The next run for the day replaces this file.
            if window.to < day.end { line.add("partial", true) }
        }
        line.add("records", Int64(counts.records))
        line.add("results", Int64(results))
        line.add("firstId", counts.firstID)
        line.add("lastId", counts.lastID)
        if let offset { line.add("offset", offset) }
        line.add("bytes", Int64(bytes))
        line.add("sha256", sha256)
        line.add("calls", Int64(statistics.requests))
        line.add("retries", Int64(statistics.retries))
        line.add("waited", json: Self.seconds(statistics.secondsWaited))
        line.add("publishedAt", InstantText.utc(milliseconds: now))
        line.add("version", version)
        return line.text
    }

    /// Seconds, rounded to the millisecond.
    static func seconds(_ seconds: Double) -> String { "\((seconds * 1000).rounded() / 1000)" }
}

extension ServiceClient.Statistics {
    /// The difference to an earlier state.
    func since(_ earlier: Self) -> Self {
        var rest = self
        rest.requests -= earlier.requests
        rest.retries -= earlier.retries
        rest.secondsWaited -= earlier.secondsWaited
        return rest
    }
}
