/// A value, and where it comes from.
package struct ConfigurationValue: Sendable, Equatable {
    package enum Source: Sendable, Equatable {
        case flag
        /// The variable's name.
        case variable(String)
        /// A line of the file, from 1; in a profile's section, or at the top for nil.
        case file(path: String, line: Int, profile: String?)
        /// What the sign-in that commands use is to.
        case signIn
        /// Nobody said anything.
        case standard
    }

    /// As it was written; checked.
    package let text: String
    package let source: Source

    package init(text: String, source: Source) {
        self.text = text
        self.source = source
    }
}
