import CloverAPI
import CloverCore
import CloverExport
import CloverJSON
import CloverOutput
import CloverSystem
import Glibc

/// The output of one window's records: a file that is not published yet, or standard output.
final class ExportOutput {
    /// Resource of the records.
    let resource: String
    /// The file; nil for standard output.
    let staged: StagedFile?
    /// Model of the records; nil if it is unknown.
    let model: String?
    /// The lists whose names the records get.
    let lists: Set<NamedList>
    private let output: RecordOutput
    private let encoder: (any ByteEncoder)?
    private let filter: any RecordFilter
    private let digest: OutputDigest
    private let failure: FirstFailure
    /// The records on which the program failed; nil where they end the run.
    let failed: FailedRecords?
    /// What changed of a list that is exported in full; nil where no log is kept.
    var log: ChangeLog?

    private(set) var records = 0
    private(set) var firstID: String?
    private(set) var lastID: String?

    /// - Parameter makeFilter: makes the filter that prints records to the output.
    init(
        _ resource: String, _ staged: StagedFile?, model: String?, lists: Set<NamedList>, compression: Compression?,
        firstFailure: FirstFailure, failed: FailedRecords?,
        in environment: CommandEnvironment, makeFilter: (CommandEnvironment) async throws -> any RecordFilter
    ) async throws {
        self.resource = resource
        self.staged = staged
        self.model = model
        self.lists = lists
        failure = firstFailure
        self.failed = failed
        let encoder = try compression?.makeEncoder()
        self.encoder = encoder
        var environment = environment
        if let staged {
            environment.standardOutput = RecordOutput(
                descriptor: staged.file.descriptor, encoding: encoder.map(Self.encoding))
        }
        output = environment.standardOutput
        digest = await OutputDigest.watching(output)
        environment.terminal.isOutputTerminal = false
        filter = try await makeFilter(environment)
    }

    /// Description of the first record that could not be printed.
    var firstFailure: String? { failure.text }
    /// Whether all records without a result are among the failed ones.
    var keepsFailures: Bool { failed != nil && !failure.mayConcernOthers }
    var bytes: Int { digest.bytes }
    var sha256: String { digest.text }

    func consume(_ batch: RecordBatch) async throws -> RecordFlow {
        guard let first = batch.records.first, let last = batch.records.last else { return .more }
        if records == 0 { firstID = batch.id(of: first) }
        lastID = batch.id(of: last)
        records += batch.records.count
        try await log?.add(batch)
        do {
            return try await filter.consume(batch)
        } catch let error as RecordWriteError {
            throw translated(error)
        }
    }

    /// Adds records, by their ids, of which this output has all entries, in a window that does not write the records.
    func addParents(_ ids: [String]) async throws {
        if let writer = filter as? any WindowWriter { try await writer.addParents(ids) }
    }

    /// Writes what is left. The file is then complete but not published.
    func finish() async throws -> FilterReport {
        do {
            let report = try await filter.finish()
            if let encoder { try await output.writeEncoded(try encoder.finish()) }
            return report
        } catch let error as RecordWriteError {
            throw translated(error)
        }
    }

    /// Whether its records become permanent with their window, whatever their number.
    var isCommitted: Bool { filter is any WindowWriter }

    func discard() async throws {
        if let writer = filter as? any WindowWriter { try await writer.discard() }
        try await log?.discard()
        guard let staged else { return }
        let failed = failed
        try await DedicatedThread.run {
            try staged.file.discard()
            try failed?.discard()
        }
    }

    /// Adds the path to an error of a file. A closed standard output still ends the run quietly.
    private func translated(_ error: RecordWriteError) -> any Error {
        guard let staged, case .failed(let number) = error else { return error }
        return ExportError.file(.write, path: staged.file.path, errno: number)
    }

    private static func encoding(by encoder: any ByteEncoder) -> RecordOutput.Encoding {
        { bytes in
            do throws(CompressionError) {
                return .success(try encoder.encode(bytes))
            } catch {
                switch error {
                case .memory: return .failure(.failed(errno: ENOMEM))
                case .failed: return .failure(.failed(errno: EINVAL))
                }
            }
        }
    }
}
