/// What a reader needs before it can be used.
package enum ReaderUpdate: Sendable, Equatable {
    /// New firmware; the version where it is known.
    case firmware(version: String?)
    /// New encryption keys.
    case keys
}
