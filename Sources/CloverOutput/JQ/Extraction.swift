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
    let need: RequiredFields

    /// Returns nil for any other program.
    init?(of source: String) {
        // Only the interpreter knows what the user's own library defines, or whether it compiles.
        guard !Self.hasHomeLibrary else { return nil }
        var parser = ExtractionParser(source)
        guard let steps = parser.parse() else { return nil }
        self.steps = steps
        need = RequiredFields(of: steps)
    }

    /// Whether `~/.jq` may exist; libjq prepends this file to every program.
    private static var hasHomeLibrary: Bool {
        guard let home = getenv("HOME") else { return false }
        return access(String(cString: home) + "/.jq", F_OK) == 0 || errno != ENOENT
    }
}

/// Parses the subset of jq's language that `Extraction` supports, as jq 1.6 parses it; rejects everything else.
struct ExtractionParser {
    private var rest: Substring.UTF8View
    private var depth = 0

    /// Words that jq does not accept as a name in an object.
    private static let keywords: Set<String> = [
        "def", "if", "then", "else", "elif", "end", "as", "reduce", "foreach", "try", "catch", "label", "import",
        "include", "and", "or", "module", "__loc__",
    ]
    /// A limit for the recursion of the parser; useful extractions are not that deep.
    private static let depthLimit = 16

    init(_ source: String) {
        rest = source[...].utf8
    }

    /// The steps; nil if the program is not an extraction.
    mutating func parse() -> [Extraction.Step]? {
        guard let steps = pipeline(), rest.isEmpty else { return nil }
        return steps
    }

    /// `term | term`, optionally surrounded by white space.
    private mutating func pipeline() -> [Extraction.Step]? {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.depthLimit else { return nil }
        var steps: [Extraction.Step] = []
        repeat {
            skipSpace()
            guard let term = term() else { return nil }
            steps += term
            skipSpace()
        } while take("|")
        return steps
    }

    private mutating func term() -> [Extraction.Step]? {
        if take("(") {
            guard let steps = pipeline(), take(")") else { return nil }
            return steps
        }
        if take("{") { return object() }
        if rest.first == UInt8(ascii: ".") { return path() }
        return word() == "length" ? [.length] : nil
    }

    /// `.`, or names each preceded directly by a dot.
    private mutating func path() -> [Extraction.Step]? {
        var steps: [Extraction.Step] = []
        while take(".") {
            guard let name = word() else {
                return steps.isEmpty && rest.first != UInt8(ascii: ".") ? [] : nil
            }
            steps.append(.field(name))
        }
        return steps
    }

    /// The rest of an object after its opening brace.
    private mutating func object() -> [Extraction.Step]? {
        var members: [Extraction.Member] = []
        repeat {
            skipSpace()
            guard let name = word(), !Self.keywords.contains(name) else { return nil }
            skipSpace()
            if take(":") {
                guard let steps = pipeline() else { return nil }
                members.append(.init(name: name, steps: steps))
            } else {
                members.append(.init(name: name, steps: [.field(name)]))
            }
        } while take(",")
        return take("}") ? [.object(members)] : nil
    }

    private mutating func word() -> String? {
        guard let first = rest.first, ProgramWords.startsWord(first) else { return nil }
        let end = rest.firstIndex { !ProgramWords.continuesWord($0) } ?? rest.endIndex
        defer { rest = rest[end...] }
        return String(rest[..<end])
    }

    /// Skips white space. A carriage return is not white space (jq 1.6, lexer.l).
    private mutating func skipSpace() {
        rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: "\n") }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest = rest.dropFirst()
        return true
    }
}
