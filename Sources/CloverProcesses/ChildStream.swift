/// What a standard stream of a program that we start is connected with.
package enum ChildStream: Sendable {
    /// What ours is connected with.
    case inherited
    /// `/dev/null`.
    case nothing
    /// A descriptor of ours, which stays open here.
    case descriptor(Int32)
    /// A file, emptied or made with mode 0600, for writing.
    case file(String)
}
