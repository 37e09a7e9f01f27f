/// Parses one row of the operations table.
struct EndpointLine {
    private let columns: [String]

    /// The columns, in the order that Scripts/generate-catalogue writes them.
    private enum Column: Int, CaseIterable {
        case method, path, api, family, operation, shape, model, body, permission, largestPage, history, timeField
        case changeField, sdkMethod, flags, expand, expandNested, filter, sort, parameters, historyFields, notes
    }

    init(_ columns: [String]) {
        self.columns = columns
    }

    /// Nil if the row is malformed.
    var endpoint: Endpoint? {
        guard columns.count == Column.allCases.count, let method = Endpoint.Method(rawValue: text(.method)),
            let api = Endpoint.API(rawValue: text(.api)), let shape = Endpoint.Shape(rawValue: text(.shape))
        else { return nil }
        let permission = text(.permission)
        return Endpoint(
            method: method, path: text(.path), api: api, family: text(.family), operation: given(.operation),
            shape: shape, model: given(.model), body: given(.body),
            permission: permission.isEmpty ? nil : permission.filter { $0 != "~" },
            isPermissionInferred: permission.hasPrefix("~"),
            maximumPage: Int(text(.largestPage)) ?? Self.usualPage, history: history,
            timeField: given(.timeField), changeField: given(.changeField),
            expandable: names(.expand) + names(.expandNested), filterable: names(.filter),
            isFilterListComplete: !text(.flags).contains("i"), sortable: names(.sort), parameters: names(.parameters),
            sdkMethod: given(.sdkMethod), isUnconfirmed: text(.flags).contains("u"), notes: notes)
    }

    private static let usualPage = 1000
    private static let lists = TableText(EndpointTable.lists).texts
    private static let allNotes = TableText(EndpointTable.notes).texts

    private func text(_ column: Column) -> String { columns[column.rawValue] }

    private func given(_ column: Column) -> String? {
        text(column).isEmpty ? nil : text(column)
    }

    private func names(_ column: Column) -> [String] {
        guard let number = Int(text(column)), Self.lists.indices.contains(number) else { return [] }
        return Self.lists[number].split(separator: ",").map(String.init)
    }

    private var notes: [String] {
        text(.notes).split(separator: ",").compactMap { Int($0) }.filter(Self.allNotes.indices.contains)
            .map { Self.allNotes[$0] }
    }

    private var history: Endpoint.History {
        switch text(.history) {
        case "always": .cut
        case "filtered": .cutByFilter(Set(names(.historyFields)))
        default: .whole
        }
    }
}
