import GRDB

extension StateDatabase {
    /// Whether a database of ours can be used, without bringing it up to date. Waits for others for a second at most.
    ///
    /// - Returns: its version, or nil when there is none.
    /// - Throws: what opening it would throw, and `.damaged` when SQLite finds a fault in it (SQLite: PRAGMA quick_check).
    package static func inspect(
        _ name: String, in directory: StateDirectory, applicationID: Int32, newestVersion: Int
    ) throws(StateDatabaseError) -> Int? {
        let path: String
        do throws(StorageError) {
            guard let opened = try directory.existing(), try judge(name, in: opened) else { return nil }
            path = opened.path(of: name)
        } catch {
            throw .storage(error)
        }
        var configuration = Configuration()
        configuration.busyMode = .timeout(1)
        configuration.label = "clover-inspection"
        do {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            return try queue.read { database -> Int? in
                let found = try Int32.fetchOne(database, sql: "PRAGMA application_id") ?? 0
                let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
                // Begun when there was no room, for one; the next that writes goes on with it.
                if found == 0, version == 0, try isEmpty(database) { return nil }
                guard found == applicationID else {
                    throw StateDatabaseError.otherContent(path: path, applicationID: found)
                }
                guard version <= newestVersion else {
                    throw StateDatabaseError.newerVersion(path: path, found: version, known: newestVersion)
                }
                guard try String.fetchOne(database, sql: "PRAGMA quick_check(1)") == "ok" else {
                    throw StateDatabaseError.damaged(path: path)
                }
                return version
            }
        } catch let error as StateDatabaseError {
            throw error
        } catch {
            throw translated(error, path: path)
        }
    }
}
