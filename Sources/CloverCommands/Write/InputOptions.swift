import ArgumentParser

/// The file with a body, or with a body on each line.
struct BodyInputOption: ParsableArguments {
    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Read the body from this file; - for standard input.", valueName: "file"),
        completion: .file())
    var input: String?

    func validate() throws { try InputArgument.check(input) }
}

/// The file whose lines name the records to delete.
struct LinesInputOption: ParsableArguments {
    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("With --each, read the lines from this file; - for standard input.", valueName: "file"),
        completion: .file())
    var input: String?

    func validate() throws { try InputArgument.check(input) }
}

private enum InputArgument {
    static func check(_ input: String?) throws {
        if input == "" { throw ValidationError("--input takes a file, or - for standard input") }
    }
}
