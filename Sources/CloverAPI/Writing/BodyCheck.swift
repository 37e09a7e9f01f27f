/// Compares a body that is JSON already with what the catalogue knows of it, as single fields are when they are typed.
package struct BodyCheck: Sendable {
    private let root: FieldType?
    private let besides: Set<String>

    /// - Parameters:
    ///   - model: the name of the body's model, or `elements<MODEL>`; nil when it is not known, and anything fits.
    ///   - names: places that fill the path and need not be fields: `id`, `item.id`.
    package init(model: String?, besides names: [String] = []) {
        root = BodyModel(model).root
        besides = Set(names)
    }

    /// The first thing that does not fit, in the order of the bytes; nil when all of it does. A field that the model has
    /// not, but every record that the service answers with, is no fault: what was read can be sent.
    ///
    /// - Throws: where the bytes are no JSON.
    package func problem(in bytes: [UInt8]) throws(JSONCheck.Fault) -> BodyError? {
        try Self.problem(in: bytes, root, nil, place: "", besides)
    }

    /// The same for the value of one field.
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
