import ArgumentParser
import CloverAPI

/// Recognizes `get orders --json id,total`, as gh takes it: here `--json` takes no value, and the word would be read as the
/// ID of an order that does not exist.
enum FieldAsIdentifier {
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
