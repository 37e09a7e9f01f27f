internal import CJQ

/// A program's text with its options. It is checked by compiling, which the filter's threads do.
package struct JQProgram: Sendable {
    package let source: String
    package let options: JQOptions
    /// Where relative `import` and `include` paths start; nil is the working directory.
    package let directory: String?

    /// What the program comes to when it needs no interpreter.
    let extraction: Extraction?
    /// True when one run may read several records, so that one thread must see the whole stream.
    let needsWholeStream: Bool
    /// Definitions put before the program, on its first line, for what libjq cannot tell a caller with its own input.
    let preamble: String
    /// `input_line_number` must be supplied.
    let countsLines: Bool
    /// Marks a value that the program wants on standard error, among the values of `debug`. Random, so that no record
    /// can hold it.
    let standardErrorMark: String

    /// - Parameter directory: the folder of the file that holds the program.
    /// - Throws: `.containsNUL`, `.invalidJSONArgument`.
    package init(source: String, options: JQOptions = JQOptions(), directory: String? = nil) throws(JQError) {
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
        extraction = Extraction(of: source)
        let words = ProgramWords(of: source)
        needsWholeStream = options.slurp || words.readsStream || ProgramWords.ofHomeLibrary().readsStream
        countsLines = words.contains("input_line_number")
        standardErrorMark = "clover-stderr-\(UInt64.random(in: .min ... .max))"
        var preamble = ""
        if countsLines {
            // libjq answers `input_line_number` only for its own reader of files. `get_prog_origin` gives an attribute
            // that the engine sets for each record; libjq itself reads that attribute only while it compiles.
            preamble += "def input_line_number: get_prog_origin; "
        }
        if words.contains("stderr") {
            // libjq's `stderr` writes to the C stream directly. Binding keeps `path(stderr)` what it is.
            preamble += "def stderr: ([\"\(standardErrorMark)\", .] | debug) as $ignored | .; "
        }
        self.preamble = preamble
    }

    /// Records only have values taken out of them, for which nothing needs to be compiled.
    package var isExtraction: Bool { extraction != nil }
}
