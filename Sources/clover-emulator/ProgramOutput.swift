import Glibc

/// Output of the program itself.
enum ProgramOutput {
    /// Writes unbuffered, because other programs wait for the line.
    static func write(_ text: String, to descriptor: Int32) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let written = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if written < 0 {
                guard errno == EINTR else { return }
            } else {
                bytes = bytes.dropFirst(written)
            }
        }
    }
}
