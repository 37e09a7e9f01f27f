import Synchronization

/// Keeps pieces of ready JSON (names, ids, whole small objects) at fixed addresses, so that page rendering copies them
/// without counting references. Pieces live as long as the arena; the shop owns it and outlives every request.
package final class FragmentArena: Sendable {
    private struct Block: @unchecked Sendable {
        // Unchecked: written once before the fragment is handed out, then only read until the arena frees it.
        let start: UnsafeMutablePointer<UInt8>
    }

    private let blocks = Mutex<[Block]>([])

    package init() {}

    deinit {
        blocks.withLock { list in
            for block in list { block.start.deallocate() }
            list.removeAll()
        }
    }

    /// Copies bytes to a fixed address.
    package func keep(_ bytes: [UInt8]) -> Fragment {
        let start = UnsafeMutablePointer<UInt8>.allocate(capacity: max(bytes.count, 1))
        bytes.withUnsafeBufferPointer { source in
            if let from = source.baseAddress { start.initialize(from: from, count: source.count) }
        }
        blocks.withLock { $0.append(Block(start: start)) }
        return Fragment(start: start, count: bytes.count)
    }

    /// The JSON text of a value at a fixed address.
    package func keep(_ value: JSONValue) -> Fragment {
        var writer = JSONWriter(capacity: 512)
        value.write(to: &writer)
        return keep(writer.bytes())
    }
}
