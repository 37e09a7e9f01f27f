import CloverCalendar
import CloverExport
import CloverJSON
import CloverTables
import CloverTestSupport
import Foundation
import GRDB

/// A database with what other programs see of it.
final class TableWorld {
    enum Kind: CaseIterable, Sendable { case sqlite, postgreSQL }

    static let shop = ShopFacts(currency: "USD", decimals: 2, zone: "UTC")

    let kind: Kind
    let folder: TemporaryDirectory
    let address: DatabaseAddress
    private(set) var database: TableDatabase
    private let server: PostgreSQLServer?
    private let name: String
    private var revisions: [String: Int64] = [:]
    private var number = 0

    init(_ kind: Kind, merchant: String = "M", before: String? = nil) async throws {
        self.kind = kind
        folder = try TemporaryDirectory()
        switch kind {
        case .sqlite:
            (server, name) = (nil, folder["shop.db"])
            address = .sqlite(path: name)
        case .postgreSQL:
            let server = try await PostgreSQLServer.shared
            (self.server, name) = (server, try await server.makeDatabase())
            address = .postgreSQL(url: server.url(name))
        }
        if let before {
            if let server {
                _ = try await server.rows(before, in: name)
            } else {
                try await DatabaseQueue(path: name).write { try $0.execute(sql: before) }
            }
        }
        database = try TableDatabase(address, isPrivate: false)
        try database.prepare("ID", environment: "us", merchant: merchant, shop: Self.shop, zone: .utc)
        for marker in try database.markers() { revisions[marker.resource] = marker.revision }
    }

    /// Begins another run.
    func reopen() throws {
        database = try TableDatabase(address, isPrivate: false)
        try database.prepare("ID", environment: "us", merchant: "M", shop: Self.shop, zone: .utc)
        revisions = [:]
        for marker in try database.markers() { revisions[marker.resource] = marker.revision }
    }

    /// Writes a window of records, and of line items.
    ///
    /// - Parameter parents: the records that the items belong to, in a window without records.
    func write(
        _ records: [String]?, items: [String]? = nil, parents: [String] = [], lists: [String] = [],
        resource: String = "orders", model: String = "order.Order", replacesNewer: Bool = false,
        isWholeList: Bool = false
    ) throws {
        number += 1
        if let records {
            let stage = try database.stage(resource, model: model, lists: lists)
            try stage.add(Self.batch(records))
        }
        if let items {
            let part = try database.stage("\(resource).line_items", model: "order.LineItem", lists: [])
            if !parents.isEmpty { try part.addParents(parents) }
            if !items.isEmpty { try part.add(Self.batch(items)) }
        }
        var window = TableDatabase.Window(
            resource: resource, plan: "last@1", number: number, revision: revisions[resource], now: 5)
        window.replacesNewer = replacesNewer
        window.isWholeList = isWholeList
        revisions[resource] = try database.commit(window)
    }

    static func batch(_ records: [String]) -> RecordBatch {
        var batch = RecordBatch()
        for record in records { Array(record.utf8).withUnsafeBytes { batch.append($0) } }
        return batch
    }

    /// Orders of several pieces, of which the last ones have a field more, with two line items each.
    static func manyOrders(items ids: [String] = ["L", "M"]) -> RecordBatch {
        let text = String(repeating: "x", count: 400)
        let items = ids.enumerated().map { #"{"id":"\#($1)","price":\#($0 + 1)}"# }.joined(separator: ",")
        return batch(
            (0..<6000).map { number in
                let late = number < 5000 ? "" : #","late":"\#(number)""#
                let facts = #""id":"O\#(number)","total":\#(number),"modifiedTime":1,"y":"\#(text)"\#(late)"#
                return "{\(facts),\"lineItems\":{\"elements\":[\(items)]}}"
            })
    }

    /// A newer version of one of these orders, with one line item.
    static let newerOrder = TableWorld.batch([
        #"{"id":"O5","total":-1,"modifiedTime":2,"lineItems":{"elements":[{"id":"M","price":7}]}}"#
    ])

    func run(_ sql: String) async throws {
        guard let server else { return try await DatabaseQueue(path: name).write { try $0.execute(sql: sql) } }
        _ = try await server.rows(sql, in: name)
    }

    /// Rows as text, with a bar between columns and `-` for NULL.
    func rows(_ sql: String) async throws -> [String] {
        if let server { return try await server.rows(sql, in: name) }
        return try await DatabaseQueue(path: name).read { database in
            try Row.fetchAll(database, sql: sql).map { row in
                row.databaseValues.map { value in
                    value.isNull ? "-" : String.fromDatabaseValue(value) ?? "\(value)"
                }.joined(separator: "|")
            }
        }
    }

    /// The records that a statement gives.
    func lines(_ sql: String) throws -> [String] {
        let query = try DatabaseQuery(address, sql)
        var lines: [String] = []
        while let batch = try query.next() {
            lines += batch.records.map { String(decoding: batch.bytes[$0.range], as: UTF8.self) }
        }
        return lines
    }
}
