/// The hashes of the rows of an SQLite database, from which their sums are made (`TableDigest`). Databases keep the sums, so
/// that the hashes never change.
enum SQLiteHash {
    /// A hash of an integer. The seed is that of the column.
    static func of(_ number: Int64, _ seed: UInt64) -> UInt64 { mixed(seed ^ UInt64(bitPattern: number)) }

    static func of(_ number: Double, _ seed: UInt64) -> UInt64 { mixed(~seed ^ number.bitPattern) }

    static func of(_ bytes: UnsafeRawBufferPointer, _ seed: UInt64) -> UInt64 {
        var hash = seed &+ UInt64(bytes.count)
        var start = 0
        while start + 8 <= bytes.count {
            hash = mixed(hash ^ bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self))
            start += 8
        }
        while start < bytes.count {
            hash = mixed(hash ^ UInt64(bytes[start]))
            start += 1
        }
        return mixed(hash)
    }

    /// Spreads each bit over all others (the finalizer of SplitMix64).
    static func mixed(_ number: UInt64) -> UInt64 {
        var number = number &+ 0x9E37_79B9_7F4A_7C15
        number = (number ^ (number >> 30)) &* 0xBF58_476D_1CE4_E5B9
        number = (number ^ (number >> 27)) &* 0x94D0_49BB_1331_11EB
        return number ^ (number >> 31)
    }
}

/// The sums of rows that wait, as `TableDigest` has them.
struct SQLiteRowSums: Sendable {
    /// Nil once there is a value that SQLite may store as another one.
    private(set) var digest: TableDigest? = TableDigest()

    /// What a column makes of its values (SQLite: Datatypes, type affinity).
    enum Affinity {
        case integer, real, text, none
    }

    struct Column: Sendable {
        let seed: UInt64
        let affinity: Affinity
        let isKey: Bool
    }

    init() {}

    /// The sums of rows in the form of `SQLiteRow`, one after the other.
    ///
    /// - Parameter columns: as many as any of the rows has values.
    init(of rows: UnsafeRawBufferPointer, _ columns: [Column]) {
        digest = columns.withUnsafeBufferPointer { Self.digest(of: rows, $0) }
    }

    static func += (sums: inout Self, others: Self) {
        if let digest = sums.digest, let other = others.digest {
            sums.digest = digest + other
        } else {
            sums.digest = nil
        }
    }

    private static func digest(
        of rows: UnsafeRawBufferPointer, _ columns: UnsafeBufferPointer<Column>
    ) -> TableDigest? {
        var digest = TableDigest()
        var row = 0
        while row < rows.count {
            var place = row + SQLiteRow.headSize
            var (keySum, sum) = (0 as UInt64, 0 as UInt64)
            for number in 0..<Int(rows.loadUnaligned(fromByteOffset: row + 4, as: UInt32.self)) {
                let value = SQLiteRow.value(of: rows, at: place)
                place += value.size
                let column = columns[number]
                let hash: UInt64
                switch (value, column.affinity) {
                case (.null, _): continue
                case (.integer(let number), .integer), (.integer(let number), .none):
                    hash = SQLiteHash.of(number, column.seed)
                // SQLite stores a negative zero in such a column as zero.
                case (.real(let number), .real) where number != 0, (.real(let number), .none):
                    hash = SQLiteHash.of(number, column.seed)
                case (.text(let text), .text), (.text(let text), .none): hash = SQLiteHash.of(text, column.seed)
                default: return nil
                }
                sum &+= hash
                if column.isKey { keySum &+= hash }
            }
            digest.rows += 1
            digest.keys &+= Int64(bitPattern: SQLiteHash.mixed(keySum))
            digest.contents &+= Int64(bitPattern: SQLiteHash.mixed(sum))
            row = place
        }
        return digest
    }
}
