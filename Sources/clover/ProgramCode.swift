import Glibc

/// The program's code and that of its libraries, as far as it is in the process's memory.
enum ProgramCode {
    /// Takes out what is there. The start of a run touches more code than the run does afterwards, and the kernel brings
    /// in sixteen pages for each one that is touched (filemap_map_pages). What is needed again comes back from the page
    /// cache at the next step into it: code is mapped from files and never written to, so nothing is lost (madvise(2),
    /// MADV_DONTNEED). It takes some tenths of a millisecond.
    static func release() {
        for range in ranges() {
            madvise(UnsafeMutableRawPointer(bitPattern: range.lowerBound), range.count, MADV_DONTNEED)
        }
    }

    /// Where files are mapped to be executed, as proc(5), /proc/pid/maps, tells; none when it cannot be read.
    private static func ranges() -> [Range<UInt>] {
        contents("/proc/self/maps").split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ", omittingEmptySubsequences: true)
            guard words.count == 6, words[1] == "r-xp", words[5].hasPrefix("/") else { return nil }
            let bounds = words[0].split(separator: "-")
            guard bounds.count == 2, let start = UInt(bounds[0], radix: 16), let end = UInt(bounds[1], radix: 16),
                start < end
            else { return nil }
            return start..<end
        }
    }

    private static func contents(_ path: String) -> String {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "" }
        defer { close(file) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            let count = read(file, &part, part.count)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { break }
            bytes += part[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
