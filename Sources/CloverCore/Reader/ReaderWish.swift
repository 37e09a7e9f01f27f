package import CloverReaders
import Glibc

/// Which readers a scan should tell of.
package struct ReaderWish: Sendable, Equatable {
    /// Patterns as the shell has them, of which one has to match the name, in small or large letters; empty for all.
    package var names: [String] = []
    /// Ids, one of which it has to be; empty for all.
    package var ids: [String] = []
    /// The weakest signal in dBm. A reader whose signal is not known does not have it.
    package var weakestSignal: Int?

    package init() {}

    package func accepts(_ reader: Reader) -> Bool {
        guard ids.isEmpty || ids.contains(where: { $0.lowercased() == reader.id.lowercased() }) else { return false }
        if let weakestSignal, reader.rssi.map({ $0 < weakestSignal }) ?? true { return false }
        guard !names.isEmpty else { return true }
        guard let name = reader.name?.lowercased() else { return false }
        return names.contains { fnmatch($0.lowercased(), name, 0) == 0 }
    }
}
