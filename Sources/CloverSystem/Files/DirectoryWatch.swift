import CLinux
import Glibc

/// Watches the entries of directories through the kernel (inotify(7)), without polling.
///
/// A watch belongs to the directory itself, not to its name: it survives a rename. Waiting blocks the thread. One
/// thread at a time may wait; any thread may call `stop`.
package final class DirectoryWatch: Sendable {
    /// What changed since the last call, in minimal form: the caller reads the details.
    package enum News: Equatable, Sendable {
        /// Entries of these names were created, removed or changed.
        case entries(Set<String>)
        /// More may have changed than is reported: the queue overflowed, or a watched directory was removed or renamed.
        case anything
        /// `stop` was called.
        case stopped
    }

    private let queue: Descriptor
    private let stopEvent: EventFD

    /// The length of the fixed part of an event, and the offsets of its fields (struct inotify_event).
    private static let headLength = 16
    private static let maskOffset = 4
    private static let lengthOffset = 12
    private static let bufferLength = 65_536

    package init() throws(StorageError) {
        let number = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
        guard number >= 0 else { throw .system(.watch, path: "inotify", errno: errno) }
        queue = Descriptor(owning: number)
        stopEvent = try StorageError.wrapping(.watch, "eventfd") { () throws(ErrorNumber) in try EventFD() }
    }

    /// Watches the open directory.
    ///
    /// - Returns: the watch's number, for `forget`.
    package func add(_ directory: borrowing OpenDirectory) throws(StorageError) -> Int32 {
        // proc(5): this name refers to the open directory itself, whatever is now at its path.
        try add("/proc/self/fd/\(directory.descriptor.number)", shown: directory.path)
    }

    /// Watches the directory at `path`; follows links.
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

    /// Ends one watch. The watch of a removed directory has already ended, which is not an error.
    package func forget(_ number: Int32) {
        _ = inotify_rm_watch(queue.number, number)
    }

    /// Blocks until there are changes, and takes all of them.
    package func wait() throws(StorageError) -> News {
        while true {
            var ends = [
                pollfd(fd: queue.number, events: Int16(POLLIN), revents: 0),
                pollfd(fd: stopEvent.number, events: Int16(POLLIN), revents: 0),
            ]
            if poll(&ends, nfds_t(ends.count), -1) < 0 {
                if errno == EINTR { continue }
                throw .system(.watch, path: "inotify", errno: errno)
            }
            // The event stays set: a stopped watch is finished.
            if ends[1].revents != 0 { return .stopped }
            if let news = try take() { return news }
        }
    }

    /// Makes `wait` return, now and on every later call.
    package func stop() {
        stopEvent.signal()
    }

    /// The changes in the queue; nil if none are relevant.
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
                // IN_IGNORED follows every end of a watch, including calls of `forget`, and adds no information.
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
