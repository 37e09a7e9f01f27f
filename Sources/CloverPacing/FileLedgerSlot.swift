import CloverStorage
import Synchronization

/// A slot that is a lock on one byte of the slots file, and one on a byte of its twin. A lock belongs to the open file description (fcntl(2), "open
/// file description locks"), so that two slots of one process exclude each other and the kernel gives a dead
/// process's slots back.
final class FileLedgerSlot: LedgerSlot {
    let number: Int
    private let file: Mutex<Descriptor?>
    private let twin: Mutex<Descriptor?>

    /// Takes over the descriptors whose open file descriptions hold the locks.
    init(_ number: Int, holding file: consuming Descriptor, and twin: consuming Descriptor) {
        self.number = number
        self.file = Mutex(file)
        self.twin = Mutex(twin)
    }

    func release() {
        // First, because of the other one somebody hears.
        twin.withLock { $0 = nil }
        file.withLock { file in
            guard let held = file.take() else { return }
            // Unlocked before it is closed: whoever waits hears of the close, and must find the lock gone by then. An
            // error could only mean that there was no lock, and closing drops it in any case.
            do {
                try ByteLock.unlockAll(of: held)
            } catch {}
        }
    }

    deinit {
        release()
    }
}
