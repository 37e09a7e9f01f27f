import CLinux
import Glibc

/// File systems that several machines can mount at once. `flock(2)` is local, emulated or missing on them depending
/// on version and mount options, and inotify(7) reports only the changes that were made on this machine.
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

    /// `f_type` of statfs(2) for this file system; the list is in that manual page and in <linux/magic.h>.
    ///
    /// FUSE is one number for all of its file systems, so that a local one is refused together with sshfs.
    package var magic: UInt32 {
        switch self {
        case .nfs: 0x6969  // NFS_SUPER_MAGIC
        case .smb: 0x517B  // SMB_SUPER_MAGIC
        case .cifs: 0xFF53_4D42  // CIFS_SUPER_MAGIC
        case .smb2: 0xFE53_4D42  // SMB2_SUPER_MAGIC
        case .plan9: 0x0102_1997  // V9FS_MAGIC
        case .fuse: 0x6573_5546  // FUSE_SUPER_MAGIC
        case .afs: 0x5346_414F  // AFS_SUPER_MAGIC
        case .kernelAFS: 0x6B41_4653  // AFS_FS_MAGIC
        case .ceph: 0x00C3_6400  // CEPH_SUPER_MAGIC
        case .coda: 0x7375_7245  // CODA_SUPER_MAGIC
        case .netware: 0x564C  // NCP_SUPER_MAGIC
        }
    }

    /// The network file system with this `f_type`, or nil when the number means a local one.
    package init?(magic: UInt32) {
        guard let found = Self.allCases.first(where: { $0.magic == magic }) else { return nil }
        self = found
    }

    /// Asks the kernel about the file system under an open file or directory.
    static func under(_ descriptor: borrowing Descriptor, path: String) throws(StorageError) -> NetworkFileSystem? {
        var answer = statfs()
        while fstatfs(descriptor.number, &answer) != 0 {
            if errno != EINTR { throw .system(.status, path: path, errno: errno) }
        }
        // f_type is a signed word whose upper half is noise for numbers above 0x7fffffff on some architectures.
        return NetworkFileSystem(magic: UInt32(truncatingIfNeeded: answer.f_type))
    }
}
