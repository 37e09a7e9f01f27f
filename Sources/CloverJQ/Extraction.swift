internal import Glibc

/// A program that does no more than take values out of a record and put them together, such as `.total`,
/// `.lineItems.elements | length` or `{id, customer: .customer.id}`.
///
/// It needs no interpreter, for which libjq compiles a library of its own for 13 ms each time: libjq's functions on
/// values, which its interpreter calls as well, give the result. Everything in which a record does not go along, an
/// error above all, is left to the interpreter.
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

    /// One after the other, from the record to the result.
    let steps: [Step]
    /// What they look at in a record.
    let need: ExtractionNeed

    /// Nil for every other program.
    init?(of source: String) {
        // What the user's own library defines, or that it does not compile, only the interpreter knows.
        guard !Self.hasHomeLibrary else { return nil }
        var parser = ExtractionParser(source)
        guard let steps = parser.parse() else { return nil }
        self.steps = steps
        need = ExtractionNeed(of: steps)
    }

    /// libjq puts the file `~/.jq` before every program.
    private static var hasHomeLibrary: Bool {
        guard let home = getenv("HOME") else { return false }
        return access(String(cString: home) + "/.jq", F_OK) == 0 || errno != ENOENT
    }
}
