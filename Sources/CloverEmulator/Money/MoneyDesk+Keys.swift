import NIOCore

/// A call with a key is done once: the same call again gets the first answer, another call with its key none.
///
/// The service says so for devices (REST Pay Display, idempotency); for the ecommerce interface there is only the type
/// `idempotency_error`, and the rest is taken over. How long a key lives is not told: here, as long as the emulator.
extension MoneyDesk {
    /// The first answer to a call; nil when it was not answered before.
    ///
    /// - Throws: `clash` when the key belongs to another call.
    func firstAnswer(_ key: PaymentKey, clash: PaymentRefusal) throws(PaymentRefusal) -> Answer? {
        guard let kept = document(.answer, key.id) else { return nil }
        guard kept["fingerprint"]?.text == key.fingerprint else { throw clash }
        return Answer(
            status: kept["status"]?.integer ?? 200, body: ByteBuffer(string: kept["body"]?.text ?? ""))
    }

    /// Does the work, or gives the first answer to it. A refusal is not kept: nothing has been done, and the call may
    /// come again in a better form.
    mutating func once(
        _ key: PaymentKey?, clash: PaymentRefusal, _ work: (inout MoneyDesk) throws(PaymentRefusal) -> Answer
    ) throws(PaymentRefusal) -> Answer {
        guard let key else { return try work(&self) }
        if let answer = try firstAnswer(key, clash: clash) { return answer }
        let answer = try work(&self)
        guard key.isRemembered else { return answer }
        put(
            .answer, key.id,
            .object([
                ("fingerprint", .string(key.fingerprint)), ("status", .integer(answer.status)),
                ("body", .string(String(buffer: answer.body))),
            ]))
        return answer
    }
}
