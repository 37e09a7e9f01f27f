import CloverJSON

/// Names of what records refer to by id.
package struct ReportNames: Sendable {
    /// Names by the id of the employee.
    private(set) var employees: [String: String] = [:]
    /// Labels by the id of the tender.
    private(set) var tenders: [String: String] = [:]
    /// The first category of each item, by the id of the item.
    private(set) var categories: [String: (id: String, name: String)] = [:]
    /// Why records could not be added.
    private(set) var unreadable: [ReportRecordError] = []

    private static let employeeFields: JSONView.Names = ["id", "name"]
    private static let tenderFields: JSONView.Names = ["id", "label"]
    private static let itemFields: JSONView.Names = ["id", "categories"]

    package init() {}

    package mutating func add(employee record: UnsafeRawBufferPointer) {
        var fields = RecordFields("employee")
        do throws(ReportRecordError) {
            let (id, found) = try fields.members(of: JSONView(record), Self.employeeFields)
            employees[id] = try fields.text(found[1], "name") ?? employees[id]
        } catch { unreadable.append(error) }
    }

    package mutating func add(tender record: UnsafeRawBufferPointer) {
        var fields = RecordFields("tender")
        do throws(ReportRecordError) {
            let (id, found) = try fields.members(of: JSONView(record), Self.tenderFields)
            tenders[id] = try fields.text(found[1], "label") ?? tenders[id]
        } catch { unreadable.append(error) }
    }

    /// Adds an item, with its `categories` expanded.
    package mutating func add(item record: UnsafeRawBufferPointer) {
        var fields = RecordFields("item")
        do throws(ReportRecordError) {
            let (id, found) = try fields.members(of: JSONView(record), Self.itemFields)
            let first = try fields.list(found[1], "categories", isExpanded: false).first
            guard let category = try fields.reference(first, "categories.id") else { return }
            categories[id] = (category, try fields.text(first?["name"], "categories.name") ?? category)
        } catch { unreadable.append(error) }
    }
}
