/// A call about money that is refused; nothing has changed then.
package struct PaymentRefusal: Error {
    let status: Int
    let body: JSONValue

    /// 401 as everywhere at the service.
    static let unauthorized = PaymentRefusal(status: 401, body: APIError.unauthorized.body)

    var answer: Answer { Answer(status: status, json: body) }
}
