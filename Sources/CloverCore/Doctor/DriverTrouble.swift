package import CloverReaders

/// What is wrong with a driver program, and how it is called.
package struct DriverTrouble: Error, Sendable {
    package let error: ReaderError
    /// The program and its arguments, as they were set.
    package let command: String
}
