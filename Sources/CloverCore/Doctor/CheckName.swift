/// What `doctor` looks at, in the order in which it tells of it. The words are those of `--json` and `--skip`.
package enum CheckName: String, Sendable, CaseIterable {
    case configuration
    case state
    case permissions
    case leftovers
    case ledger
    case database
    case credentials
    case network
    case proxy
    case tls
    case service
    case clock
    case token
    case jq
    case curl
    case bus
    case bluetooth
    case adapters
    case driver
    case keyring
    case completions

    /// Whether the service is asked for it.
    package var needsNetwork: Bool {
        switch self {
        case .network, .proxy, .tls, .service, .clock, .token: true
        default: false
        }
    }
}
