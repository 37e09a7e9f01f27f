import FoundationEssentials
import Glibc

/// The open files of this process.
enum Descriptors {
    /// How many lead to files below `path`.
    static func count(under path: String) throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count { number in
            var buffer = [UInt8](repeating: 0, count: 4096)
            let length = buffer.withUnsafeMutableBytes { space in
                space.baseAddress.map { readlink("/proc/self/fd/" + number, $0, space.count) } ?? -1
            }
            return length > 0 && String(decoding: buffer[..<length], as: UTF8.self).hasPrefix(path)
        }
    }
}
