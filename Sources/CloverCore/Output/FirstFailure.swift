import Synchronization

/// The first record that could not be printed, and why: where many fail alike, one line says more than all of them.
final class FirstFailure: Sendable {
    private let note = Mutex<String?>(nil)

    var text: String? { note.withLock(\.self) }

    func add(_ text: String) { note.withLock { $0 = $0 ?? text } }
}
