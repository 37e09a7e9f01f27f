internal import Glibc

/// Prepares the regular expression library that libjq uses.
///
/// Oniguruma prepares itself at the first use, without a lock; two threads using `test` for the first time at once
/// would both fill its tables. Its own function does it before there are threads. It is looked up by name because
/// Debian's libjq-dev does not bring Oniguruma's header.
enum OnigurumaSetup {
    /// Does it once for the process; later uses cost nothing.
    static let once: Void = {
        typealias Initialize = @convention(c) (UnsafeMutablePointer<UnsafeMutableRawPointer?>?, Int32) -> Int32
        guard let function = dlsym(nil, "onig_initialize"), let encoding = dlsym(nil, "OnigEncodingUTF8") else {
            return
        }
        let initialize = unsafeBitCast(function, to: Initialize.self)
        var encodings: [UnsafeMutableRawPointer?] = [encoding]
        _ = initialize(&encodings, 1)
    }()
}
