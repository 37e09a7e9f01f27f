/// A jq program and how its results are printed.
package struct ProgramChoice: Sendable {
    package var source: Source
    /// The option that gave it, for messages.
    package var option: String
    package var rawOutput = false
    package var joinOutput = false
    package var arguments: [Argument] = []

    package init(source: Source, option: String) {
        self.source = source
        self.option = option
    }

    package enum Source: Sendable {
        case text(String)
        case file(String)
    }

    package struct Argument: Sendable {
        package var name: String
        package var value: String
        /// The value is JSON rather than a string.
        package var isJSON: Bool

        package init(name: String, value: String, isJSON: Bool) {
            self.name = name
            self.value = value
            self.isJSON = isJSON
        }
    }
}
