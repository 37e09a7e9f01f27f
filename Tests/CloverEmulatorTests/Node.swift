import Foundation

/// A JSON value in tests; missing members are nil instead of a crash.
struct Node {
    let value: Any

    init(_ value: Any) {
        self.value = value
    }

    init(_ bytes: [UInt8]) throws {
        value = try JSONSerialization.jsonObject(with: Data(bytes), options: [.fragmentsAllowed])
    }

    subscript(_ key: String) -> Node? {
        (value as? [String: Any])?[key].map { Node($0) }
    }

    /// The entries of `{"elements":[...]}`; empty if there are none.
    var elements: [Node] {
        (self["elements"]?.value as? [Any] ?? []).map { Node($0) }
    }

    var text: String? { value as? String }
    var integer: Int? { (value as? NSNumber)?.intValue }
    var keys: Set<String> { Set((value as? [String: Any] ?? [:]).keys) }
    var id: String { self["id"]?.text ?? "" }
}
