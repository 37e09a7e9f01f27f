package import CloverAuth
package import CloverDBus
package import CloverHTTP
import Glibc
import Synchronization

/// Keeps secrets in the keyring of the user's desktop session: any service that has the Secret Service API, such as
/// GNOME Keyring, KWallet or KeePassXC. Items are in the default collection.
///
/// Each operation makes a connection of its own, so that a keyring that was started anew or unlocked in between is no
/// trouble. None ever shows a prompt: what would need one is ``SecretVaultError/locked(detail:)``. After
/// ``SecretVaultError/noAnswer(seconds:)`` a `store` or `remove` may have been carried out or not.
///
/// A command asks more than once, and its user was promised an answer within two seconds: for a while after
/// ``SecretVaultError/noAnswer(seconds:)``, `lookup` and `remove` of the same value and its copies fail with it at once.
/// `store` always tries, because new tokens may have no other place.
package struct SecretServiceVault: SecretVault {
    /// For a whole operation. The caller was promised an answer within two seconds; the rest is for being late.
    package static let usualLimit = Duration.milliseconds(1800)

    private let address: Result<BusAddress, DBusError>
    private let limit: Duration
    private let libraryName: String
    private let silence = Silence()

    /// Longer than a command goes on after such a failure; what runs on for hours asks again.
    private static let memory = Duration.seconds(30)

    /// The last time that the keyring did not answer.
    private final class Silence: Sendable {
        private let since = Mutex<(began: ContinuousClock.Instant, seconds: Int)?>(nil)

        func note(_ error: SecretVaultError?) {
            guard case .noAnswer(let seconds) = error else { return since.withLock { $0 = nil } }
            since.withLock { $0 = (.now, seconds) }
        }

        func check() throws(SecretVaultError) {
            guard let last = since.withLock(\.self), last.began.duration(to: .now) < SecretServiceVault.memory else {
                return
            }
            throw .noAnswer(seconds: last.seconds)
        }
    }

    /// The keyring on the session bus.
    /// - Parameters:
    ///   - variables: the environment, which says where the bus is.
    ///   - limit: for each operation.
    package init(variables: [String: String], limit: Duration = usualLimit) {
        self.init(
            bus: Result { () throws(DBusError) in try BusAddress.session(variables: variables) }, limit: limit)
    }

    /// The keyring on a bus that is known, or the reason why none is.
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
        try await conversing { (conversation) throws(SecretVaultError) in
            try await conversation.create(secret, attributes: ItemAttributes(attributes), label: label)
        }
    }

    package func lookup(_ attributes: [String: String]) async throws(SecretVaultError) -> Secret? {
        try silence.check()
        return try await conversing { (conversation) throws(SecretVaultError) in
            // There is one item at most, unless another program made more.
            guard let item = try await conversation.items(ItemAttributes(attributes)).first else { return nil }
            return try await conversation.secret(of: item)
        }
    }

    package func remove(_ attributes: [String: String]) async throws(SecretVaultError) -> Bool {
        try silence.check()
        return try await conversing { (conversation) throws(SecretVaultError) in
            var isRemoved = false
            for item in try await conversation.items(ItemAttributes(attributes)) {
                if try await conversation.delete(item) { isRemoved = true }
            }
            return isRemoved
        }
    }

    /// Remembers whether there was an answer.
    private func conversing<Value: Sendable>(
        _ body: (SecretServiceConversation) async throws(SecretVaultError) -> Value
    ) async throws(SecretVaultError) -> Value {
        do {
            let value = try await body(try await converse())
            silence.note(nil)
            return value
        } catch {
            silence.note(error)
            throw error
        }
    }

    private func converse() async throws(SecretVaultError) -> SecretServiceConversation {
        let deadline = Deadline(after: limit)
        let bus: Bus
        do throws(DBusError) {
            bus = try await Bus.open(address.get(), within: limit, until: deadline, libraryName: libraryName)
        } catch {
            throw SecretVaultError(error)
        }
        return try await SecretServiceConversation(bus, until: deadline)
    }
}

extension SecretVaultError {
    /// What an error of the bus means for the user of a keyring.
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
        case .abandoned: self = .failed(detail: "the Secret Service ended without an answer")
        case .disconnected: self = .failed(detail: "the connection to the session bus was lost")
        case .cancelled: self = .failed(detail: "cancelled")
        case .reply(let name, let text):
            self =
                name == SecretServiceNames.isLockedError
                ? .locked(detail: "the item is locked") : .failed(detail: Self.shortened("\(name): \(text)"))
        case .notSendable(let member, let number):
            self = .failed(detail: "\(member) cannot be sent: \(Self.text(number))")
        case .unreadable(let member, let number):
            self = .failed(detail: "the answer to \(member) cannot be read: \(Self.text(number))")
        case .signalsLost: self = .failed(detail: "signals were lost")
        case .system(let call, let number): self = .failed(detail: "\(call): \(Self.text(number))")
        }
    }

    private static func text(_ number: Int32) -> String { String(cString: strerror(number)) }

    /// Text from another process, kept to one line and a bearable length.
    private static func shortened(_ text: String) -> String {
        String(text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : Character($0) }.prefix(200))
    }
}

/// The attributes under which an item is kept: the caller's, and one of ours that lists their names.
///
/// A search matches items that have *at least* the given attributes, and replacing goes by such a search too (seen with
/// gnome-keyring 42: an item with one attribute replaced another that had the same and a second one). With the list,
/// only an item with exactly the same attributes is ever found.
struct ItemAttributes {
    static let listName = "clover:attributes"

    let value: DBusValue

    init(_ attributes: [String: String]) {
        var all = attributes
        all[Self.listName] = attributes.keys.sorted().joined(separator: " ")
        value = .strings(all)
    }
}
