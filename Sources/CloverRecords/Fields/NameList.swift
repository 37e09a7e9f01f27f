internal import Glibc

/// Collects distinct names. Records of a list have their members in the same order, so the name after the last one is
/// tried first.
struct NameList: Sendable {
    /// Limits memory use in case names are data, such as ids.
    private static let limit = 256

    private var names: [[UInt8]] = []
    private var next = 0

    /// - Parameter name: the contents of a JSON string, without quotes.
    mutating func note(_ name: UnsafeRawBufferPointer) {
        if next < names.count, Self.isSame(names[next], name) {
            next += 1
        } else if let place = names.firstIndex(where: { Self.isSame($0, name) }) {
            next = place + 1
        } else if names.count < Self.limit {
            names.append(Array(name))
            next = names.count
        }
    }

    /// The names in the order of their first occurrence.
    var texts: [String] {
        names.map { name in name.withUnsafeBytes { JSONString(escaped: $0).text } }
    }

    @inline(__always)
    private static func isSame(_ known: [UInt8], _ name: UnsafeRawBufferPointer) -> Bool {
        guard known.count == name.count, let start = name.baseAddress else { return known.isEmpty && name.isEmpty }
        return memcmp(known, start, name.count) == 0
    }
}
