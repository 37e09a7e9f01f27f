import CloverSystem

/// The program's setting `state`, which can name a database that the library does not use.
enum StateSetting {
    private static let variable = "CLOVER_STATE"
    private static let files = "files"
    private static let sizeLimit = 1 << 18
    private static let marks: Set<Character> = [" ", "\t", "\"", "'", "{", "}", ","]

    /// What tells the programs of this user to keep their state elsewhere than in files.
    ///
    /// - Returns: a variable or the path of a file; nil if the state is in files.
    /// - Throws: `StorageError` if there is a configuration file that cannot be read.
    static func database(_ variables: [String: String]) throws(StorageError) -> String? {
        if let value = variables[variable], !value.isEmpty { return value == files ? nil : variable }
        let directory: String
        do throws(StorageError) {
            directory = try UserDirectory.path(
                variable: "CLOVER_CONFIG_DIR", base: "XDG_CONFIG_HOME", fallback: ".config", in: variables)
        } catch {
            // Without a home directory there is no file in it, either.
            return nil
        }
        let path = directory + "/config.yml"
        guard let bytes = try PrivateFile.read(following: path, rule: .ownOrSystem, limit: sizeLimit),
            let setting = value(in: String(decoding: bytes, as: UTF8.self)), setting != files
        else { return nil }
        return path
    }

    /// The value in the text of a configuration file; nil if it is not set. YAML in another form than one key a line is not read,
    /// but such a value is never `files`.
    static func value(in text: String) -> String? {
        for line in text.split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, bare(parts[0]) == "state" else { continue }
            return bare(parts[1].prefix { $0 != "#" })
        }
        return nil
    }

    /// The text without spaces, quotes and brackets at its ends.
    private static func bare(_ text: Substring) -> String {
        var text = text.drop { marks.contains($0) }
        while let last = text.last, marks.contains(last) { text.removeLast() }
        return String(text)
    }
}
