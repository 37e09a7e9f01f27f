import Synchronization

/// Takes known secrets out of text and data wherever they came from: a service may repeat a token in its answer, and a
/// user may have typed one into a path.
package final class SecretMask: Sendable {
    private let needles = Mutex<[Needle]>([])

    /// Shorter ones would hide harmless text.
    private static let shortest = 6

    package init() {}

    /// - Parameter secrets: are not shown, however short they are.
    package convenience init(hiding secrets: [Secret]) {
        self.init()
        needles.withLock { $0 = secrets.filter { !$0.exposed.isEmpty }.map(Needle.init) }
    }

    /// From now on this secret is not shown.
    package func hide(_ secret: Secret) {
        guard secret.exposed.utf8.count >= Self.shortest else { return }
        needles.withLock { needles in
            if !needles.contains(where: { $0.secret == secret }) { needles.append(Needle(secret)) }
        }
    }

    /// The text with `(redacted)` in place of every secret, and of every longer piece of one: text may have been cut in
    /// the middle of it.
    package func masked(_ text: String) -> String {
        let needles = needles.withLock { $0 }
        guard !needles.isEmpty else { return text }
        var text = text
        return text.withUTF8 { bytes in
            let bytes = UnsafeRawBufferPointer(bytes)
            let found = SecretRanges.joined(
                needles.flatMap { needle in needle.pieces.flatMap { $0.ranges(in: bytes) } })
            return String(
                decoding: SecretRanges.replaced(found, in: bytes) { _ in Array("(redacted)".utf8) }, as: UTF8.self)
        }
    }

    /// Where whole secrets stand, in order and apart from each other: as they are, and as JSON and addresses spell them.
    /// Costs one quick search for each.
    package func ranges(in bytes: UnsafeRawBufferPointer) -> [Range<Int>] {
        let needles = needles.withLock { $0 }
        return SecretRanges.joined(needles.flatMap { needle in needle.spellings.flatMap { $0.ranges(in: bytes) } })
    }

    /// The length in bytes of the longest spelling of a secret; 0 when there is none.
    package var longest: Int { needles.withLock { $0.lazy.flatMap(\.spellings).map(\.bytes.count).max() ?? 0 } }

    private struct Needle: Sendable {
        let secret: Secret
        let spellings: [SecretPattern]
        let pieces: [SecretPattern]

        init(_ secret: Secret) {
            self.secret = secret
            let spellings = SecretPattern.spellings(of: secret)
            self.spellings = spellings
            pieces = SecretPattern.pieces(of: spellings)
        }
    }
}
