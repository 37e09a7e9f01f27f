import CloverStorage
import Glibc

/// The kernel's random name of this boot, from `/proc/sys/kernel/random/boot_id` (random(4)): times of another boot
/// mean nothing.
package struct BootIdentity: Equatable, Sendable {
    /// The sixteen bytes of the UUID.
    package let bytes: [UInt8]

    /// A made-up identity; nil unless there are sixteen bytes.
    package init?(bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// Reads the identity of the running kernel.
    package static func current() throws(LedgerError) -> BootIdentity {
        let path = "/proc/sys/kernel/random/boot_id"
        let text: [UInt8]
        do {
            text = try Descriptor(opening: path, in: AT_FDCWD, flags: O_RDONLY).readFromStart(limit: 64)
        } catch {
            throw .storage(.system(.read, path: path, errno: error.code))
        }
        guard let identity = BootIdentity(hexadecimal: text) else {
            throw .storage(.system(.read, path: path, errno: EINVAL))
        }
        return identity
    }

    /// As 32 hexadecimal digits.
    package var text: String {
        bytes.map { byte in
            let digits = String(byte, radix: 16)
            return byte < 16 ? "0" + digits : digits
        }.joined()
    }

    /// Reads hexadecimal digits, passing over everything between them.
    init?(hexadecimal text: [UInt8]) {
        let digits = text.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        guard digits.count == 32 else { return nil }
        bytes = stride(from: 0, to: 32, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}
