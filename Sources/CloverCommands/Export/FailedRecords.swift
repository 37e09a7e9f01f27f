import CloverAPI
import CloverAuth
import CloverCore
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

    /// The finished file with what it has; nil when the program failed on no record.
    ///
    /// - Throws: the error that kept a record from being written.
    func finished() throws -> (file: ExportFile, contents: CurrentMerge.Result)? {
        try state.withLock { state in
            if let error = state.error { throw error }
            return state.file.map { file in
                (
                    file,
                    CurrentMerge.Result(
                        records: Int64(state.count), bytes: Int64(state.size),
                        sha256: state.digest.finalize().hexadecimalDigits)
                )
            }
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

    func publish(
        _ failed: FailedRecords, of staged: StagedFile, in window: WindowExport
    ) async throws -> PublishedFile? {
        guard let (file, contents) = try failed.finished() else { return nil }
        var base = "\(NameTemplate.failed)/\(staged.record.path)"
        if base.hasSuffix(Self.suffix) { base.removeLast(Self.suffix.count) }
        // A growing file has many windows.
        if window.request.appends { base += "/" + InstantName.text(window.window) }
        // An earlier file stays.
        var (name, number, isThere) = (base + Self.suffix, 1, false)
        while let found = try await sha256(of: name) {
            isThere = found == contents.sha256
            if isThere { break }
            // A run that was killed left it, and this one has the same window.
            if let owner = try await store.owner(of: name, in: identifier), owner.isInterrupted,
                owner.stream == window.stream.place, owner.window == window.window, owner.sha256 == found
            {
                break
            }
            number += 1
            name = "\(base)-\(number)\(Self.suffix)"
        }
        var record = PublishedFile(
            path: name, resource: PublishedFile.Role.failed.name(of: staged.record.resource), window: window.window)
        record.role = .failed
        record.sha256 = contents.sha256
        record.choice = staged.record.choice
        record.isTagged = true
        record.words = window.request.words
        record.line = roleLine(
            record, merchant: window.merchant.merchantID, environment: window.merchant.connection.environment.name,
            contents, offset: nil, at: window.environment.clock.wall())
        if isThere {
            try await DedicatedThread.run { try failed.discard() }
            // A run that was killed may have published it, or one of a version that did not list these files.
            let owner = try await store.owner(of: name, in: identifier)
            if let owner, owner.sha256 == contents.sha256, !owner.isInterrupted, !owner.isForgotten { return nil }
        } else {
            // The next run of one that is killed then lists the file, or removes it.
            try await store.intend(toPublish: record, of: window.plan, in: window.stream)
            try await publish(file, as: name)
        }
        return record
    }

    private static let suffix = ".ndjson"
}
