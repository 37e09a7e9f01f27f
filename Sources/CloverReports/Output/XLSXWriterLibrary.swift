import CXLSXWriter
import Glibc

/// libxlsxwriter, loaded by name when the first workbook is written and kept until the process ends.
struct XLSXWriterLibrary: @unchecked Sendable {
    /// Filled once and then only read, so threads may share it.
    let functions: UnsafePointer<clover_xlsxwriter>

    private static let loaded = Result { () throws(ReportWorkbookError) in
        try XLSXWriterLibrary(named: "libxlsxwriter.so.4")
    }

    static func load() throws(ReportWorkbookError) -> XLSXWriterLibrary { try loaded.get() }

    /// - Throws: `.libraryMissing`.
    init(named name: String) throws(ReportWorkbookError) {
        guard let library = dlopen(name, RTLD_NOW | RTLD_LOCAL) else {
            // dlerror(3) is per thread, and valid only until the next call.
            throw .libraryMissing(detail: dlerror().map { String(cString: $0) } ?? name)
        }
        let table = UnsafeMutablePointer<clover_xlsxwriter>.allocate(capacity: 1)
        if let absent = clover_xlsxwriter_fill(table, library) {
            let detail = "\(name) has no \(String(cString: absent))"
            table.deallocate()
            dlclose(library)
            throw .libraryMissing(detail: detail)
        }
        functions = UnsafePointer(table)
    }
}
