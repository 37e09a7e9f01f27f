/// Something in the configuration file that cannot be meant.
package struct ConfigurationProblem: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        /// No key has this name; `near` are those that may be meant.
        case unknownKey(String, near: [String])
        /// A key that the top level alone has.
        case onlyAtTop(ConfigurationKey)
        /// The value is none that the key takes.
        case wrongValue(ConfigurationKey, String)
        /// The key has no value.
        case noValue(ConfigurationKey)
        /// A list, or keys and values, where one value is expected.
        case notOneValue(ConfigurationKey)
        /// Keys and values are expected: at the top for nil, under `profiles`, or in the profile of this name.
        case notSection(String?)
        /// The name of a profile is none that a profile can have.
        case malformedProfile(String)
        /// A key under which only a secret could stand. Its value is not looked at.
        case secretKey(String)
        /// The value is written as tokens and secrets are; it is not shown.
        case secretValue(ConfigurationKey)
    }

    /// From 1.
    package let line: Int
    package let kind: Kind

    package init(line: Int, kind: Kind) {
        self.line = line
        self.kind = kind
    }
}

extension ConfigurationProblem: CustomStringConvertible {
    /// Without the place.
    package var description: String {
        switch kind {
        case .unknownKey(let name, _): "there is no key '\(name)'"
        case .onlyAtTop(let key): "\(key.name) does not belong in a profile, but at the top"
        case .wrongValue(let key, let text): "\(key.name) takes \(key.facts.kind.expectation), not '\(text)'"
        case .noValue(let key): "\(key.name) has no value"
        case .notOneValue(let key): "\(key.name) takes \(key.facts.kind.expectation), not a list or a section"
        case .notSection(nil): "keys with values are expected, such as 'format: csv'"
        case .notSection(let name?): "'\(name)' takes keys with values, on lines of their own below it"
        case .malformedProfile(let name): "'\(name)' is no name for a profile"
        case .secretKey(let name): "'\(name)' is a secret, and secrets are not kept in this file"
        case .secretValue(let key):
            "the value of \(key.name) looks like a token or a secret, which are not kept in this file"
        }
    }
}
