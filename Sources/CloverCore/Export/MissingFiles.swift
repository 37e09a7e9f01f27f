import CloverAPI
import CloverExport
import CloverSystem

/// Files that earlier runs published and that are missing, or have another size, at the start of this run.
package struct MissingFiles: Sendable {
    private struct File: Sendable {
        var stream: ExportStream
        var lost: ExportDirectory.LostFile
        var windows: [ExportStore.MissingWindow]
    }

    private let streams: [ExportStream]
    private let files: [File]

    /// Looks for missing files of the given resources and merchants.
    init(_ resources: [String], of merchants: [ExportMerchant], at target: ExportDestination) async throws {
        let owners = Set(merchants.map { [$0.connection.environment.name, $0.merchantID] })
        streams = try await target.store.streams().filter { stream in
            stream.destination == target.identifier && resources.contains(stream.resource)
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
    func accept(at target: ExportDestination, _ diagnostics: Diagnostics) async throws {
        guard !files.isEmpty else { return }
        let fault = Self.fault(hasChanged: files.contains { $0.lost.size != nil })
        diagnostics.notice("\(Self.count(paths.count)) \(fault); later runs will not report this")
        try await target.store.forget(missing: paths, in: target.identifier)
    }

    /// The files that this run did not export again, in the order of their paths.
    func left(
        after request: ExportRequest, at target: ExportDestination
    ) async throws -> [ExportDirectory.LostFile] {
        guard !files.isEmpty, request.missingFiles != .accept else { return [] }
        let now = try await target.lostFiles(of: streams).values.joined()
        let missing = Dictionary(now.map { ($0.path, $0) }) { first, _ in first }
        var left: [String: ExportDirectory.LostFile] = [:]
        for file in files {
            let path = file.lost.path
            if let lost = missing[path] {
                left[path] = lost
            } else if request.range != .full, try await hasLost(file, at: target) {
                left[path] = ExportDirectory.LostFile(path: path, size: nil, expectedSize: file.lost.expectedSize)
            }
        }
        return left.values.sorted { $0.path < $1.path }
    }

    /// Whether a growing file was started again without all windows that it contained.
    private func hasLost(_ file: File, at target: ExportDestination) async throws -> Bool {
        let windows = try await target.store.windows(of: [file.lost.path], in: file.stream)
        for old in file.windows where old.grows {
            let isThere = windows.contains { new in
                new.resource == old.resource && new.window.field == old.window.field
                    && new.window.from ?? .min <= old.window.from ?? .min && new.window.to >= old.window.to
            }
            // A window that is no longer known will be exported again.
            if !isThere, try await target.store.hasFile(old.place) { return true }
        }
        return false
    }

    /// Text such as `1 published file is` or `2 published files are`.
    package static func count(_ count: Int) -> String {
        count == 1 ? "1 published file is" : "\(count) published files are"
    }

    /// What such files are.
    ///
    /// - Parameter hasChanged: whether some are there, but have another size.
    package static func fault(hasChanged: Bool) -> String { hasChanged ? "missing or changed" : "missing" }
}

/// `--export-missing`: exports the windows of missing files again, with the records as they are now.
extension ResourceExport {
    /// Exports the resource's missing files again.
    ///
    /// - Returns: the stream as it is afterwards.
    func exportMissing(
        _ resource: ResourcePlan, _ stream: ExportStream, now: Int64, at place: Int
    ) async throws -> ExportStream {
        guard request.missingFiles == .export else { return stream }
        let lost = try await target.lostFiles(of: [stream])[stream.place] ?? []
        let names = [resource.name] + resource.parts.map { "\(resource.name).\($0.name)" }
        let windows = try await target.store.windows(of: lost.map(\.path), in: stream).filter {
            names.contains($0.resource)
        }
        let again = Array(Dictionary(grouping: windows, by: \.path).values.filter(comesAgain).joined())
        // The windows of incremental runs in a growing file overlap, so they cannot go into files of their own.
        let rest = windows.filter { !$0.grows && $0.window.field != nil && !request.appends }
        // Before the state changes: a run that is killed in between leaves files that are missing.
        try await setAside(lost, among: Set((again + rest).map(\.path)))
        if !again.isEmpty {
            try await target.store.goBack(before: again.map(\.place), in: target.identifier)
        }
        for window in rest { try await export(window, resource, stream, now: now, at: place) }
        return try await target.store.stream(stream.place)
    }

    /// Keeps files that others have changed under other names, before they are exported again.
    private func setAside(_ lost: [ExportDirectory.LostFile], among paths: Set<String>) async throws {
        guard let directory = target.directory else { return }
        for file in lost where file.size != nil && paths.contains(file.path) {
            let name = try await DedicatedThread.run { try directory.setAside(file.path) }
            environment.diagnostics.warning("\(file.text): what is there is now \(name)")
        }
    }

    /// Whether the run itself exports all of a file again once the stream is reset to before it: a resource exported in
    /// full, or a growing file of incremental runs.
    private func comesAgain(_ file: [ExportStore.MissingWindow]) -> Bool {
        guard request.range == .last || request.range == .full, request.until == nil else { return false }
        return file.allSatisfy { $0.window.field == nil }
            || request.appends && file.allSatisfy { $0.grows && ($0.isRegular || $0.window.field == nil) }
    }

    private func export(
        _ missing: ExportStore.MissingWindow, _ resource: ResourcePlan, _ stream: ExportStream, now: Int64,
        at place: Int
    ) async throws {
        var resource = resource
        if missing.resource != resource.name {
            let part = String(missing.resource.dropFirst(resource.name.count + 1))
            resource = resource.only([part], from: missing.window.from, to: missing.window.to)
        }
        var plan = ExportPlan(
            request: "missing=\(missing.resource)@\(missing.place)", startedAt: now, finish: missing.window.to,
            skipsKnownRecords: false)
        plan.windows = [ExportPlan.Window(window: missing.window, isDone: false)]
        // Left by a run that was killed.
        if let left = try await target.store.plan(plan.request, of: stream.place) {
            try await target.store.drop(left)
        }
        let day = missing.day.map {
            ExportedDay(date: $0, end: missing.isPartial ? missing.window.to + 1 : missing.window.to)
        }
        try await exportWindows(of: plan, resource, stream, known: [:], day: day, at: place)
        if let done = try await target.store.plan(plan.request, of: stream.place) {
            try await target.store.drop(done)
        }
        try await target.store.replaced(missing, in: stream)
        try await target.listFiles()
    }
}
