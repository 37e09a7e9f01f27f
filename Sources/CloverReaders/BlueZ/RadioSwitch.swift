import CLinux
import Glibc

/// What rfkill(8) says of an adapter: the kernel's files in /sys/class/rfkill (Documentation/ABI/stable/sysfs-class-rfkill
/// of Linux).
struct RadioSwitch: Sendable {
    enum Block: Sendable, Equatable {
        /// By software: `rfkill unblock bluetooth` ends it.
        case soft
        /// By a switch or a key of the machine.
        case hard
    }

    private let folder: String

    init(folder: String = "/sys/class/rfkill") {
        self.folder = folder
    }

    /// Nil where nothing blocks it, or nothing is known.
    func block(of adapter: String) -> Block? {
        guard let directory = opendir(folder) else { return nil }
        defer { closedir(directory) }
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
            }
            guard name.hasPrefix("rfkill"), read(name, "name") == adapter else { continue }
            if read(name, "hard") == "1" { return .hard }
            if read(name, "soft") == "1" { return .soft }
        }
        return nil
    }

    /// The one short line of a file; nil when it cannot be read, as where there is no rfkill.
    private func read(_ entry: String, _ file: String) -> String? {
        let descriptor = open("\(folder)/\(entry)/\(file)", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 128)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        guard count > 0 else { return nil }
        return String(decoding: bytes.prefix(count).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }
}
