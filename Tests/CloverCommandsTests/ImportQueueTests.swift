import CloverCommands
import Testing

@Suite("auth import: lines in progress")
struct ImportQueueTests {
    private typealias Queue = ImportQueue<String, Bool>

    /// Adds entries, from number 1 on, until one may not begin.
    ///
    /// - Returns: the numbers of those that began.
    private static func add(_ entries: [(String, Set<String>)], to queue: inout Queue) -> [Int] {
        var begun: [Int] = []
        for (entry, names) in entries {
            queue.add(begun.count + 1, entry, names: names)
            guard let number = queue.begin()?.number else { break }
            begun.append(number)
        }
        return begun
    }

    @Test("no more than the limit are in progress, and the next one begins when one of them has ended")
    func limit() {
        var queue = Queue(limit: 2)
        let begun = Self.add([("a", ["a"]), ("b", ["b"]), ("c", ["c"])], to: &queue)
        #expect(begun == [1, 2])
        queue.end(2, true)
        let third = queue.begin()?.number
        #expect(third == 3)
        let again = queue.begin()?.number
        #expect(again == nil)
    }

    @Test("an entry waits for an earlier one that shares a name, and for no other")
    func sharedName() {
        var queue = Queue(limit: 8)
        let begun = Self.add([("a", ["A", "p"]), ("b", ["B", "q"]), ("c", ["C", "p"])], to: &queue)
        #expect(begun == [1, 2])
        queue.end(2, true)
        let early = queue.begin()?.number
        #expect(early == nil)
        queue.end(1, false)
        let third = queue.begin()?.entry
        #expect(third == "c")
    }

    @Test("outcomes come in the order of the list, each as soon as those before it are known")
    func order() {
        var queue = Queue(limit: 8)
        let begun = Self.add([("a", ["a"]), ("b", ["b"]), ("c", ["c"])], to: &queue)
        #expect(begun == [1, 2, 3])
        func outcomes() -> [String] {
            var found: [String] = []
            while let (number, entry, outcome) = queue.next() { found.append("\(number) \(entry) \(outcome)") }
            return found
        }
        queue.end(3, true)
        let early = outcomes()
        #expect(early == [])
        queue.end(1, false)
        let first = outcomes()
        #expect(first == ["1 a false"])
        queue.end(2, true)
        let rest = outcomes()
        #expect(rest == ["2 b true", "3 c true"])
    }
}
