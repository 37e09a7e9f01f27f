import Glibc

/// The file `moved` of a state directory: where its sign-ins and charges were moved to, or came from.
///
/// It has four lines: the stage, the identifier of the move, the other place, and `replaces` or nothing. While it says that the
/// directory was left, or that a move is unfinished, no program may use these sign-ins and charges, nor send requests that are
/// counted in the directory; see `StateDirectory.refuseMoved`.
package struct MoveMark: Equatable, Sendable {
    package enum Stage: String, Sendable {
        /// A move out of the directory has begun. Nothing was committed in the other place.
        case preparing
        /// A move out of the directory has begun. The other place may have everything by now.
        case leaving
        /// The other place has everything.
        case left
        /// A move into the directory has begun.
        case arriving
        /// The directory has everything, and is in use.
        case arrived
    }

    package let stage: Stage
    /// A random identifier, by which both places know the move.
    package let move: String
    /// The address of the database.
    package let place: String
    /// Whether what is in the directory is what an earlier move left there.
    package let replaces: Bool

    package static let name = "moved"
    private static let sizeLimit = 8192

    package init(_ stage: Stage, move: String, place: String, replaces: Bool = false) {
        self.stage = stage
        self.move = move
        self.place = place
        self.replaces = replaces
    }

    /// Nil if nothing was ever moved.
    package static func read(in state: StateDirectory) throws(StorageError) -> MoveMark? {
        guard let directory = try state.existing(),
            let bytes = try PrivateFile.read(name, in: directory, limit: sizeLimit)
        else { return nil }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count >= 4, let stage = Stage(rawValue: String(lines[0])) else {
            // As a later version may write it.
            throw .moved(path: state.path, to: "another place", stage: .left)
        }
        return MoveMark(stage, move: String(lines[1]), place: String(lines[2]), replaces: lines[3] == "replaces")
    }

    /// Replaces the mark, or removes it; that is on disk when this returns.
    ///
    /// - Parameter lock: of this one file.
    package static func set(
        _ mark: MoveMark?, in directory: borrowing OpenDirectory, holding lock: borrowing FileLock
    ) throws(StorageError) {
        guard let mark else {
            _ = try AtomicFile.remove(name, in: directory, holding: lock)
            return
        }
        let lines = [mark.stage.rawValue, mark.move, mark.place, mark.replaces ? "replaces" : ""]
        let text = lines.joined(separator: "\n") + "\n"
        try AtomicFile.replace(name, in: directory, with: Array(text.utf8), holding: lock)
    }
}

extension StateDirectory {
    /// The same directory for the program that moves it.
    package var forMoving: StateDirectory {
        var state = self
        state.ignoresMove = true
        return state
    }

    /// Refuses to use sign-ins, charges and counts of the directory that are elsewhere, or on their way.
    ///
    /// - Throws: `.moved`.
    package func refuseMoved() throws(StorageError) {
        // Most directories have no mark, and this is asked before each request.
        guard !ignoresMove, access(path + "/" + MoveMark.name, F_OK) == 0, let mark = try MoveMark.read(in: self),
            mark.stage != .arrived
        else { return }
        throw .moved(path: path, to: mark.place, stage: mark.stage)
    }
}
