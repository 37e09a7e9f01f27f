/// Writing a window.
extension TableDatabase {
    /// A window that was read to its end.
    package struct Window: Sendable {
        package var resource: String
        /// Identifies the plan that the window belongs to.
        package var plan: String
        /// Number of the window in the plan.
        package var number: Int
        /// The resource's revision before it; nil before its first window.
        package var revision: Int64?
        /// The resource's revision after it. The same one on each attempt tells whether an earlier one succeeded.
        package var next = Int64.random(in: 1 ... .max)
        /// Milliseconds since 1970.
        package var now: Int64
        /// Whether to remember its records, for `unseen`.
        package var keepsSeen = false
        /// Whether its records also replace rows with a later time of change.
        package var replacesNewer = false
        /// Whether it has all records of the resource.
        package var isWholeList = false

        package init(resource: String, plan: String, number: Int, revision: Int64?, now: Int64) {
            self.resource = resource
            self.plan = plan
            self.number = number
            self.revision = revision
            self.now = now
        }
    }

    /// Writes all rows that wait, together with the window's mark, in one transaction.
    ///
    /// A row is replaced by one of the same id unless it has a later time of change and the window does not replace such
    /// rows. The entries of its lists are replaced
    /// with it. Writing the same window again changes nothing.
    ///
    /// - Throws: `.away` when it is not known whether they are written; the rows still wait then, for another attempt with the
    ///   same window.
    /// - Returns: the resource's new revision.
    package func commit(_ window: Window) throws(TableError) -> Int64 {
        try store.stage { for stage in stages { try stage.finish() } }
        try store.writeWindow {
            newIndices = earlyIndices
            guard try mark(window) else { return }
            for pass in 0...versions.last { try write(window, pass: pass) }
            try countReturnedRowsOnce()
            try makeNewIndices()
            if !stages.isEmpty { try updateViews() }
        }
        try discardStages()
        return window.next
    }

    /// Writes the rows of one pass.
    private func write(_ window: Window, pass: Int) throws {
        self.pass = pass
        var window = window
        if pass > 0 {
            // The version of the pass before is there, and the other records.
            window.replacesNewer = false
            window.isWholeList = false
        }
        // Records before their lists.
        let changed = try stages.first { !$0.root.isList }.map { try upsert($0, window) }
        for part in stages where part.root.isList {
            if let changed {
                try replaceLists(part.root, of: part, parents: changed)
            } else {
                let parents = try named(by: part)
                let isLoaded = if case .listed = parents { true } else { false }
                try replaceLists(part.root, of: part, parents: parents, isLoaded: isLoaded)
            }
        }
    }

    /// The records whose lists are replaced.
    private enum Changed {
        /// All of this table or query, of which none was there before; nil for none at all.
        case new(table: String?)
        /// Those whose ids are in this temporary table.
        case listed(table: String)

        /// The condition that an entry belongs to them.
        var isParent: String {
            switch self {
            case .new: "true"
            case .listed(let table): "parent_id IN (SELECT id FROM \(table))"
            }
        }
    }

    /// Puts the ids that a query gives into a temporary table, which is dropped with the stages.
    private func listed(_ query: String) throws -> Changed {
        let table = store.temporary("changed_\(nextNumber())")
        try store.makeList(named: table)
        lists.append(table)
        try store.run("INSERT INTO \(table) SELECT DISTINCT id FROM (\(query)) AS found WHERE id IS NOT NULL")
        return .listed(table: table)
    }

    /// Writes the records of a stage, and the lists in them.
    private func upsert(_ stage: TableStage, _ window: Window) throws -> Changed {
        let table = stage.root
        try makeTable(table)
        if table.hasSubstitutes, !window.isWholeList { try refuseNumbers(in: table) }
        guard let staged = stage.rows(of: table) else {
            if window.isWholeList { try delete(table, where: RecordTable.isSubstitute) }
            return .new(table: nil)
        }
        let name = store.name(of: table)
        let time = table.columns.first { $0.field == RecordTable.modified }?.quoted
        var changed = Changed.new(table: name)
        let written = try staged.writeDirectly(isEmpty: isEmpty(table))
        if let written {
            try count(written, in: table)
            changed = .new(table: rows(of: table, where: written.condition))
        } else {
            try staged.load(key: ["id"], newerBy: time)
            changed = .new(table: staged.name)
            let isKnown = try store.value("SELECT EXISTS (SELECT 1 FROM \(staged.name) JOIN \(name) USING (id))")
            let kept = window.replacesNewer ? nil : time
            try copy(staged, key: ["id"], newerBy: kept, where: "true", isNew: !isKnown.isTrue)
            if isKnown.isTrue {
                try unmark(table, in: staged.name)
                let isOlder = kept.map { "coalesce(there.\($0) > here.\($0), false)" } ?? "false"
                changed = try listed(
                    """
                    SELECT here.id AS id FROM \(staged.name) AS here JOIN \(name) AS there ON there.id = here.id
                    WHERE NOT \(isOlder)
                    """)
            }
        }
        if window.keepsSeen {
            try keepSeen(window, in: written.map { rows(of: table, where: $0.condition) } ?? staged.name)
        }
        if window.isWholeList, written?.condition != "true" {
            // Others are of earlier versions of these records, or of records that Clover no longer has.
            let kept = written.map { rows(of: table, where: $0.condition) } ?? staged.name
            try delete(table, where: "\(RecordTable.isSubstitute) AND id NOT IN (SELECT id FROM \(kept) AS kept)")
        }
        for list in table.lists { try replaceLists(list, of: stage, parents: changed) }
        return changed
    }

    /// Refuses a table in which records without an id have numbers, under which the same records would come once more.
    private func refuseNumbers(in table: RecordTable) throws {
        let found = try store.value(
            "SELECT EXISTS (SELECT 1 FROM \(store.name(of: table)) WHERE \(RecordTable.isNumber))")
        if found.isTrue { throw TableError.numberedRows(path: path, table: table.name) }
    }

    /// Adds rows to the sums of their table.
    private func count(_ rows: WrittenRows, in table: RecordTable) throws {
        try rowDigests.add(rows.digest ?? digest(of: table.name, where: rows.condition), to: table.name)
        try noteAddedRows(of: table.name, where: rows.condition)
    }

    /// What a query reads these rows from.
    private func rows(of table: RecordTable, where condition: String) -> String {
        let name = store.name(of: table)
        return condition == "true" ? name : "(SELECT id FROM \(name) AS entry WHERE \(condition))"
    }

    /// The records that the entries of a stage name, and those that it has all entries of, which may be none; its rows are
    /// loaded if the table has any.
    private func named(by part: TableStage) throws -> Changed {
        guard try part.rows(of: part.root)?.areWritten != true && !isEmpty(part.root) else { return .new(table: nil) }
        var queries: [String] = []
        if let staged = part.rows(of: part.root) {
            try staged.load(key: Self.entryKey, newerBy: nil)
            queries.append("SELECT parent_id AS id FROM \(staged.name)")
        }
        if let parents = part.parents {
            try parents.load(key: ["id"], newerBy: nil)
            queries.append("SELECT id FROM \(parents.name)")
        }
        guard !queries.isEmpty else { return .new(table: nil) }
        return try listed(queries.joined(separator: " UNION ALL "))
    }

    static let entryKey = ["parent_id", "id"]

    /// Whether a table has no rows, or is not there yet.
    func isEmpty(_ table: RecordTable) throws -> Bool {
        guard try store.relation(table.name) != nil else { return true }
        return try !store.value("SELECT EXISTS (SELECT 1 FROM \(store.name(of: table)))").isTrue
    }

    /// Writes the entries of a list in place of those that their records had before.
    ///
    /// - Parameter isLoaded: whether the entries are in their temporary table already.
    private func replaceLists(
        _ list: RecordTable, of stage: TableStage, parents: Changed, isLoaded: Bool = false
    ) throws {
        try makeTable(list)
        let name = store.name(of: list)
        let staged = stage.rows(of: list)
        var parents = parents
        if case .new(let records?) = parents, staged?.areWritten != true {
            // Entries of records that were removed.
            let hasEntries = try store.value(
                "SELECT EXISTS (SELECT 1 FROM \(records) AS record JOIN \(name) AS entry ON entry.parent_id = record.id)"
            )
            if hasEntries.isTrue { parents = try listed("SELECT id FROM \(records)") }
        }
        var entries = Changed.new(table: name)
        if case .new = parents, let staged, let written = try staged.writeDirectly(isEmpty: isEmpty(list)) {
            // Nothing was there.
            try count(written, in: list)
            entries = .new(table: rows(of: list, where: written.condition))
        } else {
            if !isLoaded { try staged?.load(key: Self.entryKey, newerBy: nil) }
            if case .listed = parents {
                var isGone = "true"
                if let staged {
                    try staged.index(key: Self.entryKey)
                    isGone = """
                        NOT EXISTS (SELECT 1 FROM \(staged.name) AS kept
                            WHERE kept.parent_id = entry.parent_id AND kept.id = entry.id)
                        """
                }
                try delete(list, where: "\(parents.isParent) AND \(isGone)")
            }
            if let staged {
                let isNew = if case .new(_?) = parents { true } else { false }
                try copy(staged, key: Self.entryKey, newerBy: nil, where: parents.isParent, isNew: isNew)
            }
            entries = .new(table: staged?.name)
        }
        guard !list.lists.isEmpty else { return }
        if case .listed = parents { entries = try listed("SELECT id FROM \(name) WHERE \(parents.isParent)") }
        for inner in list.lists { try replaceLists(inner, of: stage, parents: entries) }
    }

    /// Deletes rows with everything in them.
    ///
    /// - Parameter condition: about the row `entry`.
    private func delete(_ list: RecordTable, where condition: String) throws {
        // PostgreSQL deletes nothing without a key from a table that is published.
        try store.makeKeys()
        let name = store.name(of: list)
        for inner in list.lists {
            try makeTable(inner)
            try delete(inner, where: "parent_id IN (SELECT id FROM \(name) AS entry WHERE \(condition))")
        }
        try rowDigests.add(TableDigest() - digest(of: list.name, where: condition), to: list.name)
        try store.run("DELETE FROM \(name) AS entry WHERE \(condition)")
    }

    /// Copies staged rows. A row that is there already is changed only where it differs.
    ///
    /// - Parameters:
    ///   - time: column that says which of two rows is newer; nil when the staged row always is.
    ///   - condition: which staged rows.
    ///   - isNew: whether none of their keys is in the table.
    private func copy(
        _ staged: any StagedRows, key: [String], newerBy time: String?, where condition: String, isNew: Bool
    ) throws {
        try store.makeKeys()
        let table = staged.table
        let names = table.columns.map(\.quoted).joined(separator: ", ")
        let values = table.columns.filter { !key.contains($0.name) }
        func list(_ owner: String) -> String {
            values.map { store.comparable("\(owner).\($0.quoted)", $0) }.joined(separator: ", ")
        }
        let isNewer = time.map { "coalesce(excluded.\($0) >= there.\($0), true) AND " } ?? ""
        let isFirst = try isEmpty(table)
        let isCopied =
            "(\(key.map { "entry.\($0)" }.joined(separator: ", "))) IN "
            + "(SELECT \(key.joined(separator: ", ")) FROM \(staged.name))"
        let before = isFirst || isNew ? TableDigest() : try digest(of: table.name, where: isCopied)
        let known = isFirst || isNew ? [] : try knownKeys(of: table.name, where: isCopied)
        let insertion = """
            INSERT INTO \(store.name(of: table)) AS there (\(names))
            SELECT \(names) FROM \(staged.name) WHERE \(condition)
            """
        // Faster where there is nothing to compare.
        if isNew, staged.hasOneRowForEachKey {
            try store.run(insertion)
        } else {
            try store.run(
                """
                \(insertion)
                ON CONFLICT (\(key.joined(separator: ", "))) DO UPDATE
                SET \(values.map { "\($0.quoted) = excluded.\($0.quoted)" }.joined(separator: ", "))
                WHERE \(isNewer)(\(list("there"))) IS DISTINCT FROM (\(list("excluded")))
                """)
        }
        let written = isFirst ? "true" : isCopied
        try rowDigests.add(digest(of: table.name, where: written) - before, to: table.name)
        try noteAddedRows(of: table.name, where: written, except: known)
    }

    /// Creates a table, or adds columns, for rows that are written before the window's end.
    func makeTableEarly(_ table: RecordTable) throws {
        newIndices = earlyIndices
        try makeTable(table)
        earlyIndices = newIndices
    }

    /// Creates a table, or adds the columns that it does not have yet. It never changes or drops one.
    private func makeTable(_ table: RecordTable) throws {
        let name = store.name(of: table)
        let known = Set(try ownColumns(of: table.name))
        // Others may have made it while the window was read.
        try refuseForeign(table.name, isKnown: !known.isEmpty)
        let there = try store.columns(of: table.name)
        if there.isEmpty {
            let columns = table.columns.map { "    " + store.definition(of: $0) }
            let key = (table.isList ? Self.entryKey : ["id"]).joined(separator: ", ")
            try store.makeTable(name, columns: columns, key: key)
        } else {
            for column in table.columns where there[column.name] == nil {
                try store.run("ALTER TABLE \(name) ADD COLUMN \(column.quoted) \(store.type(of: column.kind))")
            }
        }
        try restoreDeletedColumn(of: table, there)
        try beginDigest(of: table)
        try typeDigests.begin(table.name) { try types(of: table.name, known) }
        let new = table.columns.filter { there[$0.name] == nil }
        guard try !new.isEmpty || !hasKey(table.name) else { return }
        let unknown = Set(table.columns.map(\.name)).subtracting(known)
        if try hasKey(table.name) {
            try typeDigests.add(types(of: table.name, unknown), to: table.name)
        } else {
            // A new table, or others deleted some from the list of columns.
            try typeDigests.keep(types(of: table.name, known.union(unknown)), of: table.name)
        }
        for column in table.columns {
            try store.run(
                """
                INSERT INTO clover_export_columns (table_name, column_name, field) VALUES ($1, $2, $3)
                ON CONFLICT DO NOTHING
                """, .text(table.name), .text(column.name), .text(column.field))
        }
        newIndices += new.filter { Self.isIndexed($0, isList: table.isList) }.map { (table, $0) }
    }

    /// Creates the indices of new columns. It is faster to do that after the rows of the window.
    private func makeNewIndices() throws {
        try store.makeKeys()
        for (table, column) in newIndices { try store.makeIndex("\(table.name)_\(column.name)", on: table, column) }
        newIndices = []
    }

    static func isKey(_ column: TableColumn) -> Bool {
        column.kind == .parent || column.name == "id" || column.kind == .record
    }

    /// Whether joins and reports look for it. Entries of lists are found by the time of their records.
    private static func isIndexed(_ column: TableColumn, isList: Bool) -> Bool {
        indexed.contains(column.field) && column.kind != .utc && column.kind != .local
            && !(isList && column.field == "createdTime")
    }

    private static let indexed: Set<String> = [
        "order.id", "orderRef.id", "payment.id", "item.id", "createdTime",
    ]
}
