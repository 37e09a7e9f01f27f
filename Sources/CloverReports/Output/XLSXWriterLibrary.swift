import CXLSXWriter
import CloverSystem

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
        functions = try LoadedLibrary.functions(
            of: name, fill: clover_xlsxwriter_fill, missing: ReportWorkbookError.libraryMissing)
    }
}
