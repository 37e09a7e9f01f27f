import CLinux
import Glibc

/// News about the entries of directories, from the kernel (inotify(7)); nothing is polled.
///
/// A watch belongs to the directory itself, not to its name: it goes on when the directory is renamed. Waiting blocks
/// the thread. One thread at a time may wait; `stop` may be called from any.
package final class DirectoryWatch: Sendable {
    /// What happened since the last look, as little as possible said about it: whoever hears it looks for himself.
    package enum News: Equatable, Sendable {
        /// Entries of these names came, went or changed.
        case entries(Set<String>)
        /// More may have happened than is told: the queue overflowed, or a watched directory was removed or renamed.
        case anything
        /// `stop` was called.
        case stopped
    }

    private let queue: Descriptor
    private let bell: Descriptor

    /// The length of the fixed part of an event, and where its parts are (struct inotify_event).
    private static let headLength = 16
    private static let maskOffset = 4
    private static let lengthOffset = 12
    private static let bufferLength = 65_536

    package init() throws(StorageError) {
        let number = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
        guard number >= 0 else { throw .system(.watch, path: "inotify", errno: errno) }
        queue = Descriptor(owning: number)
        let bellNumber = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
        guard bellNumber >= 0 else { throw .system(.watch, path: "eventfd", errno: errno) }
        bell = Descriptor(owning: bellNumber)
    }

    /// Watches the directory that is open here.
    ///
    /// - Returns: the number by which `forget` knows it.
    package func add(_ directory: borrowing OpenDirectory) throws(StorageError) -> Int32 {
        // proc(5): this name leads to the open directory itself, whatever has its path by now.
        try add("/proc/self/fd/\(directory.descriptor.number)", shown: directory.path)
    }

    /// Watches the directory at `path`; links are followed.
    package func add(path: String) throws(StorageError) -> Int32 {
        try add(path, shown: path)
    }

    private func add(_ name: String, shown path: String) throws(StorageError) -> Int32 {
        let mask =
            IN_CREATE | IN_CLOSE_WRITE | IN_ATTRIB | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE | IN_DELETE_SELF
            | IN_MOVE_SELF
        let number = inotify_add_watch(queue.number, name, UInt32(mask) | UInt32(IN_ONLYDIR))
        guard number >= 0 else { throw .system(.watch, path: path, errno: errno) }
        return number
    }

    /// Ends one watch. One whose directory is gone has ended by itself, which is as good.
    package func forget(_ number: Int32) {
        _ = inotify_rm_watch(queue.number, number)
    }

    /// Blocks until something happened, and takes all that has.
    package func wait() throws(StorageError) -> News {
        while true {
            var ends = [
                pollfd(fd: queue.number, events: Int16(POLLIN), revents: 0),
                pollfd(fd: bell.number, events: Int16(POLLIN), revents: 0),
            ]
            if poll(&ends, nfds_t(ends.count), -1) < 0 {
                if errno == EINTR { continue }
                throw .system(.watch, path: "inotify", errno: errno)
            }
            // It stays rung: a stopped watch is over.
            if ends[1].revents != 0 { return .stopped }
            if let news = try take() { return news }
        }
    }

    /// Makes `wait` return, now and for ever.
    package func stop() {
        while eventfd_write(bell.number, 1) != 0, errno == EINTR {}
    }

    /// What is in the queue; nil when that means nothing to us.
    private func take() throws(StorageError) -> News? {
        var names: Set<String> = []
        var isUncertain = false
        while true {
            var failure: Int32 = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: Self.bufferLength) { buffer, count in
                let result = read(queue.number, buffer.baseAddress, buffer.count)
                failure = result < 0 ? errno : 0
                count = max(result, 0)
            }
            if failure == EINTR { continue }
            if failure == EAGAIN { break }
            if failure != 0 { throw .system(.watch, path: "inotify", errno: failure) }
            collect(bytes, &names, &isUncertain)
        }
        if isUncertain { return .anything }
        return names.isEmpty ? nil : .entries(names)
    }

    private func collect(_ bytes: [UInt8], _ names: inout Set<String>, _ isUncertain: inout Bool) {
        bytes.withUnsafeBytes { buffer in
            var start = 0
            while start + Self.headLength <= buffer.count {
                let mask = buffer.loadUnaligned(fromByteOffset: start + Self.maskOffset, as: UInt32.self)
                let length = Int(buffer.loadUnaligned(fromByteOffset: start + Self.lengthOffset, as: UInt32.self))
                let name = buffer[min(start + Self.headLength, buffer.count)...].prefix(length).prefix { $0 != 0 }
                // IN_IGNORED follows every end of a watch, also one of our own making, and so tells nothing new.
                if mask & UInt32(IN_Q_OVERFLOW | IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT) != 0 {
                    isUncertain = true
                } else if !name.isEmpty {
                    names.insert(String(decoding: name, as: UTF8.self))
                }
                start += Self.headLength + length
            }
        }
    }
}
