/// The ledger's file format. Little-endian; a header of 152 bytes, then 8 bytes for each grant in ascending order:
///
/// | bytes | content |
/// |---|---|
/// | 0-7 | `CLVRLEDG` |
/// | 8-11 | version, 4 |
/// | 12-15 | number of grants |
/// | 16-31 | boot identity |
/// | 32-39 | not before, nanoseconds on CLOCK_BOOTTIME |
/// | 40-87 | cause of the pause, ASCII, padded with zeros |
/// | 88-95 | checksum of everything else, up to the last grant |
/// | 96-103 | last grant of bulk work, nanoseconds on CLOCK_BOOTTIME |
/// | 104-119 | learned limit of requests per second, 0 for none; then when, nanoseconds on CLOCK_BOOTTIME |
/// | 120-135 | the same for requests in flight |
/// | 136-143 | the last grant, nanoseconds on CLOCK_BOOTTIME; 0 without one |
/// | 144-151 | consecutive pauses whose length the service did not specify |
/// | 152- | grants: the low 48 bits are the nanoseconds before the last grant, the high 16 the caller's limit |
///
/// Bytes after the last grant are left over from a longer ledger and are ignored, so one write of the front
/// replaces the whole. The largest image fits one page, which a killed process writes entirely or not at all.
package enum LedgerFileFormat {
    /// The largest image in bytes.
    package static let sizeLimit = headSize + 8 * SlidingWindowLimiter.historyLimit
    /// The longest cause in bytes.
    package static let causeLimit = 48

    private static let headSize = 152
    private static let offsetBits: UInt64 = 48
    private static let longestOffset: Int64 = (1 << 48) - 1
    private static let magic: [UInt8] = Array("CLVRLEDG".utf8)
    private static let version: UInt32 = 4

    /// The bytes to write for `window`.
    package static func encode(_ window: SlidingWindowLimiter, boot: BootIdentity) -> [UInt8] {
        let last = window.entries.last?.moment ?? .boot
        // Grants three days before the last one no longer matter.
        let entries = window.entries.drop { last.nanoseconds(since: $0.moment) > longestOffset }
        var image: [UInt8] = []
        image.reserveCapacity(headSize + 8 * entries.count)
        image += magic
        image.append(littleEndian: UInt64(version) | UInt64(entries.count) << 32)
        image += boot.bytes
        image.append(littleEndian: UInt64(bitPattern: window.notBefore.nanoseconds))
        let cause = printable(window.pauseCause)
        image += cause
        image += [UInt8](repeating: 0, count: causeLimit - cause.count)
        image.append(littleEndian: UInt64(0))
        image.append(littleEndian: UInt64(bitPattern: window.lastBulk.nanoseconds))
        for learned in [window.learnedPerSecond, window.learnedInFlight] {
            image.append(littleEndian: UInt64(learned.ceiling))
            image.append(littleEndian: UInt64(bitPattern: learned.moment.nanoseconds))
        }
        image.append(littleEndian: UInt64(bitPattern: last.nanoseconds))
        image.append(littleEndian: UInt64(window.refusals))
        for entry in entries {
            let offset = UInt64(last.nanoseconds(since: entry.moment))
            image.append(littleEndian: offset | UInt64(entry.limit) << offsetBits)
        }
        image.replaceWord(at: 88, with: checksum(image))
        return image
    }

    /// The bytes to store for `window`.
    ///
    /// - Parameter now: the current time, to judge whether the content is plausible.
    /// - Throws: the first fault found; any bytes are safe to pass.
    package static func decode(
        _ image: [UInt8], boot: BootIdentity, now: BootInstant
    ) throws(LedgerFault) -> SlidingWindowLimiter {
        if image.isEmpty { throw .empty }
        guard image.starts(with: magic.prefix(image.count)) else { throw .foreign }
        guard image.count >= 16 else { throw .cut }
        let versionAndCount = image.littleEndian(at: 8)
        // Checked first, because only the name and the version have the same position in every version.
        if UInt32(truncatingIfNeeded: versionAndCount) > version { throw .newer }
        if (1..<version).contains(UInt32(truncatingIfNeeded: versionAndCount)) { throw .older }
        guard UInt32(truncatingIfNeeded: versionAndCount) == version else { throw .damaged }
        let count = Int(versionAndCount >> 32)
        guard count <= SlidingWindowLimiter.historyLimit else { throw .damaged }
        let size = headSize + 8 * count
        guard image.count >= size else { throw .cut }
        var front = Array(image[..<size])
        let stored = front.littleEndian(at: 88)
        front.replaceWord(at: 88, with: 0)
        guard checksum(front) == stored else { throw .damaged }
        guard Array(front[16..<32]) == boot.bytes else { throw .otherBoot }
        let last = BootInstant(nanoseconds: Int64(bitPattern: front.littleEndian(at: 136)))
        guard last >= .boot else { throw .implausible }
        let entries = (0..<count).map { index in
            let word = front.littleEndian(at: headSize + 8 * index)
            return GrantEntry(
                moment: last.advanced(by: -Int64(word & UInt64(longestOffset))), limit: Int(word >> offsetBits))
        }
        return try SlidingWindowLimiter(
            entries: entries,
            notBefore: BootInstant(nanoseconds: Int64(bitPattern: front.littleEndian(at: 32))),
            pauseCause: String(decoding: front[40..<88].prefix { $0 != 0 }, as: UTF8.self),
            lastBulk: BootInstant(nanoseconds: Int64(bitPattern: front.littleEndian(at: 96))),
            learnedPerSecond: learned(at: 104, in: front), learnedInFlight: learned(at: 120, in: front),
            refusals: Int(truncatingIfNeeded: front.littleEndian(at: 144)), now: now)
    }

    private static func learned(at offset: Int, in image: [UInt8]) -> AdaptiveLimit {
        AdaptiveLimit(
            ceiling: Int(truncatingIfNeeded: image.littleEndian(at: offset)),
            moment: BootInstant(nanoseconds: Int64(bitPattern: image.littleEndian(at: offset + 8))))
    }

    /// A cause may come from a response header. Anything but plain ASCII is dropped, so that it is safe to print.
    private static func printable(_ cause: String) -> [UInt8] {
        Array(cause.utf8.lazy.filter { (0x20..<0x7F).contains($0) }.prefix(causeLimit))
    }

    /// A multiply-and-fold hash over 64-bit words; the image is always a multiple of eight bytes. It detects accidents,
    /// not attacks: a process that can write this file already controls the account.
    private static func checksum(_ image: [UInt8]) -> UInt64 {
        var sum: UInt64 = 0x9E37_79B9_7F4A_7C15
        image.withUnsafeBytes { bytes in
            for offset in stride(from: 0, to: bytes.count - 7, by: 8) {
                sum ^= UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
                sum = sum &* 0xD6E8_FEB8_6659_FD93
                sum ^= sum >> 32
            }
        }
        return sum
    }
}

extension [UInt8] {
    mutating func append(littleEndian number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }

    func littleEndian(at offset: Int) -> UInt64 {
        withUnsafeBytes { UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) }
    }

    fileprivate mutating func replaceWord(at offset: Int, with word: UInt64) {
        withUnsafeMutableBytes { $0.storeBytes(of: word.littleEndian, toByteOffset: offset, as: UInt64.self) }
    }
}

/// What is wrong with a ledger file. The raw value is part of the name under which the file is set aside.
package enum LedgerFault: String, Error, Equatable, Sendable {
    case empty
    /// The file ends before the length that its header specifies.
    case cut
    /// The file does not start like a ledger, or is not a regular file.
    case foreign
    /// The checksum does not match.
    case damaged
    case older
    case newer
    /// The ledger dates from before the machine was last started, so its times mean nothing.
    case otherBoot = "other-boot"
    /// The ledger is intact, but its content cannot be true.
    case implausible
}
