/// What can go wrong with an export besides the service and the state.
package enum ExportError: Error, Equatable, Sendable {
    /// A file or directory of the destination: what failed, on what, with this errno(3).
    case file(FileOperation, path: String, errno: Int32)
    /// Another export runs to this destination.
    case busy(path: String)
    /// The destination was begun with another state: on another machine, by another user, or one that was lost.
    case foreignDestination(path: String)
    /// The name is that of a file with other records, of a window in words.
    case nameTaken(path: String, by: String)
    /// The name is that of another stretch of the same day, in words: the day began at another time.
    case dayTaken(path: String, by: String)
    /// The file that would be added to is shorter than what was added to it.
    case cutFile(path: String, size: Int64, known: Int64)
    /// The file that would be added to has these records, or others of the same time, already.
    case alreadyAdded(path: String, what: String)
    /// The file that would be added to is written in another form: other columns, or another format.
    case otherForm(path: String)
    /// The file holds the same records in another form; `isWhole` is a resource that is taken whole.
    case formTaken(path: String, isWhole: Bool)
    /// What was exported of the resource, to this place, has another form, in words; each form would get a part of what
    /// changes.
    case formChanged(resource: String, place: String, kept: String)
    /// The destination has the exports of one merchant, and this run would add those of another that nothing tells apart.
    case otherMerchant(path: String, known: String, merchant: String)
    /// There is a file of this name that no export has made.
    case foreignFile(path: String)
    /// The manifest's first line was not written by an export.
    case foreignManifest(path: String)
    /// A symbolic link is in the place of a file or folder below the destination.
    case link(path: String)
    /// A directory, FIFO, socket or device is in the place of a file.
    case notFile(path: String)
    case name(NameFault, template: String)
    /// Not a day: `yesterday`, `today` or `2026-11-20`.
    case malformedDay(String)
    /// Not a time of day: `04:00`.
    case malformedDayStart(String)
    case malformedTime(String)
    /// The beginning of what was asked for is not before its end.
    case emptyRange(from: Int64, to: Int64)
    /// The machine's clock is before the end of what was exported, so that nothing that changed since can be asked for.
    case clockBehind(resource: String, end: Int64, now: Int64)
    /// Records of this resource belong to no day: nothing says when they were made.
    case noDays(resource: String)
    /// Records of this resource cannot be asked for by time.
    case noTimes(resource: String, option: String)
    /// The service does not say in which time zone the merchant is.
    case noTimeZone(merchant: String)
    /// No path of the catalogue; others that look like it.
    case unknownResource(String, suggestions: [String])
    /// The path answers with text, and not with records.
    case notRecords(path: String)
    /// So many records could not be written, by the jq program or in the format; `first` says which was the first, and why. The file that they belong in is not there;
    /// on standard output there is the rest of their window.
    case recordsFailed(Int, first: String, isProgram: Bool, isFile: Bool)
    /// The jq program ended the run, so that nobody knows whether all records passed.
    case programHalted
    /// A name that none of the resources can be expanded by, so that there are no such parts in them.
    case unknownPart(String, resources: [String], known: [String])
    /// The models of the records have no such field; others that look like it.
    case unknownField(String, resources: [String], suggestions: [String])
    /// A day that is still to come.
    case dayToCome(String, from: Int64)
    /// An element of a list is null, a number or a list: the first is 1, counted from the beginning of its window.
    case notAnObject(resource: String, number: Int, PlannedWindow)
    /// A record came that does not belong to the time that was asked for, in milliseconds since 1970: the service does not
    /// filter.
    case otherTime(resource: String, id: String?, time: Int64, PlannedWindow)

    package enum FileOperation: String, Sendable {
        case create, write, sync, rename, remove, read, list
    }

    package enum NameFault: Sendable, Equatable {
        case unknownPlaceholder(String)
        case unclosedBrace
        /// Outside of the destination, or no file's name.
        case path
        /// The names of `manifest.json` and of our own folder.
        case reserved
        /// Several resources, or merchants, would have the same name.
        case missing(String)
    }
}
