/// Why the file of a shop's writes cannot be used.
package enum JournalError: Error, Equatable, CustomStringConvertible {
    /// The file cannot be opened, read or made, with the error number.
    case cannotOpen(path: String, errno: Int32)
    /// It is no such file, or one of a newer version.
    case notAJournal(path: String)
    /// It belongs to a shop with another seed, number of orders, days or end of history.
    case otherShop(path: String, seed: String, orders: Int)
    /// A line, counted from 1, that is no change, or one that cannot be done.
    case cannotReplay(path: String, line: Int)
    /// Another emulator has it open.
    case inUse(path: String)

    package var description: String {
        switch self {
        case .cannotOpen(let path, let errno): "cannot open \(path): error \(errno)"
        case .notAJournal(let path): "\(path) is no state file of this version"
        case .otherShop(let path, let seed, let orders):
            "\(path) belongs to another shop: start with --seed \(seed) --orders \(orders) and its --now and --days"
        case .cannotReplay(let path, let line): "\(path): line \(line) cannot be done again"
        case .inUse(let path): "\(path) is in use by another emulator"
        }
    }
}
