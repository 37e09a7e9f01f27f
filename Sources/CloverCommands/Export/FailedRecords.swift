import CloverExport
import CloverJSON
import CloverOutput
import CloverSystem
import Synchronization

/// The records of a window on which the jq program failed, each with its error, in a file that is not published yet.
///
/// The file is made with the first of them. Its lines have no times, so that the same failures make the same file.
final class FailedRecords: Sendable {
    private struct State: Sendable {
        var file: ExportFile?
        var size = 0
        var digest = SHA256()
        var count = 0
        var error: (any Error)?
    }

    private let state = Mutex(State())
    private let resource: String
    private let merchant: String
    private let makeFile: @Sendable () throws -> ExportFile

    init(resource: String, merchant: String, makeFile: @escaping @Sendable () throws -> ExportFile) {
        self.resource = resource
        self.merchant = merchant
        self.makeFile = makeFile
    }

    var count: Int { state.withLock(\.count) }

    /// Writes one. An error is thrown by `finished`.
    func add(_ failure: RecordFailure) {
        var line = JSONLine()
        line.add("resource", resource)
        line.add("merchant", merchant)
        line.add("id", failure.id)
        line.add("error", failure.message)
        let record = String(decoding: failure.record, as: UTF8.self)
        // What jq cannot read may not be JSON.
        if failure.message.hasPrefix("parse error: ") {
            line.add("record", record)
        } else {
            line.add("record", json: record)
        }
        let bytes = Array((line.text + "\n").utf8)
        state.withLock { state in
            guard state.error == nil else { return }
            do {
                let file = try state.file ?? makeFile()
                state.file = file
                try file.write(bytes, at: state.size)
            } catch {
                state.error = error
                return
            }
            state.size += bytes.count
            state.digest.update(bytes)
            state.count += 1
        }
    }

    /// The finished file with its SHA-256; nil when the program failed on no record.
    ///
    /// - Throws: the error that kept a record from being written.
    func finished() throws -> (file: ExportFile, sha256: String)? {
        try state.withLock { state in
            if let error = state.error { throw error }
            return state.file.map { ($0, state.digest.finalize().hexadecimalDigits) }
        }
    }

    func discard() throws {
        try state.withLock { state in
            try state.file?.discard()
            state.file = nil
        }
    }
}

extension DirectoryDestination {
    func failedRecords(_ resource: String, _ request: ExportRequest, in window: WindowExport) -> FailedRecords? {
        let (directory, isPrivate) = (directory, request.showsSensitive)
        return FailedRecords(resource: resource, merchant: window.merchant.merchantID) {
            try directory.makeFile(Self.failedNumber, isPrivate: isPrivate)
        }
    }

    /// Number of the unpublished file, which no other has.
    private static let failedNumber = 1_000_000

    func publish(_ failed: FailedRecords, of staged: StagedFile, in window: WindowExport) async throws {
        guard let (file, sha256) = try failed.finished() else { return }
        var base = "\(NameTemplate.failed)/\(staged.record.path)"
        if base.hasSuffix(Self.suffix) { base.removeLast(Self.suffix.count) }
        // A growing file has many windows.
        if window.request.appends { base += "/" + InstantName.text(window.window) }
        // An earlier file stays.
        var (name, number) = (base + Self.suffix, 1)
        while let found = try await self.sha256(of: name) {
            if found == sha256 { return try await DedicatedThread.run { try failed.discard() } }
            number += 1
            name = "\(base)-\(number)\(Self.suffix)"
        }
        try await publish(file, as: name)
    }

    private static let suffix = ".ndjson"
}
