package import CCurl
package import CloverHTTP
import Glibc

/// libcurl, loaded when the first request is made and kept until the process ends.
package final class CurlLibrary: @unchecked Sendable {
    // Unchecked: the table is filled in init, never written afterwards and never freed.
    let functions: UnsafePointer<clover_curl>

    /// Debian's libcurl4, by the name that its interface has had since 2006.
    package static let fileName = "libcurl.so.4"

    private static let loaded = Result { () throws(HTTPTransportError) in try CurlLibrary() }

    /// The library, prepared for use. The first call reads files, so it belongs on a thread that may block.
    package static func load() throws(HTTPTransportError) -> CurlLibrary {
        try loaded.get()
    }

    /// - Parameters:
    ///   - fileName: what dlopen(3) is asked for.
    ///   - change: puts other functions in place of the library's; for tests.
    package init(
        _ fileName: String = CurlLibrary.fileName, change: (UnsafeMutablePointer<clover_curl>) -> Void = { _ in }
    ) throws(HTTPTransportError) {
        // Binding what is never called, in thirty libraries, would take longer than a short request does; that
        // everything used here exists is seen when the table is filled.
        guard let library = dlopen(fileName, RTLD_LAZY | RTLD_LOCAL) else {
            // The text belongs to this thread and to the last call, dlerror(3).
            throw .libraryMissing(detail: dlerror().map { String(cString: $0) } ?? fileName)
        }
        let table = UnsafeMutablePointer<clover_curl>.allocate(capacity: 1)
        if let absent = clover_curl_fill(table, library) {
            let detail = "\(fileName) has no \(String(cString: absent))"
            table.deallocate()
            dlclose(library)
            throw .libraryMissing(detail: detail)
        }
        change(table)
        functions = UnsafePointer(table)
        let code = functions.pointee.curl_global_init(Int(CURL_GLOBAL_DEFAULT))
        guard code == CURLE_OK else {
            throw .other(code: Int(code.rawValue), detail: String(cString: clover_curl_easy_text(functions, code)))
        }
    }
}
