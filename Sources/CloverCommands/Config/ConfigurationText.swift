import CloverConfiguration
import CloverCore

/// Settings as text and as JSON.
enum ConfigurationText {
    /// One JSON object; numbers and booleans have their JSON types.
    static func json(_ key: ConfigurationKey, _ value: ConfigurationValue?) -> String {
        object(key, value).text
    }

    /// One JSON object with the value's source, and the values that it overrides.
    static func explanation(_ entry: ConfigurationReport.Entry) -> String {
        var line = object(entry.key, entry.value)
        add(entry.value?.source, to: &line)
        let others = entry.overruled.map { value in
            var other = JSONLine()
            other.add("value", json: json(of: value.text, for: entry.key))
            add(value.source, to: &other)
            return other.text
        }
        line.add("overruled", json: "[" + others.joined(separator: ",") + "]")
        return line.text
    }

    /// A short description of the source of a value.
    static func place(_ source: ConfigurationValue.Source) -> String {
        switch source {
        case .flag: "flag"
        case .variable(let name): name
        case .file(_, let line, let profile):
            "\(ConfigurationFile.name) line \(line)" + (profile.map { ", profile \($0)" } ?? "")
        case .signIn: "sign-in"
        case .standard: "default"
        }
    }

    private static func object(_ key: ConfigurationKey, _ value: ConfigurationValue?) -> JSONLine {
        var line = JSONLine()
        line.add("key", key.name)
        line.add("value", json: value.map { json(of: $0.text, for: key) } ?? "null")
        return line
    }

    private static func add(_ source: ConfigurationValue.Source?, to line: inout JSONLine) {
        switch source {
        case .flag: line.add("source", "flag")
        case .variable(let name):
            line.add("source", "environment")
            line.add("variable", name)
        case .file(let path, let number, let profile):
            line.add("source", "file")
            line.add("path", path)
            line.add("line", Int64(number))
            line.add("profile", profile)
        case .signIn: line.add("source", "sign-in")
        case .standard: line.add("source", "default")
        case nil: line.add("source", String?.none)
        }
    }

    private static func json(of text: String, for key: ConfigurationKey) -> String {
        switch key.facts.kind {
        case .wholeNumber: text.drop { $0 == "0" }.isEmpty ? "0" : String(text.drop { $0 == "0" })
        case .truth: ["true", "yes", "on", "1"].contains(text.lowercased()) ? "true" : "false"
        default: JSONText.string(text)
        }
    }
}
