import CloverSystem
import Glibc

/// A destination that is only inspected: nothing is created in it.
extension ExportDirectory {
    /// Path with links resolved; nil when there is no such directory.
    package static func existing(_ path: String) -> String? {
        var facts = stat()
        guard stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR, let real = realpath(path, nil) else {
            return nil
        }
        defer { free(real) }
        return String(cString: real)
    }

    /// Whether exports were ever made to a directory: it has a manifest or an id.
    package static func isDestination(_ path: String) -> Bool {
        [NameTemplate.manifest, NameTemplate.oldManifest, "\(folder)/\(idName)"].contains { name in
            access("\(path)/\(name)", F_OK) == 0
        }
    }

    /// The id of a directory; nil when it has none, or one that this user cannot read.
    package static func identifier(at path: String) -> String? {
        do throws(StorageError) {
            return try identifier(in: OpenDirectory(path: "\(path)/\(folder)", rule: .own))
        } catch {
            return nil
        }
    }

    /// Whether a directory is a copy of another destination with this id that still exists.
    package static func isCopy(_ path: String, of other: String, identifier: String) -> Bool {
        var (here, there) = (stat(), stat())
        guard other != path, stat("\(path)/\(folder)", &here) == 0, stat("\(other)/\(folder)", &there) == 0,
            here.st_dev != there.st_dev || here.st_ino != there.st_ino
        else { return false }
        // A directory that is not an export's, or cannot be read, is not the original.
        return Self.identifier(at: other) == identifier
    }

    /// Takes the lock of a destination, so that no export changes it meanwhile. A directory of another machine or user
    /// has no lock to take.
    ///
    /// - Returns: nil when an export is running.
    package static func inspectionLock(_ path: String) -> InspectionLock? {
        do throws(StorageError) {
            let own = try OpenDirectory(path: "\(path)/\(folder)", rule: .own)
            guard let lock = try ExportLock.tryAcquire(lockName, in: own) else { return nil }
            return InspectionLock(lock: lock)
        } catch {
            return isLocked(path) ? nil : InspectionLock(lock: nil)
        }
    }

    /// Held during an inspection; without a lock for a directory of another machine or user.
    package struct InspectionLock: Sendable {
        let lock: ExportLock?
    }
}
