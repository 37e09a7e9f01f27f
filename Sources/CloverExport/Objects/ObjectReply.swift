import CloverSystem

/// The few XML documents of an object store (Amazon S3 API reference): texts of elements, found by name.
struct ObjectReply: Sendable {
    private let text: Substring

    init(_ bytes: [UInt8]) { text = String(decoding: bytes, as: UTF8.self)[...] }

    private init(_ text: Substring) { self.text = text }

    /// The first element of this name, with its contents as they are written.
    func element(_ name: String) -> ObjectReply? { elements(name, limit: 1).first }

    func elements(_ name: String, limit: Int = .max) -> [ObjectReply] {
        var found: [ObjectReply] = []
        var rest = text
        while found.count < limit, let begin = rest.firstRange(of: "<\(name)>"),
            let end = rest[begin.upperBound...].firstRange(of: "</\(name)>")
        {
            found.append(ObjectReply(rest[begin.upperBound..<end.lowerBound]))
            rest = rest[end.upperBound...]
        }
        return found
    }

    /// The text of the first element of this name, without references to characters.
    subscript(_ name: String) -> String? { element(name).map { Self.plain($0.text) } }

    private static let names = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]

    private static func plain(_ text: Substring) -> String {
        guard text.contains("&") else { return String(text) }
        var (plain, rest) = ("", text)
        while let mark = rest.firstIndex(of: "&") {
            plain += rest[..<mark]
            rest = rest[rest.index(after: mark)...]
            guard let end = rest.firstIndex(of: ";") else {
                plain += "&"
                continue
            }
            let name = rest[..<end]
            let code: UInt32? =
                name.hasPrefix("#x")
                ? UInt32(name.dropFirst(2), radix: 16) : name.hasPrefix("#") ? UInt32(name.dropFirst()) : nil
            plain += names[String(name)] ?? code.flatMap(Unicode.Scalar.init).map { String($0) } ?? "&\(name);"
            rest = rest[rest.index(after: end)...]
        }
        return plain + rest
    }
}
