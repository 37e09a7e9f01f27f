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
        // The twin first: those who wait listen for the close of the other file, and must find both locks gone by then.
        Self.unlock(twin)
        Self.unlock(file)
    }

    /// Unlocks a file, then closes it. Closing alone is not enough: a child of another thread shares the open file between
    /// fork(2) and execve(2), and would keep the slot for that long.
    private static func unlock(_ file: borrowing Mutex<Descriptor?>) {
        file.withLock { file in
            guard let held = file.take() else { return }
            // An error can only mean that there was no lock.
            do {
                try ByteLock.unlockAll(of: held)
            } catch {}
        }
    }

    deinit {
        release()
    }
}
