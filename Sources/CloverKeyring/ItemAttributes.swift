import CloverDBus

/// The attributes under which an item is kept: the caller's, and one of ours that lists their names.
///
/// A search matches items that have *at least* the given attributes, and replacing goes by such a search too (seen with
/// gnome-keyring 42: an item with one attribute replaced another that had the same and a second one). With the list,
/// only an item with exactly the same attributes is ever found.
struct ItemAttributes {
    static let listName = "clover:attributes"

    let value: DBusValue

    init(_ attributes: [String: String]) {
        var all = attributes
        all[Self.listName] = attributes.keys.sorted().joined(separator: " ")
        value = .strings(all)
    }
}
