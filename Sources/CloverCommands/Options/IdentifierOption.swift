import ArgumentParser

/// IDs and keys that options take.
enum IdentifierOption {
    /// Refuses what comes from a script whose variable is not set: nothing, blanks, or the option that follows.
    ///
    /// - Parameters:
    ///   - value: nil if the option was not given.
    ///   - option: as it is typed.
    static func check(_ value: String?, _ option: String) throws(ValidationError) {
        guard let value else { return }
        if value.allSatisfy(\.isWhitespace) { throw ValidationError("\(option) is empty") }
        if value.hasPrefix("--") { throw ValidationError("\(option) has no value: another option follows") }
    }
}
