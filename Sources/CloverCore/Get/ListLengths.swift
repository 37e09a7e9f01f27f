import CloverAPI
import CloverHTTP
import CloverStorage
import CloverThreads
import Crypto

/// How many pages lists had when they were last read to their end, so that the next run can ask for as many at once: in
/// `list-lengths` of the state directory.
///
/// It is only ever a guess. A wrong one costs requests, none at all the time of one answer; what is delivered is the same.
/// So nothing that goes wrong with these files is told to anybody. Of a list there is a hash of its name, and a number.
struct ListLengths: Sendable {
    private static let folder = "list-lengths"
    private static let lockName = "lock"
    /// More than any list has.
    private static let most = 1_000_000

    private let directory: StateDirectory?
    /// The name of the list, of which nothing can be told.
    private let digits: String

    /// - Parameter directory: nil where there is none.
    init(of list: String, at service: String, in directory: StateDirectory?) {
        self.directory = directory
        // No part holds a zero byte, so that two of them cannot run into each other.
        let hash = SHA256.hash(data: Array(service.utf8) + [0] + Array(list.utf8))
        digits = hash.prefix(16).hexadecimalDigits
    }

    /// Lists share 256 files, so that queries that are never made again do not fill the directory: the last one counts.
    private var name: String { String(digits.prefix(2)) }

    /// How many pages it had; nil when nothing is known, as of a list on one page. Nothing is created.
    func pages() async -> Int? {
        await DedicatedThread.run { read() }
    }

    /// The list had so many pages this time.
    func note(_ pages: Int) async {
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
        // A list on one page is what is expected of a list that is not known.
        guard pages != read() ?? 1, let directory else { return }
        do throws(StorageError) {
            let folder = try directory.prepareSubdirectory(Self.folder, rule: .own)
            guard let lock = try FileLock.tryAcquire(Self.lockName, in: folder) else { return }
            try AtomicFile.replace(
                name, in: folder, with: Array("\(digits) \(pages)\n".utf8), durable: false, holding: lock)
        } catch {
            // Such as a directory that is only to be read.
        }
    }
}
