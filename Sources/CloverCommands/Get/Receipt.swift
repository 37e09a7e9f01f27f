import CloverAPI
import CloverCore
import CloverJSON
import CloverOutput
import CloverSystem
import Glibc
import Synchronization

/// The receipt of a run as one JSON object: what was read, when, at what cost, and whether it is complete.
struct Receipt {
    var path: String
    /// Milliseconds since 1970.
    var startedAt: Int64
    var endedAt: Int64 = 0
    var summary = RecordPager.Summary()
    /// Why the run is not complete; empty when it is.
    var reasons: [String] = []
    var statistics = ServiceClient.Statistics()
    /// What was left out because the user asked for it, such as `refunds`.
    var omitted: [String] = []
    /// The database that was read in place of the service; nil for the service.
    var database: String?

    /// One line of JSON, with a newline.
    func text(digest: OutputDigest) -> String {
        var line = JSONLine()
        line.add("path", path)
        if let database { line.add("from", database) }
        line.add("complete", reasons.isEmpty)
        line.add("reasons", reasons)
        line.add("omitted", omitted)
        line.add("mayHaveMore", summary.mayHaveMore)
        line.add("records", Int64(summary.records))
        line.add("recordsRead", Int64(summary.recordsRead))
        line.add("endedEarlyBy", summary.endedEarlyBy)
        line.add("firstId", summary.windows.lazy.compactMap(\.firstID).first)
        line.add("lastId", summary.windows.reversed().lazy.compactMap(\.lastID).first)
        line.add("windows", json: "[" + summary.windows.map(Self.json).joined(separator: ",") + "]")
        line.add("listsCompleted", Int64(summary.completedLists))
        line.add("bytes", Int64(digest.bytes))
        line.add("sha256", digest.text)
        line.add("calls", Int64(statistics.requests))
        line.add("retries", Int64(statistics.retries))
        // Requests wait in parallel, so this may exceed the duration of the run.
        let milliseconds = Int64((statistics.secondsWaited * 1000).rounded())
        line.add("secondsWaitedByRequests", json: "\(Double(milliseconds) / 1000)")
        line.add("startedAt", instant: startedAt)
        line.add("endedAt", instant: endedAt)
        return line.text + "\n"
    }

    private static func json(_ window: RecordPager.Window) -> String {
        var line = JSONLine()
        line.add("from", instant: window.bounds?.from)
        line.add("to", instant: window.bounds?.to)
        line.add("records", Int64(window.records))
        line.add("firstId", window.firstID)
        line.add("lastId", window.lastID)
        line.add("failure", window.failure)
        return line.text
    }
}

/// Collects the facts of a run's receipt and writes it at the end.
final class ReceiptWriter: Sendable {
    private let receipt: Mutex<Receipt>
    private let digest: OutputDigest
    /// Nil for standard error.
    private let file: ReceiptFile?
    private let diagnostics: Diagnostics

    /// - Parameter place: path of the receipt, `-` for standard error; nil for no receipt.
    init?(_ place: String?, path: String, startedAt: Int64, in environment: CommandEnvironment) async throws(CoreError)
    {
        guard let place else { return nil }
        file = place == "-" ? nil : try ReceiptFile(place)
        diagnostics = environment.diagnostics
        receipt = Mutex(Receipt(path: path, startedAt: startedAt))
        digest = await OutputDigest.watching(environment.standardOutput)
    }

    /// Adds what is known of the run.
    func add(_ summary: RecordPager.Summary, _ statistics: ServiceClient.Statistics) {
        receipt.withLock {
            $0.summary = summary
            $0.statistics = statistics
        }
    }

    /// Adds what was left out because the user asked for it.
    func add(omitted: [String]) { receipt.withLock { $0.omitted = omitted } }

    /// Adds the database that is read in place of the service.
    func add(database: String?) { receipt.withLock { $0.database = database } }

    /// Writes the receipt.
    ///
    /// - Parameter problem: what is missing from the output, or ended the run; nil when it is complete.
    /// - Throws: when the receipt cannot be written, unless there is a problem, which is the more important error.
    func finish(_ problem: (any Error)?, at instant: Int64) throws(CoreError) {
        let text = receipt.withLock { receipt in
            receipt.reasons = problem.map(Self.reasons) ?? []
            receipt.endedAt = instant
            return receipt.text(digest: digest)
        }
        do {
            if let file { try file.write(text) } else { diagnostics.write(report: text) }
        } catch {
            // Report the receipt's failure here; the caller reports the problem after it.
            guard problem != nil else { throw error }
            let report = ErrorReport(error)
            diagnostics.failure(report.message, code: report.code, status: report.status.rawValue)
        }
    }

    static func reasons(_ error: any Error) -> [String] {
        switch error {
        case CoreError.incomplete(let shortfall): shortfall.reasons
        case CoreError.historyLimited(let path, let days, _):
            ["\(path) reach back for \(days) days at most, and no further window can be asked for"]
        case CoreError.filtersUnproved(let fields, _):
            ["Clover does not say that it filters by \(fields.joined(separator: ", "))"]
        case CoreError.filterContradicted(let found, _):
            ["the service returned records that the filter by \(found.field) excludes"]
        case CoreError.sortContradicted(let found, _):
            ["the service did not sort by \(found.field), so that others may be the first in that order"]
        case CoreError.timeRanOut: ["--max-time ran out"]
        case let refusal as TokenRefusal:
            refusal.isAboutPermission ? ["a permission is missing"] : ["the service failed: 401"]
        case let error as ReportError: error.reasons
        case let error as ServiceError: ["the service failed: \(error.brief)"]
        default: ["the run broke off"]
        }
    }
}

/// The destination of the receipt. A regular file is replaced atomically (rename(2)); anything else that the path leads
/// to, such as a device, a FIFO or our own standard output, is written to in place and never replaced.
struct ReceiptFile {
    private enum Place {
        /// A regular file that may not exist yet, with links resolved, and its mode if it exists.
        case file(path: String, mode: mode_t?)
        case open(OpenFile)
    }

    private let path: String
    private let place: Place

    /// A descriptor that is closed with the last reference to it.
    private final class OpenFile: Sendable {
        let number: Int32

        init(number: Int32) {
            self.number = number
        }

        deinit { close(number) }
    }

    /// Makes sure that the destination is writable before the run starts.
    init(_ path: String) throws(CoreError) {
        self.path = path
        guard let last = path.utf8.last, last != UInt8(ascii: "/") else {
            throw .unwritableFile(path: path, errno: EISDIR)
        }
        var facts = stat()
        if stat(path, &facts) == 0 {
            guard facts.st_mode & S_IFMT != S_IFDIR else { throw .unwritableFile(path: path, errno: EISDIR) }
            guard facts.st_mode & S_IFMT == S_IFREG, !Self.isOurOutput(facts), let real = realpath(path, nil) else {
                place = .open(try Self.openInPlace(path))
                return
            }
            defer { free(real) }
            place = .file(path: String(cString: real), mode: facts.st_mode & 0o777)
        } else if errno == ENOENT, lstat(path, &facts) == 0 {
            // A dangling link: create the file that it points to.
            place = .open(try Self.openInPlace(path))
            return
        } else {
            place = .file(path: path, mode: nil)
        }
        // Only creating a file shows whether that is possible.
        guard case .file(let target, _) = place else { return }
        let file = try create(for: target)
        unlink(file.path)
        close(file.descriptor)
    }

    /// Whether it is the file that standard output or standard error goes to. Replacing it would lose what is written
    /// there.
    private static func isOurOutput(_ facts: stat) -> Bool {
        [STDOUT_FILENO, STDERR_FILENO].contains { number in
            var own = stat()
            return fstat(number, &own) == 0 && own.st_dev == facts.st_dev && own.st_ino == facts.st_ino
        }
    }

    private static func openInPlace(_ path: String) throws(CoreError) -> OpenFile {
        let number = open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOCTTY | O_CLOEXEC, 0o666)
        guard number >= 0 else { throw .unwritableFile(path: path, errno: errno) }
        return OpenFile(number: number)
    }

    private func create(for target: String, mode: mode_t = 0o666) throws(CoreError) -> UnfinishedFile {
        do throws(ErrorNumber) {
            return try UnfinishedFile(for: target, mode: mode)
        } catch {
            throw .unwritableFile(path: path, errno: error.code)
        }
    }

    /// Writes the receipt, replacing an existing file.
    func write(_ text: String) throws(CoreError) {
        let bytes = Array(text.utf8)
        switch place {
        case .open(let file):
            let failure = Self.write(bytes, to: file.number)
            guard failure == 0 else { throw .unwritableFile(path: path, errno: failure) }
        case .file(let target, let mode):
            let file = try create(for: target)
            let failure = Self.write(bytes, to: file.descriptor)
            try finish(file, target, mode, failure: failure)
        }
    }

    /// Calls `body` with a descriptor to write to. An existing file is replaced when `body` has returned; if it throws, the
    /// file stays as it was.
    ///
    /// - Parameter isPrivate: whether only this user may read the file, whatever its mode was before.
    func replace<Value: Sendable>(
        isPrivate: Bool = false, _ body: (Int32) async throws -> Value
    ) async throws -> Value {
        switch place {
        case .open(let file):
            defer { withExtendedLifetime(file) {} }
            return try await body(file.number)
        case .file(let target, let mode):
            let file = try create(for: target, mode: isPrivate ? 0o600 : 0o666)
            let value: Value
            do {
                value = try await body(file.descriptor)
            } catch {
                unlink(file.path)
                close(file.descriptor)
                throw error
            }
            try finish(file, target, isPrivate ? 0o600 : mode, failure: 0)
            return value
        }
    }

    /// Makes the unfinished file the file itself. It stays locked until it has its name.
    ///
    /// - Parameter failure: errno of what was written so far; 0 for success.
    private func finish(
        _ file: consuming UnfinishedFile, _ target: String, _ mode: mode_t?, failure earlier: Int32
    ) throws(CoreError) {
        var failure = earlier
        if failure == 0, let mode, fchmod(file.descriptor, mode) != 0 { failure = errno }
        if failure == 0, fsync(file.descriptor) != 0 { failure = errno }
        if failure == 0, rename(file.path, target) != 0 { failure = errno }
        if failure != 0 { unlink(file.path) }
        // Everything is on the device.
        close(file.descriptor)
        guard failure == 0 else { throw .unwritableFile(path: path, errno: failure) }
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 { written += count } else if errno != EINTR { return errno }
        }
        return 0
    }
}

/// SHA-256 (FIPS 180-4) and number of the bytes written to an output.
final class OutputDigest: Sendable {
    private let state = Mutex((hash: SHA256(), bytes: 0))

    /// Observes the output from now on.
    static func watching(_ output: RecordOutput) async -> OutputDigest {
        let digest = OutputDigest()
        await output.observe { digest.add($0) }
        return digest
    }

    private func add(_ bytes: UnsafeRawBufferPointer) {
        state.withLock { state in
            state.hash.update(bytes)
            state.bytes += bytes.count
        }
    }

    var bytes: Int { state.withLock(\.bytes) }

    /// The hash in hexadecimal digits.
    var text: String {
        state.withLock { $0.hash.finalize() }.hexadecimalDigits
    }
}
