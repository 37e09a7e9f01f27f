/// Checks a JSON body against the catalogue, as single fields are checked when they are typed.
package struct BodyCheck: Sendable {
    private let root: FieldType?
    private let besides: Set<String>

    /// - Parameters:
    ///   - model: the body's model, or `elements<MODEL>`; nil if unknown, so that anything is accepted.
    ///   - names: names that fill the path and need not be fields, such as `id` or `item.id`.
    package init(model: String?, besides names: [String] = []) {
        root = BodyModel(model).root
        besides = Set(names)
    }

    /// The first problem, in byte order; nil if there is none. Fields that are not in the model but that the service
    /// returns with every record are accepted, so that a record that was read can be sent.
    ///
    /// - Throws: if the bytes are not JSON.
    package func problem(in bytes: [UInt8]) throws(JSONCheck.Fault) -> BodyError? {
        try Self.problem(in: bytes, root, nil, place: "", besides)
    }

    /// The first problem in the value of one field.
    static func problem(
        in bytes: [UInt8], _ type: FieldType?, _ field: Model.Field?, place: String, _ besides: Set<String> = []
    ) throws(JSONCheck.Fault) -> BodyError? {
        let outcome: Result<BodyError?, JSONScanner.Fault> = bytes.withUnsafeBytes { raw in
            var walk = BodyWalk(bytes: raw, besides: besides)
            do throws(JSONScanner.Fault) {
                try walk.run(type, field, place: place)
                return .success(walk.problem)
            } catch {
                return .failure(error)
            }
        }
        switch outcome {
        case .success(let problem): return problem
        case .failure(let failure): throw JSONCheck.fault(failure, in: bytes)
        }
    }
}
