import CPostgreSQL
import CloverSystem

/// libpq, loaded by name when the first connection is made and kept until the process ends.
struct PostgreSQLLibrary: @unchecked Sendable {
    /// Filled once and then only read, so threads may share it.
    let functions: UnsafePointer<clover_pq>

    private static let loaded = Result { () throws(TableError) in try PostgreSQLLibrary(named: "libpq.so.5") }

    static func load() throws(TableError) -> PostgreSQLLibrary { try loaded.get() }

    /// - Throws: `.libraryMissing`.
    init(named name: String) throws(TableError) {
        functions = try LoadedLibrary.functions(
            of: name, fill: clover_pq_fill, missing: TableError.libraryMissing)
    }
}
