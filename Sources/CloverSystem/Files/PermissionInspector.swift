import CLinux
import Glibc

/// Checks the permissions of everything in the state directory.
package struct PermissionInspector: Sendable {
    /// Files and directories that would be refused when used.
    package private(set) var faults: [PermissionFault] = []
    package private(set) var count = 0

    /// Checks the content of the directory and changes nothing. The directory need not exist.
    package init(of state: StateDirectory) throws(StorageError) {
        guard try state.existing() != nil else { return }
        for name in try OpenDirectory.names(at: state.path) {
            let path = state.path + "/" + name
            let rule: AccessRule = name == "credentials" || name.contains(".sqlite") ? .secret : .own
            guard try check(path, rule: rule) else { continue }
            for inner in try OpenDirectory.names(at: path) { try check(path + "/" + inner, rule: rule) }
        }
    }

    /// Whether it is a directory that can be searched.
    @discardableResult
    private mutating func check(_ path: String, rule: AccessRule) throws(StorageError) -> Bool {
        var found = stat()
        guard lstat(path, &found) == 0 else {
            // Another process may have removed it meanwhile.
            if errno == ENOENT { return false }
            throw .system(.status, path: path, errno: errno)
        }
        count += 1
        let kind = found.st_mode & S_IFMT
        guard kind == S_IFDIR || kind == S_IFREG else {
            // chmod(2) would follow a link, so this fault is not fixed.
            let refusal: FileRefusal = kind == S_IFLNK ? .symbolicLink : .notRegularFile
            faults.append(PermissionFault(path: path, refusal: refusal, mode: 0, rule: rule))
            return false
        }
        let mode = found.st_mode & 0o7777
        if let refusal = rule.refusal(owner: found.st_uid, mode: mode, user: geteuid()) {
            let isLoose = if case .looseMode = refusal { true } else { false }
            faults.append(PermissionFault(path: path, refusal: refusal, mode: mode, rule: rule))
            return isLoose && kind == S_IFDIR
        }
        return kind == S_IFDIR
    }
}

/// Files that are no longer needed: temporary files of killed writers, and ledgers that were set aside.
package struct LeftoverFinder: Sendable {
    package enum Kind: Sendable, Equatable {
        /// `.NAME.new`, created by `AtomicFile`.
        case unfinished
        /// `NAME.ledger.REASON-MILLISECONDS`, and the reason.
        case setAside(String)
    }

    package struct Leftover: Sendable, Equatable {
        package let path: String
        package let kind: Kind
    }

    /// Leftovers that are at least an hour old: no writer takes that long.
    package private(set) var leftovers: [Leftover] = []

    private static let age = 3600

    /// Checks the directory and its subdirectories. The directory need not exist.
    package init(of state: StateDirectory) throws(StorageError) {
        guard let top = try state.existing() else { return }
        try collect(from: top)
        for name in try top.names() where try top.kind(of: name) == S_IFDIR {
            guard let inner = try state.existingSubdirectory(name, rule: .own) else { continue }
            try collect(from: inner)
        }
    }

    package static func remove(_ leftover: Leftover) throws(StorageError) {
        if unlink(leftover.path) != 0, errno != ENOENT {
            throw .system(.remove, path: leftover.path, errno: errno)
        }
    }

    private mutating func collect(from directory: borrowing OpenDirectory) throws(StorageError) {
        for name in try directory.names() {
            guard let kind = Self.kind(of: name) else { continue }
            let path = directory.path(of: name)
            var found = stat()
            guard lstat(path, &found) == 0, found.st_mode & S_IFMT == S_IFREG,
                time(nil) - found.st_mtim.tv_sec >= Self.age
            else { continue }
            leftovers.append(Leftover(path: path, kind: kind))
        }
    }

    private static func kind(of name: String) -> Kind? {
        if name.hasPrefix("."), name.hasSuffix(".new") { return .unfinished }
        guard let range = name.firstRange(of: ".ledger."), let dash = name.lastIndex(of: "-"),
            dash > range.upperBound, name[name.index(after: dash)...].allSatisfy(\.isNumber)
        else { return nil }
        return .setAside(String(name[range.upperBound..<dash]))
    }
}

/// File systems that several machines can mount at once. On them `flock(2)` is local, emulated or missing, depending on
/// version and mount options, and inotify(7) reports only changes made on this machine.
package enum NetworkFileSystem: String, Sendable, CaseIterable {
    case nfs = "NFS"
    case smb = "SMB"
    case cifs = "CIFS"
    case smb2 = "SMB2"
    case plan9 = "9p"
    case fuse = "FUSE"
    case afs = "AFS"
    case kernelAFS = "kAFS"
    case ceph = "Ceph"
    case coda = "Coda"
    case netware = "NCP"

    /// The `f_type` of statfs(2) for each, from that manual page and <linux/magic.h>.
    ///
    /// All FUSE file systems share one number, so a local one is refused together with sshfs.
    private static let kinds: [UInt32: NetworkFileSystem] = [
        0x6969: .nfs,  // NFS_SUPER_MAGIC
        0x517B: .smb,  // SMB_SUPER_MAGIC
        0xFF53_4D42: .cifs,  // CIFS_SUPER_MAGIC
        0xFE53_4D42: .smb2,  // SMB2_SUPER_MAGIC
        0x0102_1997: .plan9,  // V9FS_MAGIC
        0x6573_5546: .fuse,  // FUSE_SUPER_MAGIC
        0x5346_414F: .afs,  // AFS_SUPER_MAGIC
        0x6B41_4653: .kernelAFS,  // AFS_FS_MAGIC
        0x00C3_6400: .ceph,  // CEPH_SUPER_MAGIC
        0x7375_7245: .coda,  // CODA_SUPER_MAGIC
        0x564C: .netware,  // NCP_SUPER_MAGIC
    ]

    /// The network file system with this `f_type`; nil if it is a local one.
    package init?(magic: UInt32) {
        guard let found = Self.kinds[magic] else { return nil }
        self = found
    }

    /// The network file system of an open file or directory; nil if it is on a local one.
    static func under(_ descriptor: borrowing Descriptor, path: String) throws(StorageError) -> NetworkFileSystem? {
        var result = statfs()
        while fstatfs(descriptor.number, &result) != 0 {
            if errno != EINTR { throw .system(.status, path: path, errno: errno) }
        }
        // f_type is a signed word; for numbers above 0x7fffffff its upper half is undefined on some architectures.
        return NetworkFileSystem(magic: UInt32(truncatingIfNeeded: result.f_type))
    }
}
