/// Expansions of the second level that the fast writers of orders, payments and lines leave out: `payments.dccInfo`,
/// `employee.roles`.
extension ShopView {
    /// What the parts of a made record are.
    enum Part {
        case payment, void, refund, lineItem
        case table(Table)
    }

    /// Whether some name of the second level may be left out.
    static func isIncomplete(_ tree: ExpandTree) -> Bool {
        tree.names.contains { !tree.inside($0).isEmpty }
    }

    /// The record with the second level of its expansions; names that a part does not have are ignored in silence.
    func completed(_ record: JSONValue, _ tree: ExpandTree) -> JSONValue {
        var record = record
        for name in tree.names {
            let inner = tree.inside(name)
            // The documentation spells the inner names of an order's payments `payment.tender`.
            let member = name == "payment" && record[name] == nil ? "payments" : name
            guard !inner.isEmpty, let part = Self.part(member), let value = record[member] else { continue }
            if let list = value.list {
                record.set(member, .elements(list.map { completed($0, part, inner, in: record) }))
            } else {
                record.set(member, completed(value, part, inner, in: record))
            }
        }
        return record
    }

    private static func part(_ name: String) -> Part? {
        switch name {
        case "payments", "payment": .payment
        case "voids": .void
        case "refunds": .refund
        case "lineItems": .lineItem
        case "employee": .table(.employees)
        case "orderType": .table(.orderTypes)
        case "taxRates": .table(.taxRates)
        default: nil
        }
    }

    private func completed(_ value: JSONValue, _ part: Part, _ inner: ExpandTree, in owner: JSONValue) -> JSONValue {
        guard let id = value.id else { return value }
        var value = value
        for name in inner.names {
            guard let member = member(name, of: id, part, in: owner) else { continue }
            value.set(name, member)
        }
        return value
    }

    private func member(_ name: String, of id: String, _ part: Part, in owner: JSONValue) -> JSONValue? {
        var tree = ExpandTree()
        tree.add(name)
        switch part {
        case .payment: return paymentMember(name, of: id, .none)
        case .void: return voidMember(name, of: id, in: owner)
        case .refund: return RefundSource(view: self).ready(id, tree)?.parsed?[name]
        case .lineItem:
            guard let order = owner.id, let number = madeOrder(order) else { return nil }
            return LineSource(view: self, order: number).ready(id, tree)?.parsed?[name]
        case .table(let table): return record(.table(table), id, tree)?[name]
        }
    }

    /// A payment that went wrong was begun like the one that succeeded after it, but nothing came of it.
    private func voidMember(_ name: String, of id: String, in order: JSONValue) -> JSONValue? {
        guard name != "refunds", name != "lineItemPayments", let number = order.id.flatMap(madeOrder) else {
            return nil
        }
        let succeeded = shop.ids.identifier(.payment, OrderPlaces.place(order: number, part: 0)).description
        guard var member = paymentMember(name, of: succeeded, .none) else { return nil }
        if member["paymentRef"] != nil { member.set("paymentRef", .reference(id)) }
        return member
    }
}

/// A list whose records are written by `Base` and then completed.
struct CompletedSource<Base: RecordSource>: RecordSource {
    struct Scratch {
        var base: Base.Scratch
        let tree: ExpandTree
    }

    let base: Base
    let view: ShopView

    var count: Int { base.count }
    var fields: [FilterField] { base.fields }
    var isNewestFirst: Bool { base.isNewestFirst }
    var historyRule: HistoryRule { base.historyRule }
    var cacheName: String? { base.cacheName }

    func makeScratch(expanding tree: ExpandTree) -> Scratch {
        Scratch(base: base.makeScratch(expanding: tree), tree: tree)
    }

    func load(_ position: Int, into scratch: inout Scratch) {
        base.load(position, into: &scratch.base)
    }

    func value(of field: Int, in scratch: Scratch) -> FieldValue {
        base.value(of: field, in: scratch.base)
    }

    func write(_ scratch: inout Scratch, to writer: inout JSONWriter) {
        var inner = JSONWriter(capacity: 8192)
        base.write(&scratch.base, to: &inner)
        guard let record = JSONParser.value(of: inner.bytes()) else { return }
        view.completed(record, scratch.tree).write(to: &writer)
    }

    func position(ofID id: String) -> Int? {
        base.position(ofID: id)
    }

    func createdTime(at position: Int) -> Int {
        base.createdTime(at: position)
    }
}
