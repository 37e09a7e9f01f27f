import ArgumentParser
import CloverCore
import CloverExport
import CloverJSON
import CloverOutput
import CloverSystem
import CloverTables

extension Export {
    /// `clover export sql`.
    struct SQL: OwnRecordCommand {
        static let configuration = CommandConfiguration(
            commandName: "sql",
            abstract: "Print what a statement reads from an exported database",
            discussion: """
                Examples:
                  clover export sql sqlite:shop.db 'select * from payments_by_tender'
                  clover export sql sqlite:shop.db --format csv \\
                    'select name, sum(amount) as amount from sales_lines group by name'
                  clover export sql sqlite:shop.db 'select record from orders' --jq .record

                It prints each row as a record: NDJSON, or on a terminal a table. The database is opened read-only; a \
                statement that would write, itself or by a function, is refused. The service is not asked.

                The tables are those of the resources, such as orders and payments, and of the nested lists of --with, \
                such as orders__line_items, whose parent_id is the id of the order. Amounts in tables are integers in \
                the smallest unit of the currency, and times are milliseconds since 1970, with text in UTC (..._utc) \
                and in the shop's time zone (..._local) beside them. The views sales_lines and payments_by_tender have \
                amounts in whole units.

                Of columns with the same name, such as o.id and p.id, the later ones are named id_2, id_3, and so on.

                In a jq program, day, hour and iso are in the time zone of the database's shop; if an export could not \
                read that, they are errors (65) unless --zone names one.

                A PostgreSQL database, such as postgresql://host/shop, is asked in a transaction that only reads, and rows \
                are printed as the server finds them. The columns ..._utc and ..._local are timestamps there, \
                and records are JSON: --jq .record.id.

                Exit statuses:
                  0   done
                  64  the statement is wrong, writes, or returns no rows
                  66  there is no such database
                  73  the file is not an SQLite database
                  75  another program has locked the database, or its server is away
                  77  the server lets this user not in, or not at the tables
                  78  libpq is not installed, or the server's certificate cannot be checked
                """
        )

        @Argument(
            help: ArgumentHelp("Database, such as sqlite:shop.db or postgresql://host/shop.", valueName: "database"),
            completion: .file())
        var address: String

        @Argument(help: ArgumentHelp("One SQL statement that reads.", valueName: "statement"))
        var statement: String

        @OptionGroup(title: "Output")
        var output: RecordOutputOptions

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func validate() throws {
            guard try DatabaseAddress.parsed(address, of: "the database") != nil else {
                throw ValidationError(
                    "'\(address)' is not a database; write it as sqlite:FILE or postgresql://HOST/DATABASE")
            }
        }

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            guard let database = try DatabaseAddress.parsed(address, of: "the database") else { return 0 }
            var records = try await output.records(messages, in: environment)
            // The zone and currency of the database's shop, which may be another one than the one signed in.
            let owner = await DedicatedThread.run { () -> TableSnapshot.Owner? in
                do throws(TableError) {
                    return try TableDatabase.read(database) { $0.owner }
                } catch {
                    // Not an export's, or a user who may read views only. Other errors meet the statement, too.
                    return nil
                }
            }
            if let owner {
                records.settings = MerchantSettings(zone: owner.zone ?? "", currency: owner.currency ?? "")
            }
            let query = try await DedicatedThread.run { [statement] () throws(TableError) in
                try DatabaseQuery(database, statement)
            }
            if !query.newNames.isEmpty {
                environment.diagnostics.notice(
                    "several columns have the same name, so later ones are named "
                        + query.newNames.joined(separator: ", ") + "; to choose a name: ... AS total")
            }
            let schema = Self.schema(of: query.columns)
            let unnamed = query.columns.filter { name in !schema.columns.contains { $0.path.text == name } }
            let hasColumns = try records.format.format?.hasColumns ?? records.isTable(schema, in: environment)
            if hasColumns, !unnamed.isEmpty {
                throw ValidationError(
                    "a column needs a name without dots here, not '\(unnamed[0])': ... AS total")
            }
            let report = try await records.print(schema, in: environment) {
                try await DedicatedThread.run { () throws(TableError) in try query.next() }
            }
            return output.jq.ending(of: report, in: environment)
        }

        /// A column whose name cannot be written as a field, such as `sum(amount*0.01)`, is only in JSON.
        private static func schema(of names: [String]) -> RecordSchema {
            let columns = names.compactMap { name -> RecordColumn? in
                do throws(FieldPathError) {
                    let path = try FieldPath(parsing: name)
                    return path.names.count == 1 ? RecordColumn(path) : nil
                } catch {
                    return nil
                }
            }
            // A narrow terminal shows fewer columns, and these whole.
            let shown = columns.enumerated().map { place, column in
                var column = column
                column.importance = place == 0 ? .key : .usual
                return column
            }
            return RecordSchema(columns: columns, tableColumns: shown)
        }
    }
}
