import CloverStorage
import Synchronization

/// A slot that is a lock on one byte of the slots file. The lock belongs to the open file description (fcntl(2), "open
/// file description locks"), so that two slots of one process exclude each other and the kernel gives a dead
/// process's slots back.
final class FileLedgerSlot: LedgerSlot {
    let number: Int
    private let file: Mutex<Descriptor?>

    /// Takes over the descriptor whose open file description holds the lock.
    init(_ number: Int, holding file: consuming Descriptor) {
        self.number = number
        self.file = Mutex(file)
    }

    func release() {
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
