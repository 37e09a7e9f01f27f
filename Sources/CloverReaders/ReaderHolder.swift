/// The process that has a reader.
package struct ReaderHolder: Sendable, Equatable {
    package let processID: Int32
    /// Such as `reader connect`; nil when it could not be read.
    package let command: String?

    package init(processID: Int32, command: String?) {
        self.processID = processID
        self.command = command
    }
}
