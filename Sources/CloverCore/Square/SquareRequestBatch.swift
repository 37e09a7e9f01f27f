import CloverPayments
import CloverSquare

/// `charge square request --input`: requests as JSON lines, each answered by a line.
///
/// A line says everything by itself: what is absent is not given, and nothing is taken from options or variables.
package struct SquareRequestBatch: Sendable {
    /// So many are written down in one go, and then printed.
    private static let mostAtOnce = 500

    private let rules: SquareRules
    /// A file; nil is standard input.
    private let path: String?
    /// Whether the requests are written down in the journal of charges.
    private let isWrittenDown: Bool

    package init(path: String?, rules: SquareRules, isWrittenDown: Bool = true) {
        self.path = path
        self.rules = rules
        self.isWrittenDown = isWrittenDown
    }

    /// Answers every line; empty lines are passed over. No URL is printed before its request is written down.
    ///
    /// - Throws: `SquareError.requestsFailed` after the last line when some have no request; trouble with the journal.
    package func run(in environment: CommandEnvironment) async throws {
        let lines = try environment.openLines(path)
        var (number, count, failed, rivals) = (0, 0, 0, 0)
        while true {
            // Those that are here already share one transaction of the journal; nobody waits for those that are not.
            let texts = try await lines.next(atMost: Self.mostAtOnce)
            if texts.isEmpty { break }
            try Task.checkCancellation()
            var answers: [Answer] = []
            for text in texts {
                number += 1
                if !text.isBlank { answers.append(answer(text, number, environment.diagnostics)) }
            }
            if isWrittenDown {
                let rows = try await SquareJournal.add(answers.compactMap(\.request), in: environment)
                rivals += rows.count { $0.rival?.isSameRequest == false }
            }
            for answer in answers { try await SquareLine.print(answer.text, in: environment) }
            count += answers.count
            failed += answers.count { $0.request == nil }
        }
        if rivals > 0 {
            environment.diagnostics.notice(
                "\(rivals) of them have the state of a different request without an answer, so that an answer settles "
                    + "neither by itself: give every request a state of its own")
        }
        if failed > 0 { throw SquareError.requestsFailed(failed, of: count) }
    }

    private struct Answer {
        let text: String
        /// nil when none could be made.
        let request: (handOff: SquareHandOff, draft: SquareRequestDraft)?
    }

    private func answer(_ text: InputText, _ number: Int, _ diagnostics: Diagnostics) -> Answer {
        let line = SquareRequestLine(bytes(of: text, number, diagnostics))
        for key in line.unknownKeys {
            diagnostics.notice("line \(number): nothing is called '\(key)', so it is ignored")
        }
        if let spelling = line.amountSpelling, let amount = line.draft.amount {
            diagnostics.notice("line \(number): amount \(spelling) is taken as \(amount) of the smallest unit")
        }
        let result = line.handOff(profile: rules.profile, platform: rules.platform)
        let answer = SquareAnswer.request(id: line.id, result)
        guard case .success(let handOff) = result else { return Answer(text: answer, request: nil) }
        for notice in handOff.notices { diagnostics.notice("line \(number): \(notice.message)") }
        return Answer(text: answer, request: (handOff, line.draft))
    }

    /// A line that is too long is answered like any other that is no request.
    private func bytes(of text: InputText, _ number: Int, _ diagnostics: Diagnostics) -> [UInt8] {
        switch text {
        case .line(let bytes): return bytes
        case .tooLong(let limit):
            diagnostics.notice("line \(number) is longer than \(limit >> 20) MiB, so it was skipped")
            return []
        }
    }
}
