import CloverJSON
import CloverOutput
import Synchronization

/// Standard output of a command that runs for a tool: keeps its lines up to a number of bytes.
///
/// What does not fit ends the command as a closed pipe would, so that no more is read than is returned.
final class CapturedOutput: Sendable {
    private struct State {
        /// The records kept, as JSON.
        var records: [String] = []
        var bytes = 0
        /// The line that has not ended yet.
        var line: [UInt8] = []
        var skipped: Int
        /// Whether a record did not fit.
        var isCut = false
    }

    /// In bytes.
    private let limit: Int
    private let state: Mutex<State>

    /// - Parameters:
    ///   - limit: maximum number of bytes of all records.
    ///   - skipped: number of records to leave out at the beginning.
    init(limit: Int, skipped: Int) {
        self.limit = limit
        state = Mutex(State(skipped: skipped))
    }

    /// An output whose bytes come here and go nowhere else.
    func output() -> RecordOutput {
        // Nothing is written to the descriptor, because the encoding returns no bytes.
        RecordOutput(descriptor: -1) { self.add($0) ? .success([]) : .failure(.closed) }
    }

    /// The records, and whether there was one more that did not fit.
    func finish() -> (records: [String], isCut: Bool) {
        state.withLock { state in
            if !state.line.isEmpty, !state.isCut { _ = end(&state) }
            return (state.records, state.isCut)
        }
    }

    /// Returns false once a record does not fit.
    private func add(_ bytes: UnsafeRawBufferPointer) -> Bool {
        state.withLock { state in
            guard !state.isCut else { return false }
            for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
                // Each line but the first follows a line break, which ended the one before.
                if line.offset > 0, !end(&state) { return false }
                guard state.skipped > 0 || state.line.count + line.element.count <= limit else {
                    state.isCut = true
                    return false
                }
                if state.skipped == 0 { state.line += line.element }
            }
            return true
        }
    }

    /// Ends the current line. Returns false if its record does not fit.
    private func end(_ state: inout State) -> Bool {
        defer { state.line.removeAll(keepingCapacity: true) }
        guard state.skipped == 0 else {
            state.skipped -= 1
            return true
        }
        guard !state.line.isEmpty else { return true }
        guard state.bytes + state.line.count <= limit else {
            state.isCut = true
            return false
        }
        state.bytes += state.line.count
        let text = String(decoding: state.line, as: UTF8.self)
        // A few paths return text, such as CSV.
        state.records.append(Self.isJSON(state.line) ? text : JSONString.quoted(text))
        return true
    }

    private static func isJSON(_ line: [UInt8]) -> Bool {
        do throws(JSONCheck.Fault) {
            _ = try JSONCheck.kind(of: line)
            return true
        } catch {
            return false
        }
    }
}

/// Standard error of a command that runs for a tool, as JSON lines: keeps its notices, its error and its receipt.
final class CapturedMessages: Sendable {
    struct Content: Sendable {
        var notices: [String] = []
        /// The last error as JSON, which is the one that ended the command.
        var error: JSONTree?
        /// The receipt; nil if the command wrote none.
        var receipt: JSONTree?
    }

    private static let maximumNotices = 20

    private let state = Mutex(Content())

    var content: Content { state.withLock { $0 } }

    /// - Parameter line: with its line break.
    func add(_ line: String) {
        guard let tree = JSONTree(Array(line.utf8)) else { return }
        state.withLock { content in
            if let error = tree["error"] {
                // An error of one record, followed by the one that ends the command.
                if let former = content.error?["message"]?.string { Self.add(former, to: &content) }
                content.error = error
            } else if let text = (tree["notice"] ?? tree["warning"])?["message"]?.string {
                Self.add(text, to: &content)
            } else if tree["complete"] != nil {
                content.receipt = tree
            }
        }
    }

    private static func add(_ notice: String, to content: inout Content) {
        if content.notices.count < maximumNotices { content.notices.append(notice) }
    }
}
