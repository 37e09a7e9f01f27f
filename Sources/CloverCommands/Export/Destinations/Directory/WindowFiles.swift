import CloverAPI
import CloverAuth
import CloverCore
import CloverExport
import CloverJSON
import CloverOutput
import CloverSystem

/// The files of a window: their names, what may be written to them, and their lines in the manifest.
extension DirectoryDestination {
    func stage(
        _ resource: String, _ request: ExportRequest, _ number: Int, in window: WindowExport
    ) async throws -> StagedFile? {
        var record = try await named(resource, in: window)
        record.choice = request.fileChoice
        record.isTagged = request.tagsMerchant
        if window.window.field == nil, window.names.current != nil { record.role = .current }
        var omitsHeader = false
        if request.appends {
            let form = Self.form(request)
            record.form = form
            let additions = try await additions(
                to: record.path, beginsAnew: window.request.range.selection == .full)
            // Of the window of a lost file in the folder of failed records, only that file is written.
            if try await missingFile(of: window)?.role != .failed { try check(additions, record, in: window) }
            // Write the header once. A window that is exported a second time is compared with what is there.
            omitsHeader =
                try directory.size(of: record.path) ?? 0 > 0 && request.format.format?.hasColumns ?? false
                && additions.first?.window != window.window
        } else {
            _ = try await claim(record, in: window)
        }
        return StagedFile(
            file: try directory.makeFile(number, isPrivate: request.showsSensitive), record: record,
            omitsHeader: omitsHeader)
    }

    /// What must be the same throughout a file: for NDJSON the format, for columns also which ones there are.
    private static func form(_ request: ExportRequest) -> String {
        let format = request.format
        var parts = [(format.format ?? .ndjson).rawValue, request.compression?.rawValue ?? ""]
        if format.format?.hasColumns ?? false, request.program == nil {
            parts.append(format.fields.map(\.text).joined(separator: ","))
            parts.append(
                "\(format.storedCode) \(format.isSpreadsheetSafe)\(format.storedCSVCode) \(request.tagsMerchant)"
                    + (format.names == .names ? " names" : ""))
        }
        return parts.joined(separator: "\n")
    }

    func publish(
        _ output: ExportOutput, _ report: FilterReport, in window: WindowExport,
        _ statistics: ServiceClient.Statistics
    ) async throws -> PublishedFile? {
        guard let staged = output.staged else { return nil }
        let (request, name) = (window.request, staged.record.path)
        if let missing = try await missingFile(of: window), missing.resource != output.resource {
            // The records come with their parts, but the files of these are there.
            try await output.discard()
            return nil
        }
        let continuity = try await continuity(of: output.resource, in: window)
        func record(at offset: Int64?) -> PublishedFile {
            var record = staged.record
            record.sha256 = output.sha256
            record.isFirst = offset ?? 0 == 0
            record.words = request.words
            record.line = manifestLine(record, output, report, at: offset, in: window, statistics, continuity)
            return record
        }
        guard request.appends else {
            if try await claim(staged.record, in: window) == output.sha256 {
                try await discard(staged.file, inFavourOf: name, request)
                return nil
            }
            let record = record(at: nil)
            try await store.intend(toPublish: record, of: window.plan, in: window.stream)
            try await publish(staged.file, as: name)
            return record
        }
        switch try await repetition(of: output, staged, in: window) {
        case nil: break
        case .inAnother?:
            try await output.discard()
            return nil
        case .same?:
            try await discard(staged.file, inFavourOf: name, request)
            try await store.keep(name, in: identifier)
            return nil
        }
        let size = try directory.size(of: name) ?? 0
        try await store.intend(toAddTo: name, of: size, in: identifier)
        // A last line without a newline would run into our first line.
        let isOpen = request.compression == nil ? try directory.endsInLine(name) : false
        if isOpen { diagnostics.warning("\(path(name)) did not end with a newline; added one") }
        return record(
            at: try await DedicatedThread.run { try staged.file.append(to: name, at: size, endingLine: isOpen) })
    }

    func checkRepetition(of output: ExportOutput, in window: WindowExport) async throws {
        guard window.request.appends, let staged = output.staged else { return }
        if let missing = try await missingFile(of: window), missing.resource != output.resource { return }
        _ = try await repetition(of: output, staged, in: window)
    }

    /// How a growing file has the records of an output already.
    private enum Repetition {
        /// The same bytes of the same window.
        case same
        /// The missing history of parts, which a run that was interrupted added in another window.
        case inAnother
    }

    /// - Returns: nil for records that the file does not have.
    /// - Throws: `.alreadyAdded` when it has the window with other bytes.
    private func repetition(
        of output: ExportOutput, _ staged: StagedFile, in window: WindowExport
    ) async throws -> Repetition? {
        let name = staged.record.path
        let mine = try await additions(to: name, beginsAnew: window.request.range.selection == .full).filter {
            $0.stream == window.stream.place && $0.resource == output.resource
        }
        if window.resource.partsOnly != nil, window.window.field == window.resource.tracking.field,
            mine.contains(where: { $0.window != window.window && Self.holds($0.window, window.window) })
        {
            return .inAnother
        }
        guard let same = mine.last(where: { $0.window == window.window }) else { return nil }
        guard same.sha256 == output.sha256 else {
            throw ExportError.alreadyAdded(path: path(name), what: Self.words(same))
        }
        return .same
    }

    /// The missing file whose window is exported again; nil for any other run.
    private func missingFile(of window: WindowExport) async throws -> StoredFile? {
        guard let place = window.plan.missingFile else { return nil }
        return try await store.file(at: place)
    }

    /// Discards a file whose bytes are there already.
    private func discard(_ file: ExportFile, inFavourOf name: String, _ request: ExportRequest) async throws {
        try await DedicatedThread.run { try file.discard() }
        if request.showsSensitive { try directory.makePrivate(name) }
    }

    private func path(_ name: String) -> String { directory.shown(name) }

    /// What shows that no window is missing before a file.
    private struct Continuity {
        /// What the run was asked for.
        var range: ManifestLine.Range?
        /// Bounds of the windows without records that no line names yet.
        var empty: [[String]] = []
    }

    private func continuity(of resource: String, in export: WindowExport) async throws -> Continuity {
        // The file takes the place of the missing one.
        if let missing = try await missingFile(of: export) {
            return Continuity(range: missing.range, empty: missing.empty)
        }
        var continuity = Continuity(range: export.plan.range)
        guard continuity.range?.isContinuous ?? false, export.window.field != nil else { return continuity }
        continuity.empty = try await store.unlistedEmptyWindows(of: resource, in: export.stream.place).map {
            [InstantText.utc(milliseconds: $0.lowerBound), InstantText.utc(milliseconds: $0.upperBound)]
        }
        return continuity
    }

    /// The manifest's line about a file, without a line break.
    ///
    /// - Parameters:
    ///   - offset: byte offset in a growing file; nil for a file that has only these records.
    ///   - statistics: requests, retries and waiting time of the window.
    private func manifestLine(
        _ record: PublishedFile, _ output: ExportOutput, _ report: FilterReport, at offset: Int64?,
        in export: WindowExport, _ statistics: ServiceClient.Statistics, _ continuity: Continuity
    ) -> String {
        let (window, merchant) = (record.window, export.merchant)
        var line = JSONLine()
        line.add("file", record.path)
        if record.number > 1 { line.add("number", Int64(record.number)) }
        line.add("resource", record.resource)
        if let role = record.role { line.add("role", role.rawValue) }
        line.add("merchant", merchant.merchantID)
        line.add("environment", merchant.connection.environment.name)
        line.add("field", window.field)
        line.add("from", instant: window.from)
        line.add("to", instant: window.to)
        if let day = export.day {
            line.add("day", day.date)
            // The next run for the day replaces this file.
            if window.to < day.end { line.add("partial", true) }
        }
        line.add("range", continuity.range?.rawValue)
        if !continuity.empty.isEmpty {
            let windows = continuity.empty.map { "[\"\($0.joined(separator: "\",\""))\"]" }
            line.add("empty", json: "[\(windows.joined(separator: ","))]")
        }
        line.add("records", Int64(output.records))
        // With a jq program, not the number of records.
        line.add("results", Int64(report.results))
        if let raw = export.request.program?.options.rawOutput, raw, record.resource == export.resource.name {
            line.add("raw", true)
        }
        line.add("firstId", output.firstID)
        line.add("lastId", output.lastID)
        if let offset { line.add("offset", offset) }
        line.add("bytes", Int64(output.bytes))
        line.add("sha256", record.sha256)
        line.add("calls", Int64(statistics.requests))
        line.add("retries", Int64(statistics.retries))
        line.add("waited", json: statistics.secondsWaited.secondsText)
        line.add("publishedAt", instant: export.environment.clock.wall())
        line.add("version", CloverVersion.text)
        return line.text
    }
}

/// Names of files.
///
/// Windows of a resource whose names would be the same, such as those of one date, are numbered in order, after those of
/// earlier runs. Their contents do not matter, so that the run after one that was killed, or that could not read a window,
/// uses the same names as if nothing had happened.
extension DirectoryDestination {
    /// The file of a window, with its name only.
    private func named(_ resource: String, in export: WindowExport) async throws -> PublishedFile {
        let (window, stream, plan) = (export.window, export.stream, export.plan)
        let base = try path(of: resource, window, in: export)
        var file = PublishedFile(path: base, resource: resource, window: window)
        // A growing file takes all windows, a business day is one window, and a resource exported in full replaces its
        // own file.
        guard !export.request.appends, export.names.distinguishesWindows, export.day == nil, window.field != nil else {
            return file
        }
        if let known = try await store.number(of: window, named: base, of: resource, in: stream) {
            file.number = known
        } else {
            // The windows of the plan directly before this one that have its name.
            let before = plan.windows.prefix { $0 != window }
            let isFound = before.count < plan.windows.count
            var same = 0
            for other in isFound ? before.reversed() : [] {
                guard try path(of: resource, other, in: export) == base else { break }
                same += 1
            }
            file.number =
                try await store.lastNumber(of: base, of: resource, in: stream, upTo: plan.filesBefore) + 1 + same
        }
        file.path = try path(of: resource, window, number: file.number, in: export)
        // Another run of the same resource may have overtaken one that was interrupted.
        while let owner = try await store.owner(of: file.path, in: identifier), owner.window != window,
            owner.stream == stream.place, owner.resource == resource
        {
            file.number += 1
            file.path = try path(of: resource, window, number: file.number, in: export)
        }
        return file
    }

    private func path(
        of resource: String, _ window: PlannedWindow, number: Int = 1, in export: WindowExport
    ) throws(ExportError) -> String {
        let values = values(of: resource, window, in: export)
        if window.field == nil, let current = export.names.current { return try current.file(values) }
        return try export.names.path(values, number: number)
    }

    func values(of resource: String, _ window: PlannedWindow, in export: WindowExport) -> NameTemplate.Values {
        let (merchant, request) = (export.merchant, export.request)
        return NameTemplate.Values(
            resource: resource, merchant: merchant.merchantID, profile: merchant.profile, window: window,
            day: export.day?.date, date: merchant.zone.map { BusinessDay.date(of: window.to - 1, in: $0) },
            format: (request.format.format ?? .ndjson).rawValue, suffix: request.compression?.suffix ?? "")
    }
}

/// What may be written to a file.
extension DirectoryDestination {
    /// What was added to a growing file; nothing for one that is to begin, or whose loss was accepted.
    ///
    /// - Parameter beginsAnew: whether the run writes everything, so that nothing is lost with a file that was moved away.
    /// - Throws: `.lostFile` and `.truncatedFile` for a file that is gone or empty. It stays missing until it is exported
    ///   again or accepted: a new one with the changes alone would look whole.
    func additions(to name: String, beginsAnew: Bool = false) async throws -> [StoredFile] {
        let additions = try await store.additions(to: name, in: identifier)
        let size = try directory.size(of: name)
        guard size ?? 0 == 0, let last = additions.last else { return additions }
        if beginsAnew || last.isForgotten || last.end == 0 { return [] }
        guard let size else { throw ExportError.lostFile(path: path(name)) }
        throw ExportError.truncatedFile(path: path(name), size: size, known: last.end)
    }

    /// Refuses to add to a file that has lost its end. An editor may have removed the last newline, which the addition
    /// writes again.
    ///
    /// - Parameter isText: whether its contents end with a newline.
    func checkEnd(
        of name: String, after last: StoredFile, of stream: ExportStream, isText: Bool
    ) throws(ExportError) {
        let size = try directory.size(of: name) ?? 0
        // A copy may be older than what is known of its original.
        guard size > 0, size < last.end, !last.isForgotten || stream.bookmark != nil || stream.content != nil
        else { return }
        if isText, size == last.end - 1, try directory.endsInLine(name) { return }
        throw .truncatedFile(path: path(name), size: size, known: last.end)
    }

    /// Refuses to append records that do not fit the file or that it already contains.
    private func check(
        _ additions: [StoredFile], _ record: PublishedFile, in export: WindowExport
    ) throws(ExportError) {
        let (name, window) = (record.path, record.window)
        let size = try directory.size(of: name) ?? 0
        guard let last = additions.last else {
            // The state may have been lost, and the file would get its records twice.
            if size > 0 { throw .foreignFile(path: path(name)) }
            return
        }
        if let known = last.form, known != record.form { throw .otherForm(path: path(name)) }
        try checkEnd(of: name, after: last, of: export.stream, isText: export.request.compression == nil)
        // Changes since the last run follow what that run added. Any other range may already be in the file.
        guard export.resource.partsOnly == nil else { return }
        let there = additions.first {
            $0.stream == export.stream.place && $0.resource == record.resource && $0.window != window
                && !(export.plan.skipsKnownRecords && $0.isRegular)
                && Self.mayShare($0.window, window, export.resource.tracking.field)
        }
        if let there { throw .alreadyAdded(path: path(name), what: Self.words(there)) }
    }

    /// Whether a record can be in both windows. A modification time is never before the creation time.
    private static func mayShare(
        _ one: PlannedWindow, _ other: PlannedWindow, _ modificationField: String?
    ) -> Bool {
        guard one.field != other.field else { return one.to > other.from ?? .min && other.to > one.from ?? .min }
        let (creation, modification) = one.field == modificationField ? (other, one) : (one, other)
        return modification.to > creation.from ?? .min
    }

    private static func holds(_ one: PlannedWindow, _ other: PlannedWindow) -> Bool {
        one.field == other.field && one.from ?? .min <= other.from ?? .min && one.to >= other.to
    }

    private static func words(_ file: StoredFile) -> String {
        let bounds = file.window.from.map { Shortfall.text(TimeWindow(from: $0, to: file.window.to)) }
        return "\(file.resource) \(bounds ?? InstantText.utc(milliseconds: file.window.to))"
    }

    /// Makes sure that a name is free, or belongs to the same window, to an earlier part of the same day, or to the same
    /// resource exported in full.
    ///
    /// - Returns: the SHA-256 of the file with that name, when an export made it from the same window and no one
    ///   changed its size.
    private func claim(_ record: PublishedFile, in export: WindowExport) async throws -> String? {
        let (name, window) = (record.path, record.window)
        guard let size = try directory.size(of: name) else { return nil }
        guard let owner = try await store.owner(of: name, in: identifier) else {
            throw ExportError.foreignFile(path: path(name))
        }
        if owner.isInterrupted { return nil }
        let isSame = owner.stream == export.stream.place && owner.resource == record.resource
        if isSame, let known = owner.choice, known != record.choice, export.request.range.selection != .full {
            throw ExportError.formConflict(path: path(name), isWhole: owner.window.field == nil)
        }
        if isSame, export.day != nil, owner.window.field == window.field {
            if owner.window.from != window.from {
                throw ExportError.dayTaken(path: path(name), by: Self.words(owner))
            }
            if owner.window.to < window.to { return nil }
        }
        guard isSame, owner.window == window || owner.window.field == nil && window.field == nil else {
            throw ExportError.nameTaken(path: path(name), by: Self.words(owner))
        }
        return size == owner.end ? owner.sha256 : nil
    }
}
