package import CloverAPI
package import CloverCalendar
import CloverJSON
import CloverSystem
import Glibc

/// A table of records: its columns, and how a record becomes a row.
///
/// The columns are the scalar fields of the catalogue's model, and the ids of the objects in it. Scalars that the catalogue
/// does not know, and those of nested objects, become columns when they first have a value. Everything else is in the
/// column `record` only.
///
/// One thread at a time may use a table.
package final class RecordTable {
    package let name: String
    /// Whether the rows are entries of a nested list, with the key of their record.
    package let isList: Bool
    package private(set) var columns: [TableColumn] = []
    /// Tables of lists inside the records.
    package private(set) var lists: [RecordTable] = []

    private let shop: ShopFacts
    private let zone: TimeZoneRules?
    /// The last span with one offset: times of neighbouring records are mostly in the same one.
    private var span: TimeZoneRules.Span?
    /// Names that other columns have, in lower case, and their fields; empty for a column that is not ours.
    private var taken: [String: String]
    private let root: Member
    private var recordSlot = 0
    private let idSlot: Int
    private let currencySlot: Int?
    private var cells: [Cell] = []
    /// The number of records that were read.
    private var reads = 0
    /// Lists of the current record.
    private var found: [(table: RecordTable, entries: JSONView)] = []
    private var lastParent = ""
    private var position: Int64 = 0
    /// How often the records without an id had each hash.
    private var hashes: [String: Int] = [:]

    private let limits: TableLimits
    /// Names that every table of SQLite or PostgreSQL has for something else. `deleted_at` is that of `--mark-deleted`.
    private static let reserved: Set<String> = [
        "rowid", "_rowid_", "oid", "tableoid", "ctid", "xmin", "xmax", "cmin", "cmax",
    ]
    /// Objects inside objects inside a record have columns, and nothing deeper.
    private static let maximumDepth = 2
    /// The record's time of the last change.
    package static let modified = "modifiedTime"

    /// A member of the records.
    private final class Member {
        /// A copy that ends with the member. It is compared with each name in the records, so it is no array.
        let name: UnsafeRawBufferPointer
        /// Names of the members on the way to it, separated by dots.
        let path: String
        let depth: Int
        /// What the catalogue says of it.
        let field: Model.Field?
        /// Where its value goes; nil when it has no column.
        var slot: Int?
        /// Whether it stays in the record only.
        var isIgnored = false
        /// Table of its entries.
        var list: RecordTable?
        /// The number of the last record or list entry in which it was seen.
        var seen = 0
        private(set) var members: [Member] = []
        /// The place of the member after each, from the one before the first on. Records have their members in the same order,
        /// which need not be that of the catalogue.
        private var following = [0]
        /// Number of members up to the last one that was found.
        private var found = 0
        /// How many members are tried in this order before all are searched.
        private static let guesses = 4
        /// Model of its members.
        lazy var model: Model? = field?.type.nestedModel.flatMap { ModelCatalogue.model(named: $0) }

        init(name: [UInt8], path: String, depth: Int, field: Model.Field?) {
            let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: name.count, alignment: 1)
            copy.copyBytes(from: name)
            self.name = UnsafeRawBufferPointer(copy)
            self.path = path
            self.depth = depth
            self.field = field
        }

        deinit { name.deallocate() }

        func append(_ member: Member) {
            members.append(member)
            following.append(members.count)
        }

        /// Begins with the first member.
        func begin() { found = 0 }

        /// The member with a name; nil if it was never seen.
        @inline(__always)
        func find(_ wanted: UnsafeRawBufferPointer) -> Member? {
            var place = following[found]
            for _ in 0..<Self.guesses {
                guard place < members.count else { break }
                let member = members[place]
                if member.hasName(wanted) {
                    found = place + 1
                    return member
                }
                place = following[place + 1]
            }
            return search(wanted)
        }

        private func search(_ wanted: UnsafeRawBufferPointer) -> Member? {
            guard let place = members.firstIndex(where: { $0.hasName(wanted) }) else { return nil }
            following[found] = place
            found = place + 1
            return members[place]
        }

        @inline(__always)
        private func hasName(_ wanted: UnsafeRawBufferPointer) -> Bool {
            guard let own = name.baseAddress, let start = wanted.baseAddress else { return false }
            return name.count == wanted.count && memcmp(own, start, name.count) == 0
        }
    }

    /// - Parameters:
    ///   - name: name of the table.
    ///   - model: model of the records; nil if unknown.
    ///   - lists: paths of the nested lists that get tables, such as `lineItems` and `lineItems.discounts`.
    ///   - isList: whether the rows are entries of a nested list.
    ///   - taken: columns that the tables have already, by table: the field of each, empty for one that is not ours.
    ///   - limits: those of the database.
    package init(
        _ name: String, model: Model?, lists: [String] = [], isList: Bool = false, shop: ShopFacts,
        zone: TimeZoneRules?, taken: [String: [String: String]] = [:], limits: TableLimits
    ) {
        self.name = name
        self.isList = isList
        self.shop = shop
        self.zone = zone
        self.limits = limits
        self.taken = taken[name] ?? [:]
        root = Member(name: [], path: "", depth: 0, field: nil)
        var columns: [TableColumn] = []
        if isList { columns.append(TableColumn(name: "parent_id", field: "parentId", kind: .parent)) }
        columns.append(TableColumn(name: "id", field: "id", kind: .text))
        if isList { columns.append(TableColumn(name: "parent_position", field: "", kind: .position)) }
        idSlot = isList ? 1 : 0
        var currencySlot: Int?
        if model?.fields.contains(where: { $0.unit == .minor }) ?? false {
            currencySlot = columns.count
            columns.append(TableColumn(name: "currency", field: "currency", kind: .text))
        }
        self.currencySlot = currencySlot
        self.columns = columns
        for column in columns { self.taken[column.name] = column.field }
        self.taken["record"] = ""
        for name in RecordTable.reserved.union(isList ? [] : ["deleted_at"]) where self.taken[name] == nil {
            self.taken[name] = ""
        }
        root.model = model
        for (member, slot) in [("id", idSlot), ("currency", currencySlot)] {
            guard let slot else { continue }
            let known = Member(name: Array(member.utf8), path: member, depth: 1, field: model?.field(named: member))
            known.slot = slot
            root.append(known)
        }
        if isList {
            let parent = Member(name: Array("parentId".utf8), path: "parentId", depth: 1, field: nil)
            parent.slot = 0
            root.append(parent)
        }
        addColumns(of: model)
        addKnownColumns()
        recordSlot = self.columns.count
        self.columns.append(TableColumn(name: "record", field: "", kind: .record))
        for list in lists where !list.contains(".") {
            let inner = lists.filter { $0.hasPrefix(list + ".") }.map { String($0.dropFirst(list.count + 1)) }
            let field = model?.field(named: list)
            let table = RecordTable(
                name + "__" + TableColumn.name(of: list),
                model: field?.type.nestedModel.flatMap { ModelCatalogue.model(named: $0) }, lists: inner, isList: true,
                shop: shop, zone: zone, taken: taken, limits: limits)
            self.lists.append(table)
            member(Array(list.utf8), of: root).list = table
        }
    }

    private func addColumns(of model: Model?) {
        for field in model?.fields ?? [] where field.name != "id" && field.name != "currency" {
            let known = member(Array(field.name.utf8), of: root)
            switch field.type {
            case .string, .enumeration, .boolean, .double, .integer, .timestamp: known.slot = add(known, value: nil)
            case .model:
                guard known.model?.field(named: "id") != nil else { continue }
                let id = member(Array("id".utf8), of: known)
                id.slot = add(id, value: nil)
            case .list, .sequence, .array: known.isIgnored = true
            // What it holds is seen in the records.
            case .object, .map, .any: break
            }
        }
    }

    /// Adds the columns that earlier records had, so that a row loses what its record no longer has.
    private func addKnownColumns() {
        for (name, field) in taken.sorted(by: { $0.key < $1.key }) where !field.isEmpty {
            guard !columns.contains(where: { $0.name == name }) else { continue }
            let found = field.split(separator: ".").reduce(root) { owner, part in member(Array(part.utf8), of: owner) }
            if found.slot == nil, !found.isIgnored { found.slot = add(found, value: nil) }
        }
    }

    /// A member, which is added if it was never seen.
    private func member(_ name: [UInt8], of owner: Member) -> Member {
        if let known = owner.members.first(where: { $0.name.elementsEqual(name) }) { return known }
        let text = String(decoding: name, as: UTF8.self)
        let path = owner.path.isEmpty ? text : "\(owner.path).\(text)"
        let new = Member(name: name, path: path, depth: owner.depth + 1, field: owner.model?.field(named: text))
        // A link to the list or the object itself.
        new.isIgnored = text == "href"
        owner.append(new)
        return new
    }

    /// Adds the column of a member, and those of its time.
    ///
    /// - Parameter value: its first value; nil for a field of the catalogue.
    /// - Returns: its place; nil when it stays in the record, because the name is taken or there are too many columns.
    private func add(_ member: Member, value: JSONView?) -> Int? {
        let name = TableColumn.name(of: member.path)
        guard columns.count < limits.columns, isFree(name, for: member.path) else {
            member.isIgnored = true
            return nil
        }
        let kind = Self.kind(member.field, value)
        let slot = columns.count
        append(TableColumn(name: name, field: member.path, kind: kind))
        guard kind == .milliseconds || kind == .seconds else { return slot }
        let utc = name + "_utc"
        guard isFree(utc, for: member.path) else { return slot }
        append(TableColumn(name: utc, field: member.path, kind: .utc))
        let local = name + "_local"
        guard zone != nil, isFree(local, for: member.path) else { return slot }
        append(TableColumn(name: local, field: member.path, kind: .local))
        return slot
    }

    private func isFree(_ name: String, for field: String) -> Bool {
        name.utf8.count <= limits.name ?? .max && taken[name].map { $0 == field } ?? true
    }

    private func append(_ column: TableColumn) {
        columns.append(column)
        taken[column.name] = column.field
        if !cells.isEmpty { cells.append(.null) }
    }

    private static func kind(_ field: Model.Field?, _ value: JSONView?) -> TableColumn.Kind {
        if let field {
            if field.isInstant { return field.unit == .seconds ? .seconds : .milliseconds }
            if field.unit == .minor, field.scale == nil { return .money }
            switch field.type {
            case .string, .enumeration: return .text
            case .boolean: return .boolean
            case .double: return .real
            case .integer, .timestamp: return .integer
            default: break
            }
        }
        return value?.bytes.first == UInt8(ascii: "\"") ? .text : .any
    }
}

/// Reading records.
extension RecordTable {
    /// Turns a record into its row, and the entries of its lists into theirs.
    ///
    /// - Parameters:
    ///   - bytes: the record; the cells point into it.
    ///   - number: the place of the record among those that are read.
    ///   - emit: receives each row, with as many cells as its table has columns; those of lists after their record's.
    package func read(
        _ bytes: UnsafeRawBufferPointer, number: Int, emit: (RecordTable, [Cell]) throws -> Void
    ) rethrows {
        try read(JSONView(bytes), number: number, parent: nil, emit)
    }

    private func read(
        _ record: JSONView, number: Int, parent: Cell?, _ emit: (RecordTable, [Cell]) throws -> Void
    ) rethrows {
        if cells.count != columns.count { cells = Array(repeating: .null, count: columns.count) }
        cells.withUnsafeMutableBufferPointer { cells in
            for place in cells.indices {
                // Only a text has memory to release.
                if case .text = cells[place] {
                    cells[place] = .null
                } else {
                    cells.initializeElement(at: place, to: .null)
                }
            }
        }
        found.removeAll(keepingCapacity: true)
        root.begin()
        reads += 1
        walk(record, root)
        cells[recordSlot] = .bytes(record.bytes)
        if isList {
            if let parent { cells[0] = parent }
            place(number)
        }
        if case .null = cells[idSlot] { cells[idSlot] = .text(isList ? "#\(position - 1)" : substitute(for: record)) }
        if let currencySlot, case .null = cells[currencySlot], let currency = shop.currency {
            cells[currencySlot] = .text(currency)
        }
        try emit(self, cells)
        guard !found.isEmpty else { return }
        let (id, lists) = (cells[idSlot], found)
        for (table, entries) in lists {
            for (place, entry) in entries.entries.enumerated() where entry.isObject {
                try table.read(entry, number: place, parent: id, emit)
            }
        }
    }

    /// What a record without an id has in place of one: a hash of its values, which each window and each run gives it again.
    /// Of equal records, which have the same time and so are in the same window, the further ones also have their number.
    ///
    /// Objects in it count by their ids, because others change the rest of them.
    private func substitute(for record: JSONView) -> String {
        var hash = SHA256()
        record.eachMember { name, value in
            let found: JSONView? = value.isObject ? value["id"] : value
            guard let own = found, !own.isNull, own.bytes.first != UInt8(ascii: "["), !name.elementsEqual("href".utf8)
            else {
                return true
            }
            for part in [name, own.bytes] {
                hash.update(part)
                // In no name, and in no value without a backslash.
                hash.update([UInt8(ascii: "\"")])
            }
            return true
        }
        let digits = hash.finalize().prefix(Self.hashSize / 2).hexadecimalDigits
        let count = (hashes[digits] ?? 0) + 1
        hashes[digits] = count
        return "#\(digits)" + (count > 1 ? "-\(count)" : "")
    }

    /// Number of digits of a hash.
    private static let hashSize = 32

    /// Whether a record had no id.
    var hasSubstitutes: Bool { !hashes.isEmpty }

    /// The condition that the id of a row stands for a missing one.
    static let isSubstitute = "substr(id, 1, 1) = '#'"
    /// The condition that it is of an earlier version, which numbered the records of each window.
    static let isNumber = "\(isSubstitute) AND length(id) <= \(hashSize)"

    /// Begins with the entries of a further record, which may be another version of the last one.
    func beginRecord() { lastParent = "" }

    /// Numbers the entries of each parent.
    private func place(_ number: Int) {
        let parent =
            switch cells[0] {
            case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
            case .text(let text): text
            default: ""
            }
        if parent != lastParent || number == 0 { position = 0 }
        lastParent = parent
        cells[isList ? 2 : 0] = .integer(position)
        position += 1
    }

    private func walk(_ object: JSONView, _ owner: Member) {
        object.eachMember { name, value in
            let member = owner.find(name) ?? new(name, of: owner)
            guard let member, !member.isIgnored || member.list != nil else { return true }
            // Of members with the same name, the last counts, as in jq.
            if member.seen == reads { clear(member) }
            member.seen = reads
            switch value.bytes.first {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                if let list = member.list {
                    found.append((list, value))
                } else if value.isObject, member.depth < Self.maximumDepth {
                    member.begin()
                    walk(value, member)
                }
            case UInt8(ascii: "n"): break
            default:
                if member.slot == nil { member.slot = add(member, value: value) }
                if let slot = member.slot { set(slot, value) }
            }
            return true
        }
    }

    /// Drops what an earlier member of the same name left in the row.
    private func clear(_ member: Member) {
        if let slot = member.slot {
            let path = member.path
            // With the columns of its time.
            for place in slot..<min(slot + 3, cells.count) where columns[place].field == path { cells[place] = .null }
        }
        if let list = member.list { found.removeAll { $0.table === list } }
        for inner in member.members { clear(inner) }
    }

    /// A member that no record had before; nil for a name that is no column's.
    private func new(_ name: UnsafeRawBufferPointer, of owner: Member) -> Member? {
        guard !name.isEmpty, !name.contains(UInt8(ascii: "\\")), owner.members.count < limits.columns else {
            return nil
        }
        return member(Array(name), of: owner)
    }

    private func set(_ slot: Int, _ value: JSONView) {
        let bytes = value.bytes
        switch bytes.first {
        case UInt8(ascii: "\""):
            let inside = UnsafeRawBufferPointer(rebasing: bytes[1..<bytes.count - 1])
            let hasEscapes = inside.baseAddress.map { memchr($0, 0x5C, inside.count) != nil } ?? false
            cells[slot] = hasEscapes ? .text(value.string ?? "") : .bytes(inside)
        case UInt8(ascii: "t"): cells[slot] = .boolean(true)
        case UInt8(ascii: "f"): cells[slot] = .boolean(false)
        default:
            let kind = columns[slot].kind
            if kind == .text {
                cells[slot] = .bytes(bytes)
            } else if let number = value.integer {
                cells[slot] = .integer(number)
                if kind == .milliseconds || kind == .seconds { setTime(number, kind, after: slot) }
            } else if let number = Double(String(decoding: bytes, as: UTF8.self)) {
                cells[slot] = .real(number)
            }
        }
    }

    private func setTime(_ number: Int64, _ kind: TableColumn.Kind, after slot: Int) {
        guard slot + 1 < columns.count, columns[slot + 1].kind == .utc else { return }
        let (milliseconds, isTooLarge) = number.multipliedReportingOverflow(by: kind == .seconds ? 1000 : 1)
        // Years of four digits.
        guard !isTooLarge, (-62_135_596_800_000..<253_402_300_800_000).contains(milliseconds) else { return }
        cells[slot + 1] = .time(milliseconds)
        guard let zone, slot + 2 < columns.count, columns[slot + 2].kind == .local else { return }
        let seconds = TimeText.seconds(milliseconds)
        let own = span.flatMap { $0.contains(seconds) ? $0 : nil } ?? zone.span(at: seconds)
        span = own
        cells[slot + 2] = .localTime(seconds + own.offset)
    }
}

extension RecordTable {
    /// The expansions that add nested lists, with paths as in `init`.
    ///
    /// - Parameters:
    ///   - expansions: such as `lineItems`, `lineItems.discounts`, `employee`.
    ///   - model: model of the records; nil if unknown.
    package static func lists(among expansions: [String], of model: String?) -> [String] {
        var lists: [String] = []
        // A list before those in it.
        for expansion in expansions.sorted() {
            var owner = model.flatMap { ModelCatalogue.model(named: $0) }
            var isList = true
            for name in expansion.split(separator: ".") {
                guard let field = owner?.field(named: name) else {
                    isList = false
                    break
                }
                switch field.type {
                case .list, .sequence: break
                default: isList = false
                }
                owner = field.type.nestedModel.flatMap { ModelCatalogue.model(named: $0) }
            }
            let parent = expansion.split(separator: ".").dropLast().joined(separator: ".")
            if isList, parent.isEmpty || lists.contains(parent) { lists.append(expansion) }
        }
        return lists
    }
}
