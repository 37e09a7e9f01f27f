import CloverExport

/// `--export-missing`: what was in files that are missing is exported anew, with the records as they are now.
extension ResourceExport {
    /// - Returns: the stream as it is afterwards.
    func exportMissing(
        _ resource: ResourcePlan, _ stream: ExportStream, now: Int64, at place: Int
    ) async throws -> ExportStream {
        guard request.missingFiles == .export else { return stream }
        let paths = try await target.missingFiles(of: [stream])[stream.place] ?? []
        let names = [resource.name] + resource.parts.map { "\(resource.name).\($0.name)" }
        let windows = try await target.store.windows(of: paths, in: stream).filter { names.contains($0.resource) }
        let again = Dictionary(grouping: windows, by: \.path).values.filter(comesAgain).joined()
        if !again.isEmpty {
            try await target.store.goBack(before: again.map(\.place), in: target.identifier)
        }
        // Of a file that grows, the windows of the runs that follow each other overlap, and fit into no other file.
        for window in windows where !window.grows && window.window.field != nil && !request.appends {
            try await export(window, resource, stream, now: now, at: place)
        }
        return try await target.store.stream(stream.place)
    }

    /// Whether the run exports all of a file anew when the stream goes back to before it: a list that is taken whole, or a file that
    /// grows with what changed from run to run.
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
            dropsKnown: false)
        plan.windows = [ExportPlan.Window(window: missing.window, isDone: false)]
        // A run that was killed has left it.
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
