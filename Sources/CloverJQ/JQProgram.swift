internal import CJQ

/// A program's text and options. The filter's threads compile it, which checks it.
package struct JQProgram: Sendable {
    package let source: String
    package let options: JQOptions
    /// The base directory of relative `import` and `include` paths; nil for the working directory.
    package let directory: String?

    /// The extraction, if the program is one and needs no interpreter.
    let extraction: Extraction?
    /// True if a run may read several records, so that one thread must process the whole stream.
    let needsWholeStream: Bool
    /// Definitions prepended to the program's first line, for functions that libjq cannot provide to a caller with its
    /// own input.
    let preamble: String
    /// True if `input_line_number` must be provided.
    let countsLines: Bool
    /// Marks values for standard error among those of `debug`. Random, so that no record can contain it.
    let standardErrorMark: String

    /// - Parameter directory: the directory of the program's file.
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

    /// Whether the program is an extraction, for which nothing needs to be compiled.
    package var isExtraction: Bool { extraction != nil }
}
