import CloverExport
import CloverJSON
import CloverOutput
import CloverSystem

/// The name of an export's file.
struct WindowName: Sendable, Equatable {
    /// Path relative to the destination.
    var path: String
    /// The path without the number.
    var base: String
    /// Distinguishes files whose path would be the same; 1 for the first.
    var number: Int
}

/// Finds the names of a run's files.
///
/// Windows of a resource whose names would be the same, such as those of one date, are numbered in order, after those of
/// earlier runs. Their contents do not matter, so that the run after one that was killed, or that could not read a window,
/// uses the same names as if nothing had happened.
struct WindowNaming: Sendable {
    let export: WindowExport
    let plan: ExportPlan

    func name(of resource: String, _ window: PlannedWindow) async throws -> WindowName {
        let base = try path(of: resource, window)
        var name = WindowName(path: base, base: base, number: 1)
        guard isNumbered(window) else { return name }
        let (store, stream) = (export.target.store, export.stream)
        if let known = try await store.number(of: window, named: base, of: resource, in: stream) {
            name.number = known
        } else {
            name.number =
                try await store.lastNumber(of: base, of: resource, in: stream, upTo: plan.filesBefore) + 1
                + place(of: window, named: base, of: resource)
        }
        name.path = try path(of: resource, window, number: name.number)
        // Another run of the same resource may have overtaken one that was interrupted.
        while let owner = try await store.owner(of: name.path, in: stream.destination), owner.window != window,
            owner.stream == stream.place, owner.resource == resource
        {
            name.number += 1
            name.path = try path(of: resource, window, number: name.number)
        }
        return name
    }

    /// Whether names are numbered: a growing file takes all windows, a business day is one window, and a resource
    /// exported in full replaces its own file.
    private func isNumbered(_ window: PlannedWindow) -> Bool {
        !export.request.appends && export.names.distinguishesWindows && export.day == nil && window.field != nil
    }

    /// Number of windows directly before this one that have its name.
    private func place(of window: PlannedWindow, named base: String, of resource: String) throws(ExportError) -> Int {
        guard let index = plan.windows.firstIndex(where: { $0.window == window }) else { return 0 }
        var count = 0
        for other in plan.windows[..<index].reversed() {
            guard try path(of: resource, other.window) == base else { break }
            count += 1
        }
        return count
    }

    private func path(
        of resource: String, _ window: PlannedWindow, number: Int = 1
    ) throws(ExportError) -> String {
        let (merchant, request) = (export.merchant, export.request)
        return try export.names.path(
            NameTemplate.Values(
                resource: resource, merchant: merchant.merchantID, profile: merchant.profile, window: window,
                day: export.day?.date, date: merchant.zone.map { BusinessDay.date(of: window.to - 1, in: $0) },
                format: (request.format.format ?? .ndjson).rawValue, suffix: request.compression?.suffix ?? ""),
            number: number)
    }
}
