package import CloverSystem

/// Number of pages that lists had when they were last read to their end, so that the next run can request as many in
/// parallel. Stored in `list-lengths` of the state directory.
///
/// The number is a guess: a wrong one costs extra requests, a missing one the time of one response, and the output is the
/// same. So errors of these files are ignored. A file holds a hash of the list's name, and the number.
package struct PageCountCache: Sendable {
    private static let folder = "list-lengths"
    private static let lockName = "lock"
    /// Upper bound of the number of pages.
    private static let most = 1_000_000

    private let directory: StateDirectory?
    /// Hash of the list's name, which does not reveal the name.
    private let digits: String

    /// - Parameter directory: the state directory; nil where there is none.
    package init(of list: String, at service: String, in directory: StateDirectory?) {
        self.directory = directory
        // Neither part has a zero byte, so the separator is unambiguous.
        let hash = SHA256.hash(Array(service.utf8) + [0] + Array(list.utf8))
        digits = hash.prefix(16).hexadecimalDigits
    }

    /// Lists share 256 files, where the last one wins, so that queries that are never repeated do not fill the directory.
    private var name: String { String(digits.prefix(2)) }

    /// The stored number of pages; nil when none is stored, as for a list on one page. Creates no file.
    package func pages() async -> Int? {
        await DedicatedThread.run { read() }
    }

    package func note(_ pages: Int) async {
        await DedicatedThread.run { write(min(max(pages, 1), Self.most)) }
    }

    private func read() -> Int? {
        do throws(StorageError) {
            guard let folder = try directory?.existingSubdirectory(Self.folder, rule: .own),
                let bytes = try PrivateFile.read(name, in: folder, rule: .own, limit: 64)
            else { return nil }
            let words = String(decoding: bytes, as: UTF8.self).split { $0 == " " || $0 == "\n" }
            guard words.count == 2, words[0] == digits, let pages = Int(words[1]), (1...Self.most).contains(pages)
            else {
                return nil
            }
            return pages
        } catch {
            return nil
        }
    }

    private func write(_ pages: Int) {
        // An unknown list is expected to have one page.
        guard pages != read() ?? 1, let directory else { return }
        do throws(StorageError) {
            let folder = try directory.prepareSubdirectory(Self.folder, rule: .own)
            guard let lock = try FileLock.tryAcquire(Self.lockName, in: folder) else { return }
            try AtomicFile.replace(
                name, in: folder, with: Array("\(digits) \(pages)\n".utf8), durable: false, holding: lock)
        } catch {
            // Such as a read-only directory.
        }
    }
}
