/// A piece of ready JSON inside a `FragmentArena`, valid as long as the arena.
///
/// Unchecked: the bytes are never written after the arena handed the fragment out, so any thread may read them.
package struct Fragment: @unchecked Sendable {
    package let start: UnsafePointer<UInt8>
    package let count: Int
}
