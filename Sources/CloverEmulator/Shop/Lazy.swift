import Synchronization

/// A value made once, by the first caller that needs it; others wait for it.
final class Lazy<Value: Sendable>: Sendable {
    private let make: @Sendable () -> Value
    private let stored = Mutex<Value?>(nil)

    init(_ make: @escaping @Sendable () -> Value) {
        self.make = make
    }

    var value: Value {
        stored.withLock { slot in
            if let value = slot { return value }
            let value = make()
            slot = value
            return value
        }
    }
}
