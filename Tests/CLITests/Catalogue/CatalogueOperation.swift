import CloverTestSupport
import Testing

/// One operation as `clover endpoints` prints it.
struct CatalogueOperation: Sendable, CustomTestStringConvertible {
    let method: String
    /// With placeholders, below the merchant where it is: `orders/{orderId}`.
    let shortPath: String
    let path: String
    let api: String
    let returns: String
    let model: String
    let expandNames: [String]
    let filterNames: [String]
    let sortNames: [String]
    let largestPage: Int
    let sdkMethod: String?
    let notes: [String]

    var testDescription: String { "\(method) \(shortPath)" }
    var isList: Bool { returns == "list" }

    init(line: String) throws {
        let value = try JSONValue(line)
        func names(_ key: String) -> [String] { value[key]?.elements?.compactMap(\.string) ?? [] }
        method = value["method"]?.string ?? ""
        shortPath = value["shortPath"]?.string ?? ""
        path = value["path"]?.string ?? ""
        api = value["api"]?.string ?? ""
        returns = value["returns"]?.string ?? ""
        model = value["model"]?.string ?? ""
        expandNames = names("expand")
        filterNames = names("filter")
        sortNames = names("sort")
        largestPage = value["largestPage"]?.integer ?? 1000
        sdkMethod = value["sdkMethod"]?.string
        notes = names("notes")
    }
}
