import CPostgreSQL
import Glibc

/// libpq, loaded by name when the first connection is made and kept until the process ends.
struct PostgreSQLLibrary: @unchecked Sendable {
    /// Filled once and then only read, so threads may share it.
    let functions: UnsafePointer<clover_pq>

    private static let loaded = Result { () throws(TableError) in try PostgreSQLLibrary(named: "libpq.so.5") }

    static func load() throws(TableError) -> PostgreSQLLibrary { try loaded.get() }

    /// - Throws: `.libraryMissing`.
    init(named name: String) throws(TableError) {
        guard let library = dlopen(name, RTLD_NOW | RTLD_LOCAL) else {
            // dlerror(3) is per thread, and valid only until the next call.
            throw .libraryMissing(detail: dlerror().map { String(cString: $0) } ?? name)
        }
        let table = UnsafeMutablePointer<clover_pq>.allocate(capacity: 1)
        if let absent = clover_pq_fill(table, library) {
            let detail = "\(name) has no \(String(cString: absent))"
            table.deallocate()
            dlclose(library)
            throw .libraryMissing(detail: detail)
        }
        functions = UnsafePointer(table)
    }
}
