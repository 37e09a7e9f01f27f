/// Takes the run's own secrets out of text that passes in chunks, also those that lie across two of them.
package struct MaskedStream {
    private let mask: SecretMask
    /// The end of what came, in which a secret may have begun.
    private var held: [UInt8] = []
    /// Whether anything was masked so far.
    package private(set) var hasMasked = false

    package init(_ mask: SecretMask) {
        self.mask = mask
    }

    /// What may be passed on now.
    package mutating func pass(_ chunk: [UInt8]) -> [UInt8] {
        let all = masked(held + chunk)
        let length = max(0, all.count - max(0, mask.longest - 1))
        held = Array(all[length...])
        return Array(all[..<length])
    }

    /// The rest.
    package mutating func finish() -> [UInt8] {
        defer { held = [] }
        return held
    }

    private mutating func masked(_ text: [UInt8]) -> [UInt8] {
        text.withUnsafeBytes { bytes in
            let found = mask.ranges(in: bytes)
            guard !found.isEmpty else { return text }
            hasMasked = true
            return SecretRanges.replaced(found, in: bytes) { _ in Array("[masked]".utf8) }
        }
    }
}
