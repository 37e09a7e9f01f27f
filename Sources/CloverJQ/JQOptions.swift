/// How results are written and which variables the program gets, like jq's options of the same names.
package struct JQOptions: Sendable {
    /// A variable of the program.
    package struct Argument: Sendable {
        package enum Value: Sendable {
            /// `--arg`
            case string(String)
            /// `--argjson`: the text of one JSON value.
            case json(String)
        }

        /// Without the `$`.
        package var name: String
        package var value: Value

        package init(name: String, value: Value) {
            self.name = name
            self.value = value
        }
    }

    /// `--raw-output`: strings are written without quotes.
    package var rawOutput: Bool
    /// `--join-output`: like raw output, without a newline after each result.
    package var joinOutput: Bool
    /// `--slurp`: one run on the array of all records.
    package var slurp: Bool
    /// In command-line order; if a name occurs twice, the first takes precedence, as in jq.
    package var arguments: [Argument]

    package init(
        rawOutput: Bool = false,
        joinOutput: Bool = false,
        slurp: Bool = false,
        arguments: [Argument] = []
    ) {
        self.rawOutput = rawOutput
        self.joinOutput = joinOutput
        self.slurp = slurp
        self.arguments = arguments
    }
}
