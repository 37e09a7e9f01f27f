/// The terminal of a live view, which whoever ends the process gives back, and the signals to the view. Without a terminal
/// there are none.
package struct ViewHold: Sendable {
    /// What the person at the terminal wants.
    package enum Wish: Sendable {
        /// Ctrl-Z: the process stops, and goes on when its shell says so.
        case stop
        /// Ctrl-\: the process ends at once.
        case quit
        /// The process was stopped in a way that nobody hears of, and goes on.
        case redraw
    }

    /// Takes the terminal; a process in the background stops until it has it. False when it takes nothing now, or the process
    /// is told to end: then again a moment later.
    package var take: @Sendable () -> Bool = { true }
    /// Gives the terminal back, where it was taken.
    package var give: @Sendable () -> Void = {}
    /// What is wanted now; each wish is told once.
    package var wish: @Sendable () -> Wish? = { nil }
    /// Does it, with the terminal given back before; returns when the process goes on.
    package var obey: @Sendable (Wish) -> Void = { _ in }
    /// The view is over: signals do again what they did before.
    package var release: @Sendable () -> Void = {}

    package init() {}
}
