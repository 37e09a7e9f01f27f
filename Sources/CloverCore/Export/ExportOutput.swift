import CloverExport
import CloverJSON
import CloverOutput
import CloverSystem
import Glibc
import Synchronization

/// The output of one window's records: a file that is not published yet, or standard output.
final class ExportOutput: Sendable {
    /// Resource of the records.
    let resource: String
    /// Name of the file; nil for standard output.
    let name: WindowName?
    private let file: ExportFile?
    private let output: RecordOutput
    private let encoder: (any ByteEncoder)?
    private let filter: any RecordFilter
    private let digest: OutputDigest
    private let counters = Mutex(Counts())
    private let failure: FirstFailure

    struct Counts: Sendable {
        var records = 0
        var firstID: String?
        var lastID: String?
    }

    /// - Parameter makeFilter: makes the filter that prints records to the output.
    init(
        _ resource: String, name: WindowName?, file: ExportFile?, compression: Compression?,
        firstFailure: FirstFailure, in environment: CommandEnvironment,
        makeFilter: (CommandEnvironment) async throws -> any RecordFilter
    ) async throws {
        self.resource = resource
        self.name = name
        failure = firstFailure
        self.file = file
        let encoder = try compression?.makeEncoder()
        self.encoder = encoder
        var environment = environment
        if let file {
            environment.standardOutput = RecordOutput(
                descriptor: file.descriptor, encoding: encoder.map(Self.encoding))
        }
        output = environment.standardOutput
        digest = await OutputDigest.watching(output)
        environment.terminal.isOutputTerminal = false
        filter = try await makeFilter(environment)
    }

    /// Description of the first record that could not be printed.
    var firstFailure: String? { failure.text }
    var counts: Counts { counters.withLock(\.self) }
    var bytes: Int { digest.bytes }
    var sha256: String { digest.text }

    func consume(_ batch: RecordBatch) async throws -> RecordFlow {
        guard let first = batch.records.first, let last = batch.records.last else { return .more }
        counters.withLock { counts in
            if counts.records == 0 { counts.firstID = batch.id(of: first) }
            counts.lastID = batch.id(of: last)
            counts.records += batch.records.count
        }
        do {
            return try await filter.consume(batch)
        } catch let error as RecordWriteError {
            throw translated(error)
        }
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

    func publish(as name: String) throws(ExportError) {
        try file?.publish(as: name)
    }

    /// Appends the output to a growing file.
    ///
    /// - Returns: the offset where it begins.
    func append(to name: String, at size: Int64, endingLine: Bool) throws(ExportError) -> Int64 {
        try file?.append(to: name, at: size, endingLine: endingLine) ?? size
    }

    func discard() throws(ExportError) {
        try file?.discard()
    }

    /// Adds the path to an error of a file. A closed standard output still ends the run quietly.
    private func translated(_ error: RecordWriteError) -> any Error {
        guard let file, case .failed(let number) = error else { return error }
        return ExportError.file(.write, path: file.path, errno: number)
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
