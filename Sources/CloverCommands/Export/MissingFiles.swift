import CloverAPI
import CloverCore
import CloverExport
import CloverSystem

/// Files that earlier runs published and that are missing, or have another size, at the start of this run.
struct MissingFiles: Sendable {
    private struct File: Sendable {
        var stream: ExportStream
        var lost: ExportDirectory.LostFile
        var windows: [StoredFile]
    }

    private let target: any ExportDestination
    private let streams: [ExportStream]
    private let files: [File]

    /// Looks for missing files.
    ///
    /// - Parameter resources: the only resources to look at; nil for all that the merchants have at the destination.
    init(_ resources: [String]?, of merchants: [ExportMerchant], at target: any ExportDestination) async throws {
        self.target = target
        let owners = Set(merchants.map { [$0.connection.environment.name, $0.merchantID] })
        streams = try await target.store.streams().filter { stream in
            stream.destination == target.identifier && resources?.contains(stream.resource) != false
                && owners.contains([stream.environment, stream.merchant])
        }
        let missing = try await target.lostFiles(of: streams)
        var files: [File] = []
        for stream in streams {
            for lost in missing[stream.place] ?? [] {
                files.append(
                    File(
                        stream: stream, lost: lost,
                        windows: try await target.store.windows(of: [lost.path], in: stream)))
            }
        }
        self.files = files
    }

    private var paths: [String] { Set(files.map(\.lost.path)).sorted() }

    /// Stops expecting them (`--accept-missing`).
    func accept(_ diagnostics: Diagnostics) async throws {
        guard !files.isEmpty else { return }
        let fault = Self.fault(hasChanged: files.contains { $0.lost.size != nil })
        diagnostics.notice("\(Self.count(paths.count)) \(fault); later runs will not report this")
        try await target.store.forget(missing: paths, in: target.identifier)
    }

    /// The files that this run did not export again, in the order of their paths.
    func left(after request: ExportRequest) async throws -> [ExportDirectory.LostFile] {
        guard !files.isEmpty, [.report, .export].contains(request.missingFiles) else { return [] }
        let now = try await target.lostFiles(of: streams).values.joined()
        let missing = Dictionary(now.map { ($0.path, $0) }) { first, _ in first }
        var left: [String: ExportDirectory.LostFile] = [:]
        for file in files {
            let path = file.lost.path
            if let lost = missing[path] {
                left[path] = lost
            } else if request.range.selection != .full, try await hasLost(file) {
                left[path] = file.lost
                left[path]?.size = nil
            }
        }
        return left.values.sorted { $0.path < $1.path }
    }

    /// Whether a growing file was started again without all windows that it contained.
    private func hasLost(_ file: File) async throws -> Bool {
        let windows = try await target.store.windows(of: [file.lost.path], in: file.stream)
        for old in file.windows where old.grows {
            let isThere = windows.contains { new in
                new.resource == old.resource && new.window.field == old.window.field
                    && new.window.from ?? .min <= old.window.from ?? .min && new.window.to >= old.window.to
            }
            // A window that is no longer known will be exported again.
            if !isThere, try await target.store.hasFile(old) { return true }
        }
        return false
    }

    /// Text such as `1 published file is` or `2 published files are`.
    static func count(_ count: Int) -> String {
        count == 1 ? "1 published file is" : "\(count) published files are"
    }

    /// Text such as `others deleted 3 rows of orders, 1 row of tenders`.
    static func text(of rows: [String: Int64]) -> String {
        "others deleted "
            + rows.sorted { $0.key < $1.key }
            .map { "\($0.value) \($0.value == 1 ? "row" : "rows") of \($0.key)" }.joined(separator: ", ")
    }

    /// What such files are.
    ///
    /// - Parameter hasChanged: whether some are there, but have another size.
    static func fault(hasChanged: Bool) -> String { hasChanged ? "missing or changed" : "missing" }
}

/// `--export-missing`: exports the windows of missing files again, with the records as they are now.
extension ResourceExport {
    /// Exports the resource's missing files again. The stream is then as it is afterwards.
    ///
    /// - Returns: whether the run itself has to export some of them.
    mutating func exportMissing() async throws -> Bool {
        var lost: [ExportDirectory.LostFile]
        switch request.missingFiles {
        case .report, .accept: return false
        case .export: lost = try await target.lostFiles(of: [stream])[stream.place] ?? []
        case .repair(let paths):
            lost = try await target.lostFiles(of: [stream])[stream.place] ?? []
            lost.removeAll { !paths.contains($0.path) }
        }
        let lists = [resource.name] + resource.parts.map { "\(resource.name).\($0.name)" }
        let names =
            lists + lists.flatMap { list in [PublishedFile.Role.current, .log, .failed].map { $0.name(of: list) } }
        let windows = try await target.store.windows(of: lost.map(\.path), in: stream).filter {
            names.contains($0.resource)
        }
        let again = Array(Dictionary(grouping: windows, by: \.path).values.filter(comesAgain).joined())
        // The windows of incremental runs in a growing file overlap, so they cannot go into files of their own.
        let rest = windows.filter { !$0.grows && !$0.isWhole && (!request.appends || $0.role == .failed) }
        // Files that others have changed are kept under other names. Before the state changes: a run that is killed in
        // between leaves files that are missing.
        let paths = Set((again + rest).map(\.path))
        for file in lost where file.size != nil && paths.contains(file.path) {
            environment.diagnostics.warning("\(file.text): what is there is now \(try await target.setAside(file))")
        }
        if !again.isEmpty {
            try await target.store.goBack(before: again.map(\.place), in: target.identifier)
        }
        for window in rest { try await export(window) }
        stream = try await target.store.stream(stream.place)
        rebuildsCurrent = again.contains { $0.role == .current }
        // The run makes a current file of change files without exporting anything.
        return again.contains { $0.role != .current || resource.tracking.field == nil }
    }

    /// Whether the run itself exports all of a file again once the stream is reset to before it: a resource exported in
    /// full, or a growing file of incremental runs.
    private func comesAgain(_ file: [StoredFile]) -> Bool {
        guard [.last, .full].contains(request.range.selection), request.range.until == nil else { return false }
        return file.allSatisfy(\.isWhole)
            || request.appends && file.allSatisfy { $0.grows && ($0.isRegular || $0.isWhole) }
    }

    private func export(_ missing: StoredFile) async throws {
        var own = self
        if missing.resource != resource.name, missing.role != .failed {
            let part = String(missing.resource.dropFirst(resource.name.count + 1))
            own.resource = resource.only([part], from: missing.window.from, to: missing.window.to)
        }
        var plan = ExportPlan(
            request: "\(ExportPlan.missingMark)\(missing.resource)@\(missing.place)", startedAt: now,
            finish: missing.window.to,
            skipsKnownRecords: false)
        plan.windows = [missing.window]
        // Left by a run that was killed.
        try await dropPlan(plan.request)
        let day = missing.day.map {
            ExportedDay(date: $0, end: missing.isPartial ? missing.window.to + 1 : missing.window.to)
        }
        try await own.exportWindows(of: plan, known: [:], days: day.map { [$0] } ?? [])
        try await dropPlan(plan.request)
        try await target.store.replaced(missing, in: stream)
        try await target.listFiles()
    }

    private func dropPlan(_ request: String) async throws {
        if let plan = try await target.store.plan(request, of: stream.place) { try await target.store.drop(plan) }
    }
}
