import CloverAuth
import CloverDBus
import Glibc

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
