import ArgumentParser

extension CompletionKind {
    /// The shell asks the program, which replies with `CompletionAnswer`; the closure is never called.
    static var asked: CompletionKind { .custom { _, _, _ in [] } }
}
