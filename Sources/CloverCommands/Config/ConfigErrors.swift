import CloverConfiguration
import CloverCore
import CloverSystem
import Glibc

extension ErrorReport {
    /// The configuration file, and the variables that override it.
    init(_ error: ConfigurationError) {
        switch error {
        case .storage(let error):
            self.init(configurationFile: error)
        case .unreadable(let error):
            self.init(configurationFile: error)
            status = .configuration
        case .notText(let path, let place):
            self.init(
                file: "\(path) line \(place.line) column \(place.column): from here on, it is not UTF-8 text",
                "save it as UTF-8; to see its encoding: file \(path)")
        case .forbiddenCharacter(let path, let place, let scalar):
            let number = String(scalar.value, radix: 16, uppercase: true)
            let name = "U+" + String(repeating: "0", count: max(0, 4 - number.count)) + number
            self.init(
                file: "\(path) line \(place.line) column \(place.column): \(name) is not allowed in YAML",
                "remove the character; to show it: cat -A \(path)")
        case .notYAML(let path, let line, let reason):
            let place = line.map { " line \($0)" } ?? ""
            self.init(
                file: "\(path)\(place): \(reason)", "write lines such as 'format: csv'; see 'clover help config'")
        case .invalid(let path, let problems):
            let first = problems.first
            self.init(file: "\(path) line \(first?.line ?? 1): \(first.map { "\($0)" } ?? "it cannot be read")")
            hints = first.map { Self.hints(for: $0.kind) } ?? []
            hints += problems.dropFirst().map { problem in
                let near = Self.near(problem.kind).joined(separator: ", ")
                return "line \(problem.line): \(problem)" + (near.isEmpty ? "" : "; did you mean: \(near)")
            }
        case .wrongVariable(let name, let kind, let text):
            self.init(
                "bad_variable", .usage, "\(name) takes \(kind.expectation), " + Self.instead(text),
                hints: text.map { Self.meant(kind.near($0)) } ?? [])
        case .unknownKey(let name, let near):
            self.init("unknown_key", .usage, "there is no key '\(name)'", hints: Self.hints(near: near))
        case .secretKey:
            self.init(
                "secret", .usage, "this is a secret, and secrets are not stored in the configuration file",
                hints: Self.secretHints)
        case .wrongValue(let key, let text):
            self.init(
                text == nil ? "secret" : "bad_value", .usage,
                "\(key.name) takes \(key.facts.kind.expectation), " + Self.instead(text),
                hints: text.map { Self.meant(key.facts.kind.near($0)) } ?? Self.secretHints)
        case .onlyAtTopLevel(let key):
            self.init("bad_key", .usage, "a profile cannot set \(key.name)", "leave --profile out")
        case .notSet(let name, let profile, let path):
            let isKey = ConfigurationKey(rawValue: name) != nil
            self.init(
                "not_found", .notFound,
                isKey
                    ? "\(name) is not set\(Self.place(profile)) in \(path)"
                    : "there is no key '\(name)', and nothing of that name\(Self.place(profile)) in \(path)",
                hints: (isKey ? [] : Self.meant(ConfigurationKey.near(name, inProfile: profile != nil))) + [
                    "'clover config list' shows what is set, and where"
                ])
        case .noValue(let key, let profile):
            self.init(
                "not_found", .notFound, "\(key.name) is not set\(Self.place(profile))",
                "run: clover config set \(key.name) VALUE" + (profile.map { " --profile \($0)" } ?? ""))
        case .notEditable(let path, let line):
            self.init(
                file: "\(path) line \(line) is written in a form that clover cannot change",
                "nothing was changed; edit the file so that the key, a colon and the value are on one line")
        case .otherSignIn(let profile, let signedIn, let key, let value, let path, let line):
            self.init(
                "profile_conflict", .configuration,
                "profile '\(profile)' is signed in to \(signedIn), but \(path) line \(line) says '\(key.name): \(value)'",
                "sign in to what the file says: clover auth login --profile \(profile)",
                "or remove it from the file: clover config unset \(key.name) --profile \(profile)")
        }
    }

    private init(file message: String, _ hints: String...) {
        self.init("configuration", .configuration, message, hints: hints)
    }

    private init(configurationFile error: StorageError) {
        self.init(error)
        switch error {
        case .noHomeDirectory:
            hints = ["set HOME or CLOVER_CONFIG_DIR"]
        case .system(.open, let path, ENOENT):
            hints = [
                "it is a link to something that does not exist: restore that, or remove the link: rm \(path)",
                "to use another directory, set CLOVER_CONFIG_DIR",
            ]
        case .system, .networkFileSystem, .lockHeld:
            hints = ["the configuration is stored there; to use another directory, set CLOVER_CONFIG_DIR"]
        case .refused(let path, .looseMode):
            hints = ["it determines where tokens are sent, so other users must not write it: chmod go-w \(path)"]
        case .refused:
            hints = ["to use another directory, set CLOVER_CONFIG_DIR"]
        // Only of a state directory.
        case .moved: break
        }
    }

    private static let secretHints = [
        "nothing was changed; to store tokens: clover auth login",
        "give an app's secret with --app-secret-file or CLOVER_APP_SECRET",
    ]

    private static func hints(for kind: ConfigurationProblem.Kind) -> [String] {
        switch kind {
        case .unknownKey(_, let near): hints(near: near)
        case .secretKey, .secretValue:
            ["remove it from the file, and treat it as compromised; to store tokens: clover auth login"]
        case .malformedProfile: ["a name has \(ValueKind.profileName.expectation.replacing("a name of ", with: ""))"]
        case .wrongValue: meant(near(kind))
        case .onlyAtTopLevel, .noValue, .notOneValue, .notSection: []
        }
    }

    private static func hints(near: [String]) -> [String] {
        meant(near) + ["'clover config keys' lists all keys"]
    }

    /// Likely intended keys or values.
    private static func near(_ kind: ConfigurationProblem.Kind) -> [String] {
        switch kind {
        case .unknownKey(_, let near): near
        case .wrongValue(let key, let text): key.facts.kind.near(text)
        default: []
        }
    }

    private static func meant(_ near: [String]) -> [String] {
        near.isEmpty ? [] : ["did you mean: " + near.joined(separator: ", ")]
    }

    private static func instead(_ text: String?) -> String {
        guard let text else { return "but this looks like a token or a secret" }
        let length = text.utf8.count
        return length > ValueKind.longest
            ? "of at most \(ValueKind.longest) bytes, but this has \(length)" : "not '\(text)'"
    }

    private static func place(_ profile: String?) -> String {
        profile.map { " for profile '\($0)'" } ?? ""
    }
}
