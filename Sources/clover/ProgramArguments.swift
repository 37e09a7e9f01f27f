import Glibc

/// The words behind the program's name.
///
/// Swift's runtime looks for them beside the environment, and finds none when a preloaded library has moved that
/// (setenv(3) in a constructor, as libfaketime does). The kernel knows them all the same (proc(5), cmdline).
enum ProgramArguments {
    static func read() -> [String] {
        if CommandLine.argc > 0 { return Array(CommandLine.arguments.dropFirst()) }
        return Array(words(of: "/proc/self/cmdline").dropFirst())
    }

    /// The words of a file, each with a zero behind it; none when it cannot be read.
    private static func words(of path: String) -> [String] {
        guard let file = fopen(path, "re") else { return [] }
        defer { fclose(file) }
        var words: [String] = []
        var line: UnsafeMutablePointer<CChar>?
        var capacity = 0
        defer { free(line) }
        while getdelim(&line, &capacity, 0, file) >= 0, let text = line { words.append(String(cString: text)) }
        return words
    }
}
