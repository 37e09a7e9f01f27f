import Glibc

/// C libraries that are loaded by name when they are first needed, and kept until the process ends.
package enum LoadedLibrary {
    /// Loads a library, and fills a table of its functions. The table is filled once, then only read, and never freed. Reads
    /// files, so call it on a thread that may block.
    ///
    /// - Parameters:
    ///   - name: the name or path for dlopen(3).
    ///   - isLazy: whether the library's own symbols are bound when they are used.
    ///   - fill: returns nil, or the name of the first function that the library lacks.
    ///   - missing: the error that is thrown, from its detail.
    package static func functions<Table, Failure: Error>(
        of name: String, isLazy: Bool = false,
        fill: (UnsafeMutablePointer<Table>, UnsafeMutableRawPointer) -> UnsafePointer<CChar>?,
        missing: (String) -> Failure
    ) throws(Failure) -> UnsafePointer<Table> {
        guard let library = dlopen(name, (isLazy ? RTLD_LAZY : RTLD_NOW) | RTLD_LOCAL) else {
            // The text belongs to this thread, and is valid only until the next call (dlerror(3)).
            throw missing(dlerror().map { String(cString: $0) } ?? name)
        }
        let table = UnsafeMutablePointer<Table>.allocate(capacity: 1)
        if let absent = fill(table, library) {
            let detail = "\(name) has no \(String(cString: absent))"
            table.deallocate()
            dlclose(library)
            throw missing(detail)
        }
        return UnsafePointer(table)
    }
}
