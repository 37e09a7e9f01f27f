/// How results are written and what the program is given, as jq's own options of the same names say.
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

    /// `--raw-output`: strings are written as they are, without quotes.
    package var rawOutput: Bool
    /// `--join-output`: like raw output, and no newline after a result.
    package var joinOutput: Bool
    /// `--slurp`: one run on the array of all records.
    package var slurp: Bool
    /// In the order of the command line; of two with the same name the first counts, as in jq.
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
