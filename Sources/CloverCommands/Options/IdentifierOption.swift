import ArgumentParser

/// IDs and keys that options take.
enum IdentifierOption {
    /// Refuses what comes from a script whose variable is not set: nothing, or blanks.
    ///
    /// - Parameters:
    ///   - value: nil if the option was not given. It is not repeated: it may be a card's number.
    ///   - option: as it is typed.
    ///   - isOwn: whether the user makes the value, which may begin with a hyphen; Clover's IDs and tokens do not.
    static func check(_ value: String?, _ option: String, isOwn: Bool = false) throws(ValidationError) {
        guard let value else { return }
        if value.allSatisfy(\.isWhitespace) { throw ValidationError("\(option) is empty") }
        if value.hasPrefix("-"), !isOwn {
            throw ValidationError("\(option) takes no value that begins with '-', as an option does")
        }
    }
}
