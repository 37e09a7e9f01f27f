internal import CJQ
internal import Glibc

/// A program's text and options. The filter's threads compile it, which checks it.
package struct JQProgram: Sendable {
    package let source: String
    package let options: JQOptions
    /// The base directory of relative `import` and `include` paths; nil for the working directory.
    package let directory: String?
    /// The shop whose functions the program may use; nil for none.
    package let shop: ShopFunctions?

    /// The extraction, if the program is one and needs no interpreter.
    let extraction: Extraction?
    /// True if a run may read several records, so that one thread must process the whole stream.
    package let needsWholeStream: Bool
    /// Definitions prepended to the program's first line, for functions that libjq cannot provide to a caller with its
    /// own input.
    let preamble: String
    /// True if `input_line_number` must be provided.
    let countsLines: Bool
    /// Marks values for standard error among those of `debug`. Random, so that no record can contain it.
    let standardErrorMark: String

    /// - Parameter directory: the directory of the program's file.
    /// - Throws: `.containsNUL`, `.invalidJSONArgument`.
    package init(source: String, options: JQOptions = JQOptions(), shop: ShopFunctions? = nil, directory: String? = nil)
        throws(JQError)
    {
        if source.utf8.contains(0) { throw .containsNUL }
        for argument in options.arguments {
            if argument.name.utf8.contains(0) { throw .containsNUL }
            if case .json(let text) = argument.value {
                guard let value = JQValue.parse(text) else { throw .invalidJSONArgument(name: argument.name) }
                jv_free(value)
            }
        }
        self.source = source
        self.options = options
        self.directory = directory
        self.shop = shop
        extraction = Extraction(of: source)
        let words = ProgramWords(of: source)
        needsWholeStream = options.slurp || words.readsStream || ProgramWords.ofHomeLibrary().readsStream
        countsLines = words.contains("input_line_number")
        standardErrorMark = "clover-stderr-\(UInt64.random(in: .min ... .max))"
        var preamble = ""
        if countsLines {
            // libjq supports `input_line_number` only for its own file reader. `get_prog_origin` returns an attribute
            // that the engine sets for each record; libjq itself reads that attribute only during compilation.
            preamble += "def input_line_number: get_prog_origin; "
        }
        if words.contains("stderr") {
            // libjq's `stderr` writes to the C stream directly. The binding keeps the meaning of `path(stderr)`.
            preamble += "def stderr: ([\"\(standardErrorMark)\", .] | debug) as $ignored | .; "
        }
        self.preamble = preamble
    }

    /// Whether a run may read records of several shops at once and uses functions that mean something else for each.
    package var readsSeveralShops: Bool { needsWholeStream && shop?.differByRecord == true }

    /// Whether the program is an extraction, for which nothing needs to be compiled.
    package var isExtraction: Bool { extraction != nil }
}

/// How results are written and which variables the program gets, like jq's options of the same names.
package struct JQOptions: Sendable {
    /// A variable of the program.
    package struct Argument: Sendable {
        package enum Value: Sendable {
            /// `--arg`
            case string(String)
            /// `--argjson`: the text of one JSON value.
            case json(String)

            /// As given on the command line.
            package var text: String {
                switch self {
                case .string(let text), .json(let text): text
                }
            }
        }

        /// Without the `$`.
        package var name: String
        package var value: Value

        package init(name: String, value: Value) {
            self.name = name
            self.value = value
        }
    }

    /// `--raw-output`: strings are written without quotes.
    package var rawOutput: Bool
    /// `--join-output`: like raw output, without a newline after each result.
    package var joinOutput: Bool
    /// `--slurp`: one run on the array of all records.
    package var slurp: Bool
    /// In command-line order; if a name occurs twice, the first takes precedence, as in jq.
    package var arguments: [Argument]

    package init(
        rawOutput: Bool = false,
        joinOutput: Bool = false,
        slurp: Bool = false,
        arguments: [Argument] = []
    ) {
        self.rawOutput = rawOutput
        self.joinOutput = joinOutput
        self.slurp = slurp
        self.arguments = arguments
    }
}

/// Why a program cannot run at all. An error on a single record is a `RecordFailure`.
package enum JQError: Error, Equatable, Sendable {
    /// The program does not compile. `message` is jq's own text of several lines: for each error a description and its
    /// line, then the number of errors.
    case compile(message: String)
    /// The text given for this variable is not one JSON value.
    case invalidJSONArgument(name: String)
    /// The program or an argument's name contains a NUL character, at which libjq would stop reading.
    case containsNUL
    /// libjq could not create an interpreter.
    case outOfMemory
    /// No thread could be started to run the program (errno of pthread_create).
    case noThread(errno: Int32)
    /// The filter was cancelled while the program was being compiled.
    case cancelled
}

extension JQError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .compile(let message): message
        case .invalidJSONArgument(let name): "the value of $\(name) is not valid JSON"
        case .containsNUL: "the program contains a NUL character"
        case .outOfMemory: "not enough memory for jq"
        case .noThread(let errno): "cannot start a thread for jq (errno \(errno))"
        case .cancelled: "cancelled"
        }
    }
}

/// The approximate set of identifiers in a program. Includes those in strings and comments, because a string may
/// contain code. An extra word costs speed, a missing word would cost results.
struct ProgramWords {
    private let words: Set<Substring>

    init(of text: String) {
        var words: Set<Substring> = []
        let units = text.utf8
        var start = units.startIndex
        var before: UInt8 = 0
        while start < units.endIndex {
            let byte = units[start]
            guard Self.startsWord(byte) else {
                before = byte
                start = units.index(after: start)
                continue
            }
            let end = units[start...].firstIndex { !Self.continuesWord($0) } ?? units.endIndex
            // `.input` is a field and `$input` a variable.
            if before != UInt8(ascii: "."), before != UInt8(ascii: "$") { words.insert(text[start..<end]) }
            before = 0
            start = end
        }
        self.words = words
    }

    /// The words of the user's own library, which libjq prepends to every program if `~/.jq` is a file.
    static func ofHomeLibrary() -> ProgramWords {
        guard let home = getenv("HOME") else { return ProgramWords(of: "") }
        let path = String(cString: home) + "/.jq"
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, let file = fopen(path, "re") else {
            return ProgramWords(of: "")
        }
        defer { fclose(file) }
        var text = [UInt8](repeating: 0, count: Int(status.st_size))
        let count = fread(&text, 1, text.count, file)
        return ProgramWords(of: String(decoding: text.prefix(count), as: UTF8.self))
    }

    func contains(_ word: Substring) -> Bool {
        words.contains(word)
    }

    /// Whether a run may read the stream. A module may do so, so `import` and `include` count.
    var readsStream: Bool {
        ["input", "inputs", "_input", "input_line_number", "import", "include"].contains { contains($0) }
    }

    static func startsWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"): true
        default: false
        }
    }

    static func continuesWord(_ byte: UInt8) -> Bool {
        startsWord(byte) || byte &- 0x30 < 10
    }
}
