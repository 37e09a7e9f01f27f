import CloverAPI
import CloverExport

/// The files that earlier runs published and that were missing when this run began.
package struct MissingFiles: Sendable {
    private struct File: Sendable {
        var stream: ExportStream
        var path: String
        var windows: [ExportStore.MissingWindow]
    }

    private let streams: [ExportStream]
    private let files: [File]

    /// Looks for the files of some resources of some merchants.
    init(_ resources: [String], of merchants: [ExportMerchant], at target: ExportTarget) async throws {
        let owners = Set(merchants.map { [$0.connection.environment.name, $0.merchantID] })
        streams = try await target.store.streams().filter { stream in
            stream.destination == target.identifier && resources.contains(stream.resource)
                && owners.contains([stream.environment, stream.merchant])
        }
        let missing = try await target.missingFiles(of: streams)
        var files: [File] = []
        for stream in streams {
            for path in missing[stream.place] ?? [] {
                files.append(
                    File(
                        stream: stream, path: path,
                        windows: try await target.store.windows(of: [path], in: stream)))
            }
        }
        self.files = files
    }

    private var paths: [String] { Set(files.map(\.path)).sorted() }

    /// Forgets them.
    func accept(at target: ExportTarget, _ diagnostics: Diagnostics) async throws {
        guard !files.isEmpty else { return }
        diagnostics.notice("\(Self.count(paths.count)) missing, and forgotten from now on")
        try await target.store.forget(missing: paths, in: target.identifier)
    }

    /// The paths of those that this run has not exported anew.
    func left(after request: ExportRequest, at target: ExportTarget) async throws -> [String] {
        guard !files.isEmpty, request.missingFiles != .accept else { return [] }
        let missing = Set(try await target.missingFiles(of: streams).values.joined())
        var left: Set<String> = []
        for file in files {
            if missing.contains(file.path) {
                left.insert(file.path)
            } else if request.range != .full, try await hasLost(file, at: target) {
                left.insert(file.path)
            }
        }
        return left.sorted()
    }

    /// Whether a file that grows was begun anew without all that had been added to it.
    private func hasLost(_ file: File, at target: ExportTarget) async throws -> Bool {
        let windows = try await target.store.windows(of: [file.path], in: file.stream)
        for old in file.windows where old.grows {
            let isThere = windows.contains { new in
                new.resource == old.resource && new.window.field == old.window.field
                    && new.window.from ?? .min <= old.window.from ?? .min && new.window.to >= old.window.to
            }
            // One that is not known any more comes again.
            if !isThere, try await target.store.hasFile(old.place) { return true }
        }
        return false
    }

    /// `1 published file is`, `2 published files are`.
    package static func count(_ count: Int) -> String {
        count == 1 ? "1 published file is" : "\(count) published files are"
    }
}
