import CloverKit
import Foundation

/// JSON by `Codable`.
enum Coding {
    static func roundTrip<Value: Codable>(_ json: [UInt8], as type: Value.Type) throws -> [UInt8] {
        Array(try JSONEncoder().encode(JSONDecoder().decode(type, from: Data(json))))
    }

    static func value(_ json: [UInt8]) throws -> CloverKit.JSONValue {
        try JSONDecoder().decode(CloverKit.JSONValue.self, from: Data(json))
    }
}

extension CloverKit.JSONValue {
    subscript(name: String) -> Self? {
        guard case .object(let members) = self else { return nil }
        return members[name]
    }

    var text: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    /// Of a list as Clover writes it.
    var elements: [Self] {
        guard case .array(let elements) = self["elements"] else { return [] }
        return elements
    }
}
