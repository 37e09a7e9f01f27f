import CSystemd
import Glibc
import Synchronization

/// libsystemd, loaded when the first bus is opened and kept until the process ends.
final class SystemdLibrary: @unchecked Sendable {
    // Unchecked: the table is filled in init, never written afterwards and never freed.
    let functions: UnsafePointer<clover_systemd>

    private static let loaded = Mutex<[String: SystemdLibrary]>([:])

    /// The library of that name, as dlopen(3) finds it. Reads files, so it belongs on a thread that may block.
    static func named(_ name: String) throws(DBusError) -> SystemdLibrary {
        let result = loaded.withLock { loaded -> Result<SystemdLibrary, DBusError> in
            if let library = loaded[name] { return .success(library) }
            return Result { () throws(DBusError) in
                let library = try SystemdLibrary(name)
                loaded[name] = library
                return library
            }
        }
        return try result.get()
    }

    private init(_ name: String) throws(DBusError) {
        guard let library = dlopen(name, RTLD_NOW | RTLD_LOCAL) else {
            // The text belongs to this thread and to the last call, dlerror(3).
            throw .libraryMissing(detail: dlerror().map { String(cString: $0) } ?? name)
        }
        let table = UnsafeMutablePointer<clover_systemd>.allocate(capacity: 1)
        if let absent = clover_systemd_fill(table, library) {
            let detail = "\(name) has no \(String(cString: absent))"
            table.deallocate()
            dlclose(library)
            throw .libraryMissing(detail: detail)
        }
        functions = UnsafePointer(table)
    }
}
