/// A modification of a line: a modifier of the menu as it was chosen.
package struct ModificationRecord: Sendable {
    package var group: Int
    /// Place within the group.
    package var modifier: Int
    /// Cents.
    package var amount: Int
}
