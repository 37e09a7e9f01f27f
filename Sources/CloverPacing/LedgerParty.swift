import CloverStorage

/// Somebody who waits for a budget or holds a slot of it, as written beside the lock that proves it.
package struct LedgerParty: Equatable, Sendable {
    package let pid: Int32
    package let pacingClass: PacingClass
    /// Words of the command, without options and values; printable ASCII, 80 bytes at most.
    package let command: String
    /// When it began to wait, or took the slot.
    package let since: BootInstant
    /// When it last showed that it is at work.
    package let seen: BootInstant
    /// Of one who waits: the slots for which it stands in line, which are so many from the first on. None while it waits for
    /// its own sake, so that nobody needs to stand back. Of one who holds a slot: the slots out of which it could choose, which
    /// are as many as it may have at once.
    package let claim: Int

    /// How many requests it may have under way at once; nil when it does not say.
    package var inFlightLimit: Int? { RateLimits.inFlightRange.contains(claim) ? claim : nil }

    /// A claim on every slot there is.
    package static let everySlot = Int(Int32.max)

    /// A party whose command is cut and cleaned so that it can be stored and printed.
    package init(
        pid: Int32, pacingClass: PacingClass, command: String, since: BootInstant, seen: BootInstant,
        claim: Int = everySlot
    ) {
        self.pid = pid
        self.pacingClass = pacingClass
        let printable = command.utf8.lazy.filter { (0x20..<0x7F).contains($0) }
        self.command = String(decoding: Array(printable.prefix(Self.commandLimit)), as: UTF8.self)
        self.since = since
        self.seen = seen
        self.claim = claim
    }

    /// Bytes of one record. A multiple of the page size is a multiple of it, so that none crosses two pages.
    package static let size = 128
    /// The longest command in bytes.
    private static let commandLimit = 80
    private static let magic: UInt8 = 0xC2

    /// The record, little-endian: a mark, class, length of the command, a zero and the process id, in eight bytes; `since`
    /// and `seen` in nanoseconds; the command padded with zeros; in the last sixteen bytes the claim and a checksum.
    package var record: [UInt8] {
        let words = Array(command.utf8)
        var bytes: [UInt8] = [Self.magic, pacingClass.rawValue, UInt8(words.count), 0]
        bytes.append(littleEndian: UInt32(bitPattern: pid))
        bytes.append(littleEndian: UInt64(bitPattern: since.nanoseconds))
        bytes.append(littleEndian: UInt64(bitPattern: seen.nanoseconds))
        bytes += words + [UInt8](repeating: 0, count: Self.size - 16 - bytes.count - words.count)
        bytes.append(littleEndian: UInt64(claim))
        bytes.append(littleEndian: Self.checksum(bytes))
        return bytes
    }

    /// Reads what `record` wrote; nil when the bytes are none, or only half of one.
    package init?(record: ArraySlice<UInt8>) {
        let bytes = Array(record)
        guard bytes.count == Self.size, bytes[0] == Self.magic, let pacingClass = PacingClass(rawValue: bytes[1]),
            Int(bytes[2]) <= Self.commandLimit,
            bytes.littleEndian(at: Self.size - 8) == Self.checksum(Array(bytes.dropLast(8)))
        else { return nil }
        self.init(
            pid: Int32(truncatingIfNeeded: bytes.littleEndian(at: 0) >> 32), pacingClass: pacingClass,
            command: String(decoding: bytes[24..<24 + Int(bytes[2])], as: UTF8.self),
            since: BootInstant(nanoseconds: Int64(bitPattern: bytes.littleEndian(at: 8))),
            seen: BootInstant(nanoseconds: Int64(bitPattern: bytes.littleEndian(at: 16))),
            claim: Int(truncatingIfNeeded: bytes.littleEndian(at: Self.size - 16)))
    }

    /// FNV-1a: it finds a record that is being written, and accidents.
    private static func checksum(_ bytes: [UInt8]) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}

extension [UInt8] {
    fileprivate mutating func append(littleEndian number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }

    fileprivate func littleEndian(at offset: Int) -> UInt64 {
        withUnsafeBytes { UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) }
    }
}
