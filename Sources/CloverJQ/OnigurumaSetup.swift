internal import Glibc

/// Initializes the regular expression library that libjq uses.
///
/// Oniguruma initializes itself on first use, without a lock; if two threads used `test` for the first time at once,
/// both would fill its tables. So its own function is called before there are threads. It is looked up by name because
/// Debian's libjq-dev does not include Oniguruma's header.
enum OnigurumaSetup {
    /// Runs once per process; later uses cost nothing.
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
