import ArgumentParser

/// An output path as typed.
///
/// URLs are refused: taken as a path, `s3://bucket/exports` would create the directories `s3:`, `bucket` and `exports`
/// on this machine. A directory with such a name can be given as `./s3:...`.
enum OutputPath {
    /// - Parameters:
    ///   - text: the value of the option; nil if it was not given.
    ///   - option: the option with its dashes, such as `--to`.
    static func check(_ text: String?, of option: String) throws(ValidationError) {
        guard let text, let scheme = scheme(of: text) else { return }
        let rest = text.dropFirst(scheme.count + "://".count)
        let hint =
            scheme.lowercased() == "file" && rest.hasPrefix("/")
            ? "write it as a path: \(option) \(rest)"
            : "write to this machine and copy the files from there"
        throw ValidationError("\(option) takes a path and cannot write to \(scheme)://: \(hint)")
    }

    /// The scheme before `://` in a URL (RFC 3986, section 3.1); nil for a path.
    private static func scheme(of text: String) -> Substring? {
        let scheme = text.prefix { $0 != ":" }
        guard text[scheme.endIndex...].hasPrefix("://"), let first = scheme.first, first.isASCII, first.isLetter,
            scheme.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) })
        else { return nil }
        return scheme
    }
}
