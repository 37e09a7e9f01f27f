import CloverAPI
package import CloverJSON

/// The rows of one output of a window, which wait until the window is read to its end. They need no lock of the database, so
/// that others can work with it while the service sends. Only a new SQLite file, and new tables of a PostgreSQL server, where
/// others see nothing yet, take them at once.
///
/// One thread at a time may use it.
package final class TableStage: @unchecked Sendable {
    let root: RecordTable
    private let database: TableDatabase
    /// The rows of each table, by the passes that write them.
    private var passes: [[ObjectIdentifier: any StagedRows]] = []
    private var count = 0
    /// Table of the ids that `addParents` got.
    private var parentTable: RecordTable?

    init(_ root: RecordTable, in database: TableDatabase) {
        self.root = root
        self.database = database
    }

    /// Adds records. Those of a window come before their entries, page by page.
    package func add(_ batch: RecordBatch) throws(TableError) {
        // Of records alone, the newest version is found when they are written.
        let hasEntries = database.stages.count > 1 || root.isList || !root.lists.isEmpty
        try database.store.stage {
            try batch.bytes.withUnsafeBytes { bytes in
                for record in batch.records {
                    let number = count
                    count += 1
                    var pass = 0
                    try root.read(UnsafeRawBufferPointer(rebasing: bytes[record.range]), number: number) {
                        table, cells in
                        // The first column is the id of the record, also in an entry.
                        if table === root, hasEntries { pass = self.pass(of: cells[0], isEntry: root.isList) }
                        try staged(table, pass).add(cells)
                    }
                }
            }
        }
    }

    /// Adds records, by their ids, of which this output has all entries, in a window that does not write the records
    /// themselves.
    package func addParents(_ ids: [String]) throws(TableError) {
        let table =
            parentTable
            ?? RecordTable("parents", model: nil, shop: database.shop, zone: nil, limits: database.store.limits)
        parentTable = table
        try database.store.stage {
            // A row has the columns `id` and `record`.
            for id in ids {
                let isEntry = database.stages.first !== self
                try staged(table, pass(of: .text(id), isEntry: isEntry)).add([.text(id), .null])
            }
        }
    }

    /// The pass that writes a record or its entries.
    private func pass(of id: Cell, isEntry: Bool) -> Int {
        guard !isEntry else { return database.versions.latest(of: id) }
        let pass = database.versions.add(id)
        if pass > 0 { for stage in database.stages { stage.root.beginRecord() } }
        return pass
    }

    /// Drops the rows.
    package func discard() throws(TableError) {
        database.stages.removeAll { $0 === self }
        if database.stages.isEmpty { database.versions = RecordVersions() }
        let staged = passes.flatMap(\.values)
        passes = []
        try database.store.stage { for rows in staged { try rows.discard() } }
        guard database.stages.isEmpty else { return }
        database.earlyIndices = []
        try database.store.abandonWindow()
    }

    /// The rows of a table in this pass; nil for none.
    func rows(of table: RecordTable) -> (any StagedRows)? {
        database.pass < passes.count ? passes[database.pass][ObjectIdentifier(table)] : nil
    }

    /// Waits until nothing is written any more.
    func finish() throws { for rows in passes.flatMap(\.values) { try rows.finish() } }

    /// What `addParents` added; nil for nothing.
    var parents: (any StagedRows)? { parentTable.flatMap(rows(of:)) }

    private func staged(_ table: RecordTable, _ pass: Int) -> any StagedRows {
        let key = ObjectIdentifier(table)
        while passes.count <= pass { passes.append([:]) }
        if let known = passes[pass][key] { return known }
        let makeTable: (() throws -> Void)? =
            pass > 0 || table === parentTable
            ? nil : { [unowned database = self.database] in try database.makeTableEarly(table) }
        let new = database.store.stagedRows(of: table, number: database.nextNumber(), makeTable)
        passes[pass][key] = new
        return new
    }
}

extension TableDatabase {
    /// Begins an output of a window.
    ///
    /// - Parameters:
    ///   - resource: the resource, or `RESOURCE.PART`.
    ///   - model: model of the records; nil if unknown.
    ///   - lists: paths of the nested lists in the records that get tables.
    /// - Throws: `.foreignTable` when a table of the name was not made by an export.
    package func stage(_ resource: String, model: String?, lists: [String]) throws(TableError) -> TableStage {
        let name = Self.table(of: resource)
        let names = [name] + lists.map { Self.table(of: name + "." + $0) }
        let taken = try store.access {
            let taken = try takenColumns()
            for name in names { try refuseForeign(name, isKnown: taken[name] != nil) }
            return taken
        }
        let table = RecordTable(
            name, model: model.flatMap { ModelCatalogue.model(named: $0) }, lists: lists,
            isList: resource.contains("."), shop: shop, zone: zone, taken: taken, limits: store.limits)
        let stage = TableStage(table, in: self)
        stages.append(stage)
        written.formUnion(names)
        return stage
    }

    /// Refuses a table or view that no export made.
    ///
    /// - Parameter isKnown: whether the list of columns has some of it.
    func refuseForeign(_ name: String, isKnown: Bool) throws {
        guard let found = try store.relation(name) else { return }
        // Others may have deleted its columns from the list of columns.
        guard try found == .table && (isKnown || rowDigests.digest(of: name) != nil) else {
            throw TableError.foreignTable(path: path, name: name)
        }
    }

    /// Drops all rows that wait.
    package func discardStages() throws(TableError) {
        for stage in stages { try stage.discard() }
        try dropLists()
    }

    func dropLists() throws(TableError) {
        guard !lists.isEmpty else { return }
        try store.stage { try store.dropTemporary(lists) }
        lists = []
    }

    /// The columns of our tables with their fields; those that the user added have an empty one.
    private func takenColumns() throws -> [String: [String: String]] {
        var taken: [String: [String: String]] = [:]
        for row in try store.run("SELECT table_name, column_name, field FROM clover_export_columns") {
            taken[row[0].text ?? "", default: [:]][row[1].text ?? ""] = row[2].text
        }
        for table in taken.keys {
            for name in try store.columns(of: table).keys where taken[table]?[name] == nil {
                taken[table]?[name] = ""
            }
        }
        return taken
    }
}
