import CloverSquare

/// `charge square request --input`: requests as JSON lines, each answered by a line.
///
/// A line says everything by itself: what is absent is not given, and nothing is taken from options or variables.
package struct SquareRequestBatch: Sendable {
    private let rules: SquareRules
    /// A file; nil is standard input.
    private let path: String?

    package init(path: String?, rules: SquareRules) {
        self.path = path
        self.rules = rules
    }

    /// Answers every line; empty lines are passed over.
    ///
    /// - Throws: `SquareError.requestsFailed` after the last line when some have no request.
    package func run(in environment: CommandEnvironment) async throws {
        let lines = try environment.openLines(path)
        var (number, count, failed) = (0, 0, 0)
        while let text = try await lines.next() {
            number += 1
            guard !text.isBlank else { continue }
            try Task.checkCancellation()
            count += 1
            let line = SquareRequestLine(bytes(of: text, number, environment.diagnostics))
            for key in line.unknownKeys {
                environment.diagnostics.notice("line \(number): nothing is called '\(key)', so it is ignored")
            }
            let result = line.handOff(profile: rules.profile, platform: rules.platform)
            switch result {
            case .success(let handOff):
                for notice in handOff.notices { environment.diagnostics.notice("line \(number): \(notice.message)") }
            case .failure: failed += 1
            }
            try await SquareLine.print(SquareAnswer.request(id: line.id, result), in: environment)
        }
        if failed > 0 { throw SquareError.requestsFailed(failed, of: count) }
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
