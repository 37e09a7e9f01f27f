import CloverAPI
import CloverAuth
import CloverCompression
import CloverExport
import CloverRecords
import CloverThreads

/// What one window is written to: a file for the records and one for each of their parts, until they have their names.
final class WindowOutputs {
    private let export: WindowExport
    /// Nil where only parts are written.
    private(set) var records: ExportOutput?
    /// In the order of the resource's parts.
    private(set) var parts: [ExportOutput] = []
    /// Of the outputs, by their paths.
    private var forms: [String: String] = [:]

    var all: [ExportOutput] { [records].compactMap(\.self) + parts }

    init(_ export: WindowExport) {
        self.export = export
    }

    private var request: ExportRequest { export.request }
    private var target: ExportTarget { export.target }

    /// Makes the outputs, when their names may be taken.
    func open(_ window: PlannedWindow, of plan: ExportPlan) async throws {
        let resource = export.resource
        if resource.partsOnly == nil {
            records = try await open(
                resource.name, window, of: plan, schema: try .of(resource.path.endpoint), format: request.format,
                program: request.program,
                guide: FieldGuide(resource.path, model: resource.path.endpoint?.model, expand: resource.expand))
        }
        // Fields and a program are for the records themselves.
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
        format: FormatChoice, program: GetRequest.ProgramChoice?, guide: FieldGuide
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
                // One heading is enough. What comes a second time is compared with what is there.
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

    /// Makes a column, the first one, of the merchant that each record is tagged with.
    private static func addTag(to choice: inout FormatChoice, _ schema: inout RecordSchema) throws {
        let tag = try FieldPath(parsing: "merchant.id")
        if !choice.fields.isEmpty {
            if !choice.fields.contains(tag) { choice.fields.insert(tag, at: 0) }
        } else if !schema.columns.isEmpty, !schema.columns.contains(where: { $0.path == tag }) {
            schema.columns.insert(RecordColumn(tag), at: 0)
        }
    }

    /// What was added to a file as it is now: nothing to one that was moved away.
    private func additions(to name: String) async throws -> [ExportStore.Owner] {
        guard let directory = target.directory, try directory.size(of: name) ?? 0 > 0 else { return [] }
        return try await target.store.additions(to: name, in: target.identifier)
    }

    /// Refuses to add what does not fit what is there, or what is there already.
    private func check(
        _ additions: [ExportStore.Owner], _ name: String, form: String, resource: String, _ window: PlannedWindow,
        of plan: ExportPlan
    ) throws(ExportError) {
        guard let directory = target.directory else { return }
        let path = directory.path + "/" + name
        guard let last = additions.last else {
            // Records of a state that is lost would be in it twice.
            if try directory.size(of: name) ?? 0 > 0 { throw .foreignFile(path: path) }
            return
        }
        if let known = last.form, known != form { throw .otherForm(path: path) }
        // A copy may be older than what is known of its original. An empty file is one that was moved away: whoever rotates
        // logs may leave that in its place.
        let isGoneOnWith = export.stream.bookmark != nil || export.stream.content != nil
        if isGoneOnWith, let known = last.end, let size = try directory.size(of: name), size > 0, size < known {
            // An editor may have taken the last line break away, which is put in again.
            let isOpen = request.compression == nil ? try directory.endsInLine(name) : false
            if size < known - 1 || !isOpen { throw .cutFile(path: path, size: size, known: known) }
        }
        // What changed since the last run follows what was added by that. Any other range may be there.
        guard export.resource.partsOnly == nil else { return }
        let there = additions.first {
            $0.stream == export.stream.place && $0.resource == resource && $0.window != window
                && !(plan.dropsKnown && $0.isRegular) && mayShare($0.window, window)
        }
        guard let there else { return }
        throw .alreadyAdded(path: path, what: Self.words(there))
    }

    /// Whether a record can be in both. It is never changed before it is made.
    private func mayShare(_ one: PlannedWindow, _ other: PlannedWindow) -> Bool {
        guard one.field != other.field else { return one.to > other.from ?? .min && other.to > one.from ?? .min }
        let (made, changed) = one.field == export.resource.tracking.field ? (other, one) : (one, other)
        return changed.to > made.from ?? .min
    }

    private static func holds(_ one: PlannedWindow, _ other: PlannedWindow) -> Bool {
        one.field == other.field && one.from ?? .min <= other.from ?? .min && one.to >= other.to
    }

    private static func words(_ owner: ExportStore.Owner) -> String {
        let bounds = owner.window.from.map { Shortfall.text(TimeWindow(from: $0, to: owner.window.to)) }
        return "\(owner.resource) \(bounds ?? InstantText.utc(milliseconds: owner.window.to))"
    }

    /// What has to be the same in all of a file: of lines of JSON, that they are; of columns, which they are.
    private func form(of format: FormatChoice, _ program: GetRequest.ProgramChoice?) -> String {
        let name = (format.format ?? .ndjson).rawValue
        var parts = [name, request.compression?.rawValue ?? ""]
        if format.format?.hasColumns ?? false, program == nil {
            parts.append(format.fields.map(\.text).joined(separator: ","))
            parts.append(
                "\(String(describing: format.money)) \(String(describing: format.times)) "
                    + "\(String(describing: format.zone)) \(format.isSpreadsheetSafe) \(request.tagsMerchant)")
        }
        return parts.joined(separator: "\n")
    }

    func discard(_ output: ExportOutput) async throws {
        try await DedicatedThread.run { try output.discard() }
    }

    /// The error that ends the window is the one to report; what cannot be removed now is removed by the next run.
    func giveUp() async {
        for output in all {
            do {
                try await discard(output)
            } catch {
                export.environment.diagnostics.detail("\(error)")
            }
        }
    }

    /// Gives the output its name, or adds it to the file that has it.
    ///
    /// - Returns: nil for standard output, and when the same bytes have that name already.
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
                choice: output === records ? request.fileChoice : request.partChoice, isFirst: offset ?? 0 == 0)
        }
        if request.appends {
            let mine = try await additions(to: path).filter {
                $0.stream == export.stream.place && $0.resource == output.resource
            }
            // What is left out of parts by one run may have been added by another that was broken off.
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
            // A line that was not ended would be one with the first of ours.
            let isOpen = request.compression == nil ? try directory.endsInLine(path) : false
            if isOpen {
                export.environment.diagnostics.warning(
                    "\(directory.path)/\(path) did not end with a line break; one was put in")
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

    /// Makes sure that a name is free, or that of the same window before, of the beginning of the same day, or of a
    /// resource that is taken whole.
    ///
    /// - Returns: the SHA-256 of the file that has it, when an export made it of the same.
    private func claim(_ path: String, resource: String, _ window: PlannedWindow) async throws -> String? {
        guard let directory = target.directory, try directory.size(of: path) != nil else { return nil }
        guard let owner = try await target.store.owner(of: path, in: target.identifier) else {
            throw ExportError.foreignFile(path: directory.path + "/" + path)
        }
        if owner.isBrokenOff { return nil }
        let isSame = owner.stream == export.stream.place && owner.resource == resource
        let choice = resource == export.resource.name ? request.fileChoice : request.partChoice
        if isSame, let known = owner.choice, known != choice, request.range != .full {
            throw ExportError.formTaken(path: directory.path + "/" + path, isWhole: owner.window.field == nil)
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
        return owner.sha256
    }
}
