/// What is wrong with a request that a user asked for, found before anything is sent.
package enum QueryError: Error, Equatable, Sendable {
    case unknownEnvironment(String)
    case malformedAddress(String)
    /// Plain http to another machine.
    case insecureAddress(String)
    case malformedMerchant(String)
    /// No such path in the catalogue; `suggestions` are the nearest ones that take the method.
    case unknownPath(String, suggestions: [String], method: Endpoint.Method)
    case malformedPath(String, reason: PathFault)
    /// The path exists, but not with this method; it takes the others.
    case methodNotTaken(Endpoint.Method, path: String, takes: [Endpoint.Method])
    /// The catalogue has the path, and was only asked whether it takes this method.
    case noSuchOperation(Endpoint.Method, path: String, takes: [Endpoint.Method])
    /// The path belongs to another of Clover's services, which has a host of its own.
    case otherService(Endpoint.API, path: String)
    /// The operation wants a header field that was not given; `meaning` says what it holds.
    case headerMissing(String, meaning: String, path: String)
    /// A path with a name in braces, and nothing to fill it with.
    case unfilledName(String, path: String)
    /// An alias of the iOS SDK (`merchant-order-line-items`) with more or fewer ids than its path has places.
    case aliasIdentifiers(String, path: String, given: Int)
    /// No such family, path or alias in the catalogue, which was only asked about it.
    case unknownEndpoint(String, suggestions: [String])
    /// No such model, enum or path in the catalogue; `suggestions` are the nearest models.
    case unknownModel(String, suggestions: [String])
    /// A model that operations name, and whose fields nobody describes. `path` is readable and answers with it; nil when
    /// only the model was named.
    case fieldsUnknown(String, path: String?)
    /// A path in the catalogue whose answer is not described, or is no record at all.
    case recordsUnknown(path: String)
    /// A name that the endpoint does not know; the service would ignore it in silence. `suggestions` are the nearest
    /// names, or every known name when none is near.
    case unknownName(String, role: NameRole, path: String, suggestions: [String])
    /// The endpoint takes none of these.
    case notTaken(NameRole, path: String)
    case malformedFilter(String, reason: FilterFault)
    case malformedTime(String, filter: String)
    case malformedSort(String)
    case malformedParameter(String)
    /// A parameter that has its own option.
    case reservedParameter(String, option: String)
    /// The endpoint answers with text, to which the option, being for records, does not apply.
    case notRecords(path: String, option: String)
    /// A list with a 90-day rule is read window by window, so that its records come in the order of time only.
    case sortAcrossWindows(String, path: String, timeField: String)
    /// Filters on a time that no instant meets, such as two days in the wrong order: from `from` on, and before `to`, in
    /// milliseconds since 1970.
    case timesExchanged(String, from: Int64, to: Int64)
    /// A page option on an endpoint that answers with one object.
    case notAList(path: String, option: String)

    package enum NameRole: String, Sendable {
        case expand, filter, sort
    }

    package enum PathFault: Sendable {
        case empty, wholeURL, query, dotSegment, emptySegment, controlCharacter, identifierTwice
    }

    package enum FilterFault: Sendable {
        case noOperator, noField, noValue, emptyList, listSyntax, quoteInList
    }
}
