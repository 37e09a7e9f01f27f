package import CloverAPI

/// A list that belongs to each record and is exported completely, as a separate resource (`--with`).
///
/// A list that Clover expands inside the records is read with them, and entries beyond its cut at 100 are fetched
/// (Clover: paginating elements). Any other list is requested record by record.
package struct ExportPart: Sendable {
    /// Name that the user types: `line_items`.
    package let name: String
    /// Member of the record, and the expansion that adds it: `lineItems`; nil for a list that has to be requested.
    package let member: String?
    /// Model of an entry; nil when unknown.
    package let model: String?
    /// Whether the records keep the list, too.
    package let staysInRecord: Bool
    /// Whether to request the list for a record without it: an empty list looks the same as an expansion that the
    /// service silently ignored. Only for resources that are exported in full, which have few records.
    package let requestsIfMissing: Bool

    /// Nil when the resource has no list of that name.
    package init?(_ name: String, of path: ResourcePath, expand: [String], tracking: ChangeTracking) {
        let owner = Self.owner(path)
        let inside = Self.expandableLists(path)
        let beside = EndpointCatalogue.lists(ofEach: path)
        let wanted = name.filter { $0 != "_" }.lowercased()
        if let member = inside.first(where: { $0.lowercased() == wanted }) {
            self.name = Self.snakeCase(member)
            self.member = member
            let endpoint = EndpointCatalogue.endpoint(at: path.segments + ["-", Self.snakeCase(member)])
            model = endpoint?.model ?? owner?.field(named: member)?.type.nestedModel
            requestsIfMissing = tracking == .whole && endpoint?.shape == .list
        } else if let name = beside.first(where: { $0.filter { $0 != "_" } == wanted }) {
            self.name = name
            member = nil
            model = EndpointCatalogue.endpoint(at: path.segments + ["-", name])?.model
            requestsIfMissing = true
        } else {
            return nil
        }
        staysInRecord = member.map { expand.contains($0) } ?? true
    }

    /// Names of a resource's lists that a user can type.
    package static func names(of path: ResourcePath) -> [String] {
        Set(expandableLists(path).map(snakeCase) + EndpointCatalogue.lists(ofEach: path)).sorted()
    }

    /// Model of the records.
    private static func owner(_ path: ResourcePath) -> Model? {
        path.endpoint?.model.flatMap { ModelCatalogue.model(named: $0) }
    }

    /// Expansions that add a list to each record.
    private static func expandableLists(_ path: ResourcePath) -> [String] {
        let owner = owner(path)
        return (path.endpoint?.expandable ?? []).filter { expansion in
            guard let field = owner?.field(named: expansion) else { return false }
            if case .list = field.type { return true }
            return false
        }
    }

    private static func snakeCase(_ name: String) -> String {
        name.map { $0.isUppercase ? "_" + $0.lowercased() : String($0) }.joined()
    }
}
