package import CloverDBus
package import CloverHTTP
import Glibc
import Synchronization

/// Stores secrets in the keyring of the user's desktop session: any service that implements the Secret Service API,
/// such as GNOME Keyring, KWallet or KeePassXC. Items are in the default collection.
///
/// Each operation opens its own connection, so it does not matter if the keyring was restarted or unlocked in between.
/// None ever shows a prompt: an operation that would need one fails with ``SecretVaultError/locked(detail:)``. After
/// ``SecretVaultError/noAnswer(seconds:)``, a `store` or `remove` may or may not have been carried out.
///
/// A command uses the keyring more than once, and must respond within two seconds: for a while after
/// ``SecretVaultError/noAnswer(seconds:)``, `lookup` and `remove` of the same value and its copies fail with it
/// immediately. `store` always tries, because there may be no other place for new tokens.
package struct SecretServiceVault: SecretVault {
    /// Timeout of a whole operation. The caller guarantees a response within two seconds; the rest is a reserve.
    package static let usualLimit = Duration.milliseconds(1800)

    private let address: Result<BusAddress, DBusError>
    private let limit: Duration
    private let libraryName: String
    private let outage = Outage()

    /// Longer than a command continues after such a failure; a run of several hours tries again.
    private static let pause = Duration.seconds(30)

    /// The last time that the keyring did not respond.
    private final class Outage: Sendable {
        private let since = Mutex<(began: ContinuousClock.Instant, seconds: Int)?>(nil)

        func note(_ error: SecretVaultError?) {
            guard case .noAnswer(let seconds) = error else { return since.withLock { $0 = nil } }
            since.withLock { $0 = (.now, seconds) }
        }

        func check() throws(SecretVaultError) {
            guard let last = since.withLock(\.self), last.began.duration(to: .now) < SecretServiceVault.pause else {
                return
            }
            throw .noAnswer(seconds: last.seconds)
        }
    }

    /// The keyring on the session bus.
    /// - Parameters:
    ///   - variables: the environment, which determines the bus.
    ///   - limit: timeout of each operation.
    package init(variables: [String: String], limit: Duration = usualLimit) {
        self.init(
            bus: Result { () throws(DBusError) in try BusAddress.session(variables: variables) }, limit: limit)
    }

    /// The keyring on a known bus, or the reason why there is none.
    package init(
        bus: Result<BusAddress, DBusError>, limit: Duration = usualLimit, libraryName: String = Bus.libraryName
    ) {
        address = bus
        self.limit = limit
        self.libraryName = libraryName
    }

    package func store(
        _ secret: Secret, for attributes: [String: String], label: String
    ) async throws(SecretVaultError) {
        try await withConversation { (conversation) throws(SecretVaultError) in
            try await conversation.create(secret, attributes: ItemAttributes(attributes), label: label)
        }
    }

    package func lookup(_ attributes: [String: String]) async throws(SecretVaultError) -> Secret? {
        try outage.check()
        return try await withConversation { (conversation) throws(SecretVaultError) in
            // There is at most one item, unless another program created more.
            guard let item = try await conversation.items(ItemAttributes(attributes)).first else { return nil }
            return try await conversation.secret(of: item)
        }
    }

    package func remove(_ attributes: [String: String]) async throws(SecretVaultError) -> Bool {
        try outage.check()
        return try await withConversation { (conversation) throws(SecretVaultError) in
            var isRemoved = false
            for item in try await conversation.items(ItemAttributes(attributes)) {
                if try await conversation.delete(item) { isRemoved = true }
            }
            return isRemoved
        }
    }

    /// Runs an operation, and records whether the keyring responded.
    private func withConversation<Value: Sendable>(
        _ body: (SecretServiceConversation) async throws(SecretVaultError) -> Value
    ) async throws(SecretVaultError) -> Value {
        do throws(SecretVaultError) {
            let deadline = Deadline(after: limit)
            let bus: Bus
            do throws(DBusError) {
                bus = try await Bus.open(address.get(), within: limit, until: deadline, libraryName: libraryName)
            } catch {
                throw SecretVaultError(error)
            }
            let value = try await body(try await SecretServiceConversation(bus, until: deadline))
            outage.note(nil)
            return value
        } catch {
            outage.note(error)
            throw error
        }
    }
}

extension SecretVaultError {
    /// What a bus error means for the user of a keyring.
    init(_ error: DBusError) {
        switch error {
        case .libraryMissing(let detail): self = .absent(detail: "libsystemd cannot be used: \(detail)")
        case .noAddress: self = .absent(detail: "there is no session bus")
        case .unusableAddress(let address):
            self = .absent(detail: "the session bus has no local address: \(Self.shortened(address))")
        case .notConnected(let address, let number):
            self = .absent(detail: "no session bus at \(address): \(Self.text(number))")
        case .serviceUnknown: self = .absent(detail: "no Secret Service on the session bus")
        case .serviceNotStarted(_, let name):
            self = .absent(detail: "the session bus could not start the Secret Service: \(name)")
        case .timedOut(_, let seconds): self = .noAnswer(seconds: Int(seconds.rounded(.up)))
        case .accessDenied(let detail): self = .failed(detail: "access denied: \(Self.shortened(detail))")
        case .abandoned: self = .failed(detail: "the Secret Service ended without a response")
        case .disconnected: self = .failed(detail: "the connection to the session bus was lost")
        case .cancelled: self = .failed(detail: "cancelled")
        case .reply(let name, let text):
            self =
                name == SecretServiceNames.isLockedError
                ? .locked(detail: "the item is locked") : .failed(detail: Self.shortened("\(name): \(text)"))
        case .notSendable(let member, let number):
            self = .failed(detail: "\(member) cannot be sent: \(Self.text(number))")
        case .unreadable(let member, let number):
            self = .failed(detail: "the response to \(member) cannot be read: \(Self.text(number))")
        case .signalsLost: self = .failed(detail: "signals were lost")
        case .system(let call, let number): self = .failed(detail: "\(call): \(Self.text(number))")
        }
    }

    private static func text(_ number: Int32) -> String { String(cString: strerror(number)) }

    /// Text from another process, limited to one line and a reasonable length.
    private static func shortened(_ text: String) -> String {
        String(text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : Character($0) }.prefix(200))
    }
}

/// The attributes that identify an item: the caller's, and one that lists their names.
///
/// A search matches items that have *at least* the given attributes, and so does the search for an item to replace
/// (observed with gnome-keyring 42: an item with one attribute replaced another that had the same and a second one).
/// With the list, only an item with exactly the same attributes is found.
struct ItemAttributes {
    static let listName = "clover:attributes"

    let value: DBusValue

    init(_ attributes: [String: String]) {
        var all = attributes
        all[Self.listName] = attributes.keys.sorted().joined(separator: " ")
        value = .strings(all)
    }
}
