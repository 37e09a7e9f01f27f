import CloverSystem

/// The address of an export in an object store, as typed after `--to`: `s3://bucket/prefix`.
package struct ObjectAddress: Sendable, Equatable {
    package let bucket: String
    /// Without slashes at its ends; empty for the whole bucket.
    package let prefix: String
    /// URL of a service other than Amazon's, without a slash at its end; nil for Amazon's.
    package var endpoint: String?

    private static let scheme = "s3://"
    private static let endpointMark = "?endpoint-url="

    /// Why a text that names an object store cannot be used.
    package enum Fault: Error, Equatable, Sendable {
        /// The bucket's name has other characters than AWS allows, or fewer or more of them, or is missing.
        case bucket
        /// A part of the prefix is empty, `.` or `..`.
        case prefix
        /// Not a URL of http or https without a path, user and query.
        case endpoint
        /// Other programs of the machine see the arguments of a command, and the shell keeps them.
        case hasCredentials
    }

    /// Whether the text names an object store, rightly or not.
    package static func isMeant(by text: String) -> Bool { text.hasPrefix(scheme) }

    /// - Returns: nil for a text that names no object store.
    /// - Throws: `Fault`, which never has a part of the text.
    package init?(parsing text: String) throws(Fault) {
        guard Self.isMeant(by: text) else { return nil }
        var rest = text.dropFirst(Self.scheme.count)
        var endpoint: String?
        if let mark = rest.firstRange(of: Self.endpointMark) {
            endpoint = String(rest[mark.upperBound...])
            rest = rest[..<mark.lowerBound]
        }
        let bucket = rest.prefix { $0 != "/" }
        guard !bucket.contains("@"), !bucket.contains(":") else { throw .hasCredentials }
        guard (3...63).contains(bucket.utf8.count),
            bucket.utf8.allSatisfy({ PercentCoding.isAlphanumeric($0) || "-._".utf8.contains($0) })
        else { throw .bucket }
        var prefix = rest.dropFirst(bucket.count)
        while prefix.first == "/" { prefix.removeFirst() }
        while prefix.last == "/" { prefix.removeLast() }
        let parts = prefix.split(separator: "/", omittingEmptySubsequences: false)
        guard prefix.isEmpty || parts.allSatisfy({ !["", ".", ".."].contains($0) }), !prefix.contains("?") else {
            throw .prefix
        }
        self.bucket = String(bucket)
        self.prefix = String(prefix)
        if let endpoint { self.endpoint = try Self.checked(endpoint: endpoint) }
    }

    /// A copy with this endpoint, unless the address has one.
    package func with(endpoint: String?) throws(Fault) -> ObjectAddress {
        guard self.endpoint == nil, let endpoint else { return self }
        var copy = self
        copy.endpoint = try Self.checked(endpoint: endpoint)
        return copy
    }

    private static func checked(endpoint: String) throws(Fault) -> String {
        var text = endpoint[...]
        while text.last == "/" { text.removeLast() }
        guard let scheme = ["http://", "https://"].first(where: text.lowercased().hasPrefix) else { throw .endpoint }
        let host = text.dropFirst(scheme.count)
        guard !host.contains("@") else { throw .hasCredentials }
        guard !host.isEmpty, host.utf8.allSatisfy({ PercentCoding.isUnreserved($0) || "[]:".utf8.contains($0) }) else {
            throw .endpoint
        }
        return String(text)
    }

    /// The name in the state and in messages, which is an address again.
    package var name: String {
        Self.scheme + bucket + (prefix.isEmpty ? "" : "/" + prefix) + (endpoint.map { Self.endpointMark + $0 } ?? "")
    }

    /// The name without the endpoint.
    package var root: String { Self.scheme + bucket + (prefix.isEmpty ? "" : "/" + prefix) }

    /// Folder of the state directory with what this machine keeps of an export to an object store: the lock, the manifest,
    /// and files that are not uploaded yet.
    package static func folder(of name: String) -> String {
        "\(ExportStatus.lockFolder)/objects-\(StableHash.words(for: name))"
    }

    /// What the keys of all objects begin with.
    var keyPrefix: String { prefix.isEmpty ? "" : prefix + "/" }

    /// The URL of an object, or of the bucket for nil. Everything is encoded as AWS requires it for signatures.
    ///
    /// - Parameter query: names and values; `=` is added after a name without a value.
    func url(_ name: String?, region: String, query: [(name: String, value: String)] = []) -> String {
        let key = name.map { "/" + PercentCoding.encode(keyPrefix + $0, keeping: Self.isKept) }
        let place =
            if let endpoint {
                "\(endpoint)/\(bucket)\(key ?? "")"
            } else if bucket.contains(".") {
                // The certificate of Amazon's servers holds for one label before their name.
                "https://s3.\(region).amazonaws.com/\(bucket)\(key ?? "")"
            } else {
                "https://\(bucket).s3.\(region).amazonaws.com\(key ?? "/")"
            }
        // Signed in the order of the encoded names.
        let pairs = query.map { "\(PercentCoding.encode($0.name))=\(PercentCoding.encode($0.value))" }.sorted()
        return place + (pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&"))
    }

    /// An object as the source of a copy.
    func source(_ name: String) -> String {
        "/\(bucket)/" + PercentCoding.encode(keyPrefix + name, keeping: Self.isKept)
    }

    private static func isKept(_ byte: UInt8) -> Bool {
        PercentCoding.isUnreserved(byte) || byte == UInt8(ascii: "/")
    }
}
