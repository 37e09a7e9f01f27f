import CloverCore
import CloverPayments
import CloverSquare

/// `charge square request --input`: makes requests from JSON lines, and prints a line for each.
///
/// Each line is complete: an absent value is not taken from options or variables.
struct SquareRequestBatch: Sendable {
    /// Maximum number of requests per transaction; their lines are printed after it.
    private static let batchSize = 500

    private let rules: SquareRules
    /// A file; nil for standard input.
    private let path: String?
    /// Whether to record the requests in the charge journal.
    private let isRecorded: Bool

    init(path: String?, rules: SquareRules, isRecorded: Bool = true) {
        self.path = path
        self.rules = rules
        self.isRecorded = isRecorded
    }

    /// Processes each line that is not blank. No URL is printed before its request is recorded.
    ///
    /// - Throws: `SquareError.requestsFailed` after the last line if some requests could not be made; errors of the journal.
    func run(in environment: CommandEnvironment) async throws {
        let lines = try environment.openLines(path)
        var (number, count, failed, rivals) = (0, 0, 0, 0)
        while true {
            // Lines that have already arrived share a transaction; the batch does not wait for more.
            let texts = try await lines.next(atMost: Self.batchSize)
            if texts.isEmpty { break }
            try Task.checkCancellation()
            var results: [Result] = []
            for text in texts {
                number += 1
                if !text.isBlank { results.append(makeRequest(text, number, environment.diagnostics)) }
            }
            if isRecorded {
                let rows = try await SquareJournal.add(results.compactMap(\.request), in: environment)
                rivals += rows.count { $0.rival?.isSameRequest == false }
            }
            for result in results { try await SquareLine.print(result.text, in: environment) }
            count += results.count
            failed += results.count { $0.request == nil }
        }
        if rivals > 0 {
            environment.diagnostics.notice(
                "\(rivals) of them have the state of a different request without a response, so that a response alone "
                    + "settles neither: give each request its own state")
        }
        if failed > 0 { throw SquareError.requestsFailed(failed, of: count) }
    }

    private struct Result {
        let text: String
        /// Nil if no request could be made.
        let request: (handOff: SquareHandOff, draft: SquareRequestDraft)?
    }

    private func makeRequest(_ text: InputText, _ number: Int, _ diagnostics: Diagnostics) -> Result {
        let line = SquareRequestLine(bytes(of: text, number, diagnostics))
        for key in line.unknownKeys {
            diagnostics.notice("line \(number): unknown key '\(key)' ignored")
        }
        if let spelling = line.amountSpelling, let amount = line.draft.amount {
            diagnostics.notice("line \(number): amount \(spelling) is read as \(amount) in the smallest unit")
        }
        let result = line.handOff(profile: rules.profile, platform: rules.platform)
        let output = SquareOutputLine.request(id: line.id, result)
        guard case .success(let handOff) = result else { return Result(text: output, request: nil) }
        for notice in handOff.notices { diagnostics.notice("line \(number): \(notice.message)") }
        return Result(text: output, request: (handOff, line.draft))
    }

    /// The bytes of a line; empty for a line that is too long, which then fails like any other invalid request.
    private func bytes(of text: InputText, _ number: Int, _ diagnostics: Diagnostics) -> [UInt8] {
        switch text {
        case .line(let bytes): return bytes
        case .tooLong(let limit):
            diagnostics.notice("line \(number) skipped: longer than \(limit >> 20) MiB")
            return []
        }
    }
}
