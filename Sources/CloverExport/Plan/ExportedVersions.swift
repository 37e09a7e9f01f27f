package import CloverJSON
import CloverSystem

/// Record versions that the last run exported near its end, so that this run does not export them again where it overlaps;
/// and those that this run keeps for the next.
///
/// A record is identified by its id, and its version by its modification time, or by its bytes where it has none.
package struct ExportedVersions: Sendable {
    /// One version of a record.
    package struct Version: Sendable, Equatable {
        /// Milliseconds since 1970; nil for a record without a time.
        package var time: Int64?
        /// Hash of its bytes; nil for a record with a time.
        package var hash: Int64?
    }

    private let known: [String: Version]
    private let field: String?
    private let end: Int64
    private let overlap: Int64
    /// Versions for the next run: every version from `overlap` before the newest time on.
    package private(set) var found: [String: Version] = [:]
    /// Latest time of a record; nil when none had one.
    package private(set) var newest: Int64?
    private var pruneAt = 4096

    /// - Parameters:
    ///   - known: versions to skip.
    ///   - field: member with the time; nil for none.
    ///   - newest: latest time of earlier windows.
    ///   - end: end of the run's range; the overlap never starts after it.
    ///   - overlap: overlap of the next run, in milliseconds.
    package init(known: [String: Version], field: String?, newest: Int64?, end: Int64, overlap: Int64) {
        self.known = known
        self.field = field
        self.newest = newest
        self.end = end
        self.overlap = overlap
    }

    /// Removes known versions from the batch and records all versions in it.
    package mutating func drop(from batch: inout RecordBatch) {
        let known = known
        var versions: [(id: String, version: Version)] = []
        batch.removeRecords { batch, record in
            let time = field.flatMap { batch.value(of: $0, in: record) }.flatMap { Int64($0) }
            let version = Version(time: time, hash: time == nil ? StableHash.value(of: batch, record) : nil)
            let id = batch.id(of: record) ?? "#\(StableHash.value(of: batch, record))"
            versions.append((id, version))
            return known[id] == version
        }
        for (id, version) in versions { note(id, version) }
        if found.count > pruneAt {
            prune()
            pruneAt = max(4096, 2 * found.count)
        }
    }

    /// Drops versions that the next run will not request.
    package mutating func prune() {
        guard let newest else { return }
        let bound = earliest(newest)
        found = found.filter { $0.value.time.map { $0 >= bound } ?? true }
    }

    /// Start of the next run's range. Times come from the service and may be any number.
    private func earliest(_ newest: Int64) -> Int64 {
        let (bound, isBeyond) = min(newest, end).subtractingReportingOverflow(overlap)
        return isBeyond ? .min : bound
    }

    private mutating func note(_ id: String, _ version: Version) {
        if let time = version.time {
            newest = max(newest ?? time, time)
            guard time >= earliest(newest ?? time) else { return }
        }
        found[id] = version
    }
}

/// A checksum of records that does not depend on their order, because the service guarantees none. An unchanged sum means
/// that a resource exported in full did not change.
package struct ContentChecksum: Sendable, Equatable {
    // Not SIMD4: frames of asynchronous functions are aligned to at most 16 bytes, and the compiler (Swift 6.3) writes past
    // them for a value that needs an alignment of 32.
    private var lanes: [UInt64] = [0, 0, 0, 0]
    private var count: UInt64 = 0

    package init() {}

    package mutating func add(_ batch: RecordBatch) {
        batch.bytes.withUnsafeBytes { bytes in
            for record in batch.records {
                let digest = SHA256.hash(UnsafeRawBufferPointer(rebasing: bytes[record.range]))
                var lane = 0
                digest.withUnsafeBytes { digest in
                    while lane < 4 {
                        lanes[lane] &+= digest.loadUnaligned(fromByteOffset: lane * 8, as: UInt64.self)
                        lane += 1
                    }
                }
                count += 1
            }
        }
    }

    /// The sum as text, combined with the options that decide the output.
    ///
    /// - Parameter choice: format, fields and so on; the file is exported again when they change.
    package func text(choice: String) -> String {
        "\(count):" + (0..<4).map { String(lanes[$0], radix: 16) }.joined(separator: ".") + "/"
            + StableHash.words(for: choice)
    }
}

/// A hash that is the same in every run: the first 64 bits of the SHA-256.
package enum StableHash {
    private static let length = 8

    /// Hash of a record's bytes as a number.
    package static func value(of batch: RecordBatch, _ record: Record) -> Int64 {
        batch.bytes.withUnsafeBytes { bytes in
            let digest = SHA256.hash(UnsafeRawBufferPointer(rebasing: bytes[record.range]))
            return digest.prefix(length).reduce(0) { $0 << 8 | Int64($1) }
        }
    }

    /// Hash of a text as hexadecimal digits and dashes.
    package static func words(for text: String) -> String {
        SHA256.hash(Array(text.utf8)).prefix(length).map { String($0, radix: 16) }.joined(separator: "-")
    }
}
