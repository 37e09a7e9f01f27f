import CloverStorage
import Glibc

extension DirectoryFacts {
    /// Such as `local disk, mode 700, yours, 67 GB free`.
    ///
    /// - Parameter note: what is said behind a network file system.
    func words(note: String = "") -> String {
        let disk = network.map { $0.rawValue + note } ?? "local disk"
        let user = owner == geteuid() ? "yours" : owner == 0 ? "root's" : "user \(owner)'s"
        return "\(disk), mode \(String(mode, radix: 8)), \(user), \(Self.words(bytes: bytesFree)) free"
    }

    private static func words(bytes: UInt64) -> String {
        bytes >= 10 << 30 ? "\(bytes >> 30) GB" : "\(bytes >> 20) MB"
    }
}
