internal import Glibc

/// A program that only extracts values from a record and combines them, such as `.total`,
/// `.lineItems.elements | length` or `{id, customer: .customer.id}`.
///
/// It needs no interpreter, whose setup takes 13 ms because libjq compiles its own library each time: the result comes
/// from libjq's functions on values, which the interpreter also calls. If a record does not fit, above all with an
/// error, the interpreter takes over.
struct Extraction: Sendable {
    enum Step: Sendable, Equatable {
        /// `.name`
        case field(String)
        /// `length`
        case length
        /// `{name: steps}`, in the order of the text.
        case object([Member])
    }

    struct Member: Sendable, Equatable {
        var name: String
        var steps: [Step]
    }

    /// The steps in order, from the record to the result.
    let steps: [Step]
    /// The parts of a record that the steps read.
    let need: ExtractionNeed

    /// Returns nil for any other program.
    init?(of source: String) {
        // Only the interpreter knows what the user's own library defines, or whether it compiles.
        guard !Self.hasHomeLibrary else { return nil }
        var parser = ExtractionParser(source)
        guard let steps = parser.parse() else { return nil }
        self.steps = steps
        need = ExtractionNeed(of: steps)
    }

    /// Whether `~/.jq` may exist; libjq prepends this file to every program.
    private static var hasHomeLibrary: Bool {
        guard let home = getenv("HOME") else { return false }
        return access(String(cString: home) + "/.jq", F_OK) == 0 || errno != ENOENT
    }
}
