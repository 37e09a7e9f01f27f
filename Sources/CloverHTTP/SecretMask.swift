import Synchronization

/// Takes known secrets out of text wherever they came from: a service may repeat a token in its answer, and a user may
/// have typed one into a path.
package final class SecretMask: Sendable {
    private let secrets = Mutex<[String]>([])

    /// Shorter ones would hide harmless text.
    private static let shortest = 6

    package init() {}

    /// From now on this secret is not shown.
    package func hide(_ secret: Secret) {
        guard secret.exposed.utf8.count >= Self.shortest else { return }
        secrets.withLock { secrets in
            if !secrets.contains(secret.exposed) { secrets.append(secret.exposed) }
        }
    }

    /// The text with `(redacted)` in place of every secret.
    package func masked(_ text: String) -> String {
        secrets.withLock { secrets in
            secrets.reduce(text) { $0.contains($1) ? $0.replacing($1, with: "(redacted)") : $0 }
        }
    }
}
