import Glibc

/// The words after the program's name.
///
/// Swift's runtime finds them next to the environment, and finds none if a preloaded library has moved the environment
/// (setenv(3) in a constructor, as in libfaketime). The kernel provides them in any case (proc(5), cmdline).
enum ProgramArguments {
    static func read() -> [String] {
        if CommandLine.argc > 0 { return Array(CommandLine.arguments.dropFirst()) }
        return Array(words(of: "/proc/self/cmdline").dropFirst())
    }

    /// The NUL-terminated words of a file; none if it cannot be read.
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
