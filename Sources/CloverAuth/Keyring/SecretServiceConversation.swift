import CloverDBus
import CloverHTTP

/// One connection to the Secret Service, for one operation on the user's default collection.
///
/// All calls together have one deadline. The service ends the session when the connection is closed.
struct SecretServiceConversation {
    private typealias Names = SecretServiceNames

    private let bus: Bus
    private let deadline: Deadline
    private var session = ""
    private var collection = ""

    /// Opens a session and finds the default collection. A locked collection is an error even if the item is not in it,
    /// because some services show no items of a locked collection.
    init(_ bus: Bus, until deadline: Deadline) async throws(SecretVaultError) {
        self.bus = bus
        self.deadline = deadline
        // "plain" transfers secrets unencrypted. The bus is a local socket of the same user (BusAddress accepts no
        // other), and any process that may listen there may also ask the service for the secret; the other algorithm
        // would only keep it out of the bus's memory.
        let opened = try await call(
            Names.servicePath, Names.serviceInterface, "OpenSession",
            [.string(Names.plain), .variant(.string(""))])
        session = try Self.path(opened?.last, in: "OpenSession")
        let alias = try await call(
            Names.servicePath, Names.serviceInterface, "ReadAlias", [.string(Names.defaultAlias)])
        collection = try Self.path(alias?.first, in: "ReadAlias")
        guard collection != Names.noObject else { throw .noCollection }
        let isLocked: DBusValue
        do throws(DBusError) {
            isLocked = try await bus.property(
                "Locked", of: Names.collectionInterface, destination: Names.service, path: collection, until: deadline)
        } catch {
            throw SecretVaultError(error)
        }
        guard let isLocked = isLocked.bool else { throw Self.badReply("Locked") }
        if isLocked { throw .locked(detail: "the default collection is locked") }
    }

    /// Creates the item, or replaces the secret of an existing one.
    func create(_ secret: Secret, attributes: ItemAttributes, label: String) async throws(SecretVaultError) {
        let properties = DBusValue.variants([
            Names.labelProperty: .string(label), Names.attributesProperty: attributes.value,
        ])
        // Session, encryption parameters, the bytes, and their content type.
        let value = DBusValue.structure([
            .objectPath(session), .bytes([]), .bytes(Array(secret.exposed.utf8)), .string("text/plain; charset=utf8"),
        ])
        let reply = try await call(
            collection, Names.collectionInterface, "CreateItem", [properties, value, .bool(true)], isSensitive: true)
        try await refusePrompt(reply?.last, in: "CreateItem")
        guard try Self.path(reply?.first, in: "CreateItem") != Names.noObject else { throw Self.badReply("CreateItem") }
    }

    /// The paths of the items with exactly these attributes.
    func items(_ attributes: ItemAttributes) async throws(SecretVaultError) -> [String] {
        let reply = try await call(collection, Names.collectionInterface, "SearchItems", [attributes.value])
        guard let elements = reply?.first?.elements else { throw Self.badReply("SearchItems") }
        var paths: [String] = []
        for element in elements { paths.append(try Self.path(element, in: "SearchItems")) }
        return paths
    }

    /// The secret of an item; nil if it was deleted meanwhile.
    func secret(of item: String) async throws(SecretVaultError) -> Secret? {
        let reply = try await call(
            item, Names.itemInterface, "GetSecret", [.objectPath(session)], isSensitive: true, mayBeGone: true)
        guard let reply else { return nil }
        guard let fields = reply.first?.fields, fields.count == 4, let bytes = fields[2].bytes else {
            throw Self.badReply("GetSecret")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .failed(detail: "the item in the keyring is not text")
        }
        return Secret(text)
    }

    /// Deletes an item.
    /// - Returns: false if it was already deleted.
    func delete(_ item: String) async throws(SecretVaultError) -> Bool {
        guard let reply = try await call(item, Names.itemInterface, "Delete", mayBeGone: true) else { return false }
        try await refusePrompt(reply.last, in: "Delete")
        return true
    }

    /// Dismisses a prompt. A service that needs to ask the user returns the path of a prompt, and shows it on request;
    /// Clover never requests that.
    private func refusePrompt(_ prompt: DBusValue?, in member: String) async throws(SecretVaultError) {
        let prompt = try Self.path(prompt, in: member)
        guard prompt != Names.noObject else { return }
        do throws(DBusError) {
            _ = try await bus.call(
                destination: Names.service, path: prompt, interface: Names.promptInterface, member: "Dismiss",
                until: deadline)
        } catch {
            // The service drops the prompt by itself when the connection closes; the result is the same.
        }
        throw .locked(detail: "the keyring wants to ask the user")
    }

    /// - Parameter mayBeGone: whether to return nil if the object does not exist.
    private func call(
        _ path: String, _ interface: String, _ member: String, _ arguments: [DBusValue] = [],
        isSensitive: Bool = false, mayBeGone: Bool = false
    ) async throws(SecretVaultError) -> [DBusValue]? {
        do throws(DBusError) {
            return try await bus.call(
                destination: Names.service, path: path, interface: interface, member: member, arguments: arguments,
                until: deadline, isSensitive: isSensitive)
        } catch {
            if mayBeGone, Self.isGone(error) { return nil }
            throw SecretVaultError(error)
        }
    }

    private static func path(_ value: DBusValue?, in member: String) throws(SecretVaultError) -> String {
        guard let path = value?.objectPath else { throw badReply(member) }
        return path
    }

    private static func badReply(_ member: String) -> SecretVaultError {
        .failed(detail: "the keyring's response to \(member) does not follow the Secret Service API")
    }

    /// Whether the object of the call does not exist. Services report it in different ways.
    private static func isGone(_ error: DBusError) -> Bool {
        guard case .reply(let name, _) = error else { return false }
        return [
            Names.noSuchObjectError, "org.freedesktop.DBus.Error.UnknownObject",
            "org.freedesktop.DBus.Error.UnknownMethod",
        ].contains(name)
    }
}

/// The names of the Secret Service API, https://specifications.freedesktop.org/secret-service/.
enum SecretServiceNames {
    /// The bus name.
    static let service = "org.freedesktop.secrets"
    static let servicePath = "/org/freedesktop/secrets"
    static let serviceInterface = "org.freedesktop.Secret.Service"
    static let collectionInterface = "org.freedesktop.Secret.Collection"
    static let itemInterface = "org.freedesktop.Secret.Item"
    static let promptInterface = "org.freedesktop.Secret.Prompt"

    /// The session algorithm without encryption.
    static let plain = "plain"
    /// The collection for items that the user did not place elsewhere.
    static let defaultAlias = "default"
    /// Means "no object" in replies.
    static let noObject = "/"

    static let labelProperty = "org.freedesktop.Secret.Item.Label"
    static let attributesProperty = "org.freedesktop.Secret.Item.Attributes"

    static let isLockedError = "org.freedesktop.Secret.Error.IsLocked"
    static let noSuchObjectError = "org.freedesktop.Secret.Error.NoSuchObject"
}
