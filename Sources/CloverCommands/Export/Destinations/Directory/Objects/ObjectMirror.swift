import CloverAuth
import CloverCore
import CloverExport
import CloverHTTP
import CloverSystem
import Glibc
import Synchronization

/// An export in an object store, and the directory on this machine that shows its objects as files without their bytes.
///
/// A run writes a file there, uploads it whole, and then gives the empty file its name. So names, windows and the manifest
/// are those of a directory. One run on this machine at a time has the directory's lock; the object `.clover-export/id`
/// keeps other machines away. The manifest is replaced only if no other program replaced it.
final class ObjectMirror: Sendable {
    let store: ObjectStore
    let directory: ExportDirectory
    private let lock: ExportLock
    private let manifest = Mutex(Manifest())

    private struct Manifest {
        /// The object's tag; nil when there is none.
        var tag: String?
        var sha256: String?
    }

    private static let idName = "\(ExportDirectory.folder)/id"
    /// Numbers of the temporary files of the manifest and of a growing object, which no exported file has.
    private static let manifestNumber = 4_000_000
    private static let growingNumber = 4_000_001
    /// Seconds to wait for a store that is away without `--max-time`.
    private static let patience = 60.0

    /// The directory that shows the objects.
    static func directory(
        of address: ObjectAddress, in environment: CommandEnvironment
    ) async throws -> ExportDirectory {
        let state = try environment.stateDirectory()
        return try await DedicatedThread.run {
            _ = try state.prepareSubdirectory(ExportStatus.lockFolder, rule: .own)
            return try ExportDirectory("\(state.path)/\(ObjectAddress.folder(of: address.name))", showing: address)
        }
    }

    /// - Parameter run: the run that waits while the store is away; nil for an inspection.
    init(
        _ address: ObjectAddress, _ directory: ExportDirectory, _ lock: ExportLock, _ choice: ConnectionChoice,
        in environment: CommandEnvironment, waitingFor run: ExportOpening? = nil
    ) async throws {
        let signature = try ObjectStoreSettings.read(in: environment).signature()
        environment.diagnostics.mask.hide(signature.secretAccessKey)
        if let token = signature.sessionToken { environment.diagnostics.mask.hide(token) }
        let now: @Sendable () -> Double = { [clock = environment.clock] in Double(clock.boot()) / 1000 }
        let waiting = ObjectStore.Waiting(
            now: now, end: run?.end ?? now() + Self.patience, sleep: environment.sleep,
            notice: { [diagnostics = environment.diagnostics] reason in
                if let reason { diagnostics.notice("waiting: \(reason)") }
                run?.results.waits(for: reason)
            })
        let certificates = try await choice.completed(in: environment).certificateFile
        store = ObjectStore(
            address, signature, environment.transport(TransportChoice(certificateFile: certificates)), waiting)
        self.directory = directory
        self.lock = lock
    }

    convenience init(
        _ address: ObjectAddress, _ directory: ExportDirectory, _ lock: ExportLock, _ choice: ConnectionChoice,
        waitingFor run: ExportOpening
    ) async throws {
        try await self.init(address, directory, lock, choice, in: run.environment, waitingFor: run)
    }

    // MARK: What is there

    /// Takes the objects for this machine's state, and removes what is left of an upload that was killed.
    ///
    /// - Throws: `ExportError.foreignDestination` for those of another machine or user.
    func take(_ environment: CommandEnvironment) async throws {
        if let upload = try directory.upload() {
            let parts = upload.split(separator: "\n", maxSplits: 1).map(String.init)
            if parts.count == 2 { try await store.abort(parts[0], of: parts[1]) }
            try directory.note(upload: nil, holding: lock)
        }
        if let identifier = try await identifier() {
            let known = try await ExportStore.existing(in: environment.stateDirectory())?.destinations()[identifier]
            guard let known, known == directory.name || known.isEmpty else {
                throw ExportError.foreignDestination(path: directory.name)
            }
            try directory.setIdentifier(identifier, holding: lock)
        } else {
            try directory.removeIdentifier()
        }
        _ = try await show()
    }

    /// The id of the destination; nil when it has none.
    func identifier() async throws -> String? {
        try await store.bytes(of: Self.idName).map { bytes in
            String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        }
    }

    /// Makes the directory show what is in the store, with its manifest.
    ///
    /// - Returns: whether there is a manifest.
    func show() async throws -> Bool {
        let objects = try await store.list()
        let sizes = Dictionary(objects.map { ($0.name, $0.size) }) { first, _ in first }
        let tag = objects.first { $0.name == NameTemplate.manifest }?.tag
        let file = try await DedicatedThread.run { [directory] in
            try directory.show(sizes)
            return tag == nil ? nil : try directory.makeFile(Self.manifestNumber)
        }
        if let file {
            _ = try await store.get(NameTemplate.manifest, into: { 0 }) { size, piece in
                try file.write(piece, at: size)
                size += piece.count
            }
        }
        try await DedicatedThread.run { [directory] in try directory.replaceManifest(by: file) }
        note(tag: tag, try await manifestSum())
        return tag != nil
    }

    @inline(never)
    private func note(tag: String?, _ sha256: String?) {
        manifest.withLock { $0 = Manifest(tag: tag, sha256: sha256) }
    }

    private func manifestSum() async throws -> String? {
        try await DedicatedThread.run { [directory] in try directory.sha256(of: NameTemplate.manifest) }
    }

    /// Writes the id, unless another machine was first.
    func claim(_ identifier: String) async throws {
        guard try await self.identifier() != identifier else { return }
        do {
            try await store.put(Self.idName, Array((identifier + "\n").utf8), if: .isNew)
        } catch ObjectStoreError.overtaken {
            throw ExportError.foreignDestination(path: directory.name)
        }
    }

    // MARK: Objects

    /// What the bytes of an object are; nil when there is no such object.
    func contents(of name: String) async throws -> FileContents? {
        guard try directory.size(of: name) != nil else { return nil }
        return try await store.get(name, into: { FileContents(name) }) { $0.add($1) }
    }

    /// What the parts of an object are that end at these offsets; nil when there is no such object.
    func contents(of name: String, partsEndingAt ends: Set<Int64>) async throws -> ObjectContents? {
        guard try directory.size(of: name) != nil else { return nil }
        return try await store.get(name, into: { ObjectContents(name, partsEndingAt: ends) }) { $0.add($1) }
    }

    /// The first bytes of an object in a file that is not published yet.
    func beginning(of name: String, _ size: Int64) async throws -> ExportFile {
        let file = try await DedicatedThread.run { [directory] in try directory.makeFile(Self.growingNumber) }
        guard size > 0 else { return file }
        let found = try await store.get(name, into: { 0 }) { offset, piece in
            let wanted = Array(piece.prefix(Int(size) - offset))
            try file.write(wanted, at: offset)
            offset += wanted.count
        }
        guard let found, Int64(found) == size else {
            throw ExportError.truncatedFile(path: directory.shown(name), size: Int64(found ?? 0), known: size)
        }
        return file
    }

    /// Uploads a complete file, and then frees its space.
    func upload(_ file: ExportFile, as name: String) async throws {
        let size = try file.size()
        try await store.upload(
            name, size: size,
            begun: { [directory, lock] upload in
                try directory.note(upload: upload.map { "\($0)\n\(name)" }, holding: lock)
            },
            read: { offset, count in try await DedicatedThread.run { try file.read(count, at: offset) } })
        try await DedicatedThread.run { try file.hollow(size: size) }
    }

    func move(_ name: String, to newName: String) async throws {
        try await store.copy(name, to: newName)
        try await store.remove(name)
    }

    /// Writes the manifest if it has changed. It comes after the objects that it lists.
    func uploadManifest() async throws {
        let sum = try await manifestSum()
        let before = manifest.withLock { $0 }
        guard let sum, sum != before.sha256 else { return }
        let bytes = try await DedicatedThread.run { [directory] in
            try directory.bytes(of: NameTemplate.manifest, Int(directory.size(of: NameTemplate.manifest) ?? 0))
        }
        let condition: ObjectStore.Condition? = before.tag.map { .hasTag($0) } ?? .isNew
        note(tag: try await store.put(NameTemplate.manifest, bytes, if: condition), sum)
    }
}

extension ObjectStoreSettings {
    /// Reads the variables and files of AWS's tools.
    static func read(in environment: CommandEnvironment) throws -> ObjectStoreSettings {
        try ObjectStoreSettings(
            variables: environment.variables,
            home: UserDirectory.inHome("", in: environment.variables)
        ) { path in
            do {
                return try TextFile.read(path)
            } catch CoreError.unreadableFile(_, ENOENT) {
                return nil
            }
        }
    }
}
