import CloverCore
import CloverRecords
import Glibc

/// Access to the real terminal.
enum LiveScreen {
    static func make(variables: [String: String], pager: PagerProcess) -> ScreenAccess {
        var screen = ScreenAccess(variables: variables, isOutputTerminal: isatty(STDOUT_FILENO) == 1)
        screen.outputSize = { TerminalSize.extent(of: STDOUT_FILENO) }
        screen.errorSize = { TerminalSize.extent(of: STDERR_FILENO) }
        screen.isSharedWithReader = { TerminalReaders.areThere() }
        screen.hasProgram = { name in
            if name.contains("/") { return access(name, X_OK) == 0 }
            let folders = variables["PATH", default: "/usr/bin:/bin"].split(separator: ":")
            return folders.contains { access("\($0)/\(name)", X_OK) == 0 }
        }
        screen.startPager = { pager.start($0, variables: variables) }
        screen.holdView = { ViewSignals.hold(begin: $0, end: $1) }
        return screen
    }

    /// The number of columns for tables: those of the terminal, or `COLUMNS` if standard output is not a terminal.
    static func width(variables: [String: String]) -> Int? {
        if isatty(STDOUT_FILENO) == 1 { return TerminalSize.columns(of: STDOUT_FILENO) }
        return variables["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    }
}
