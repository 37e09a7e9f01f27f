import CloverAPI

extension WritePlan {
    /// What one line asks for: where its request goes, and with which body.
    ///
    /// - Throws: `RequestLine.Fault` and `BodyError`, which are faults of this line alone.
    func parts(of text: InputText) throws -> (path: ResourcePath, body: [UInt8]?) {
        switch text {
        case .tooLong(let limit): throw RequestLine.Fault.tooLong(limit: limit)
        case .line(let bytes):
            let isDeletion = method == .delete
            let line = try RequestLine(bytes, takesBareValue: isDeletion && path.placeholders.count == 1)
            let filled = try line.path(path)
            guard !isDeletion else { return (filled, nil) }
            let body = try line.body()
            if let problem = try bodyCheck?.problem(in: body) { throw problem }
            return (filled, body)
        }
    }

    /// Whether a line cannot be sent, and the others can all the same.
    static func isFaultOfLine(_ error: any Error) -> Bool { error is RequestLine.Fault || error is BodyError }
}
