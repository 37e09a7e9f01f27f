import ArgumentParser
import CloverAPI
import CloverHTTP

/// Recognizes fields of a body that are typed as arguments, as httpie takes them, or a body that is, as curl takes it.
enum BodyAsIdentifier {
    static func check(_ identifier: String?, _ method: HTTPMethod, _ path: String) throws {
        guard let identifier else { return }
        if identifier.contains(/^[A-Za-z_][A-Za-z0-9_.\[\]]*:?=/) {
            throw ValidationError("'\(identifier)' is no ID: to send a field, write --field \(identifier)")
        }
        guard identifier.contains(/^\s*[{\[]/) else { return }
        throw ValidationError(
            "the body is no argument: pipe it to clover \(method.rawValue.lowercased()) \(path) --input -, or send fields: "
                + "--field name=value")
    }
}

/// Recognizes words that are no ID: `get orders --json id,total`, as gh takes it: here `--json` takes no value, and the word would be read as the
/// ID of an order that does not exist.
enum FieldAsIdentifier {
    /// Throws if `identifier` is a word of other programs: `get orders '.id'` as in jq, `get orders help`.
    static func checkWord(_ identifier: String?) throws {
        guard let identifier else { return }
        if identifier.contains(/^\.[A-Za-z\[]|[|{}()\[\]]/) {
            throw ValidationError("'\(identifier)' is no ID: to run a jq program, write --jq '\(identifier)'")
        }
        if identifier == "help" { throw ValidationError("'help' is no ID: for help, run: clover help get") }
    }

    /// Throws if `identifier` names fields of the records at `path`. IDs of Clover are 13 capital letters and digits, so no
    /// record is refused.
    static func check(_ identifier: String?, path: String) throws {
        guard let identifier, let name = EndpointCatalogue.operation(typed: path)?.model,
            let model = ModelCatalogue.model(named: name)
        else { return }
        let words = identifier.split(separator: ",", omittingEmptySubsequences: false)
        guard words.allSatisfy({ word in model.field(named: word.prefix { $0 != "." }) != nil }) else { return }
        throw ValidationError(
            "--json takes no value, and '\(identifier)' is no ID: to choose fields, write --fields \(identifier) --format ndjson"
        )
    }
}
