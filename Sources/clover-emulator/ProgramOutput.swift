import Glibc

/// What the program itself says, outside any answer.
enum ProgramOutput {
    /// Writes past the C library's buffers: the line has to be out before anybody waits for it.
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
