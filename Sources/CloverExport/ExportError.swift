import CloverSystem

/// Errors of an export other than those of the service and the state database.
package enum ExportError: Error, Equatable, Sendable {
    /// An operation on a file or directory of the destination failed with this errno(3).
    case file(FileOperation, path: String, errno: Int32)
    /// Another export to this destination is running.
    case busy(path: String)
    /// The destination belongs to another state: of another machine or user, or one that was lost.
    case foreignDestination(path: String)
    /// The manifest lists files of this resource that no state knows: the destination was copied or restored without the id
    /// by which its state recognizes it.
    case unknownExports(path: String, resource: String)
    /// A file of this name has the records of another window, given as text.
    case nameTaken(path: String, by: String)
    /// A file of this name has another range of the same day, given as text: the day began at another time.
    case dayTaken(path: String, by: String)
    /// The growing file is shorter than after the last addition.
    case truncatedFile(path: String, size: Int64, known: Int64)
    /// The growing file is gone: a new one would have only what is added now.
    case lostFile(path: String)
    /// The growing file already has these records, or others of the same time.
    case alreadyAdded(path: String, what: String)
    /// The growing file has another form: other columns, or another format.
    case otherForm(path: String)
    /// The file has the same records in another form; `isWhole` for a resource exported in full.
    case formConflict(path: String, isWhole: Bool)
    /// Earlier exports of the resource to this destination have another form, given as text; each form would get only a
    /// part of the changes.
    case formChanged(resource: String, place: String, kept: String, asked: String)
    /// The destination has exports of one merchant, and this run would add those of another without a way to distinguish
    /// all of them.
    case otherMerchant(path: String, known: String, merchant: String)
    /// There is a file of this name that no export made.
    case foreignFile(path: String)
    /// No export wrote the manifest's first line.
    case foreignManifest(path: String)
    /// A file or directory below the destination is a symbolic link.
    case link(path: String)
    /// A file below the destination is a directory, FIFO, socket or device.
    case notFile(path: String)
    case name(NameFault, template: String)
    /// Not a day: `yesterday`, `today` or `2026-11-20`.
    case malformedDay(String)
    /// Not a time of day: `04:00`.
    case malformedDayStart(String)
    case malformedTime(String)
    /// The start of the range is not before its end.
    case emptyRange(from: Int64, to: Int64)
    /// The machine's clock is before the end of the exported range, so later changes cannot be requested.
    case clockBehind(resource: String, end: Int64, now: Int64)
    /// The machine's clock, by which the export ends, was behind the service's.
    case clockSlow(resource: String, end: Int64, seconds: Int64)
    /// Records of this resource have no creation time, so they belong to no day.
    case noDays(resource: String)
    /// Records of this resource cannot be selected by time.
    case noTimes(resource: String, option: String)
    /// The merchant's time zone is unknown.
    case noTimeZone(merchant: String)
    /// The path is not in the catalogue; `suggestions` are similar ones.
    case unknownResource(String, suggestions: [String])
    /// The path returns text, not records.
    case notRecords(path: String)
    /// Records could not be written by the jq program or in the format; `first` describes the first one. Their file is
    /// not published; standard output has the rest of their window.
    case recordsFailed(Int, first: String, isProgram: Bool, isFile: Bool)
    /// The jq program ended the run, so it is unknown whether all records passed.
    case programHalted
    /// None of the resources has such a part.
    case unknownPart(String, resources: [String], known: [String])
    /// The models of the records have no such field; `suggestions` are similar ones.
    case unknownField(String, resources: [String], suggestions: [String])
    /// `--fields` names a resource or part that is not exported; `known` are those that are.
    case unknownFieldOwner(String, known: [String])
    /// The day is in the future.
    case futureDay(String, from: Int64)
    /// An element of a list is null, a number or a list. `number` counts from 1 at the start of its window.
    case notAnObject(resource: String, number: Int, PlannedWindow)
    /// The resource has a current file, which the run's options, given as text, exclude.
    case currentForm(resource: String, String)
    /// A current file cannot be made of this file of the destination.
    case currentSource(path: String, CurrentFault)
    /// A record does not belong to the requested time (milliseconds since 1970): the service does not filter.
    case wrongTime(resource: String, id: String?, time: Int64, PlannedWindow)

    package enum FileOperation: String, Sendable {
        case create, write, sync, rename, remove, read, list
    }

    /// Why a current file cannot be made of a file.
    package enum CurrentFault: Sendable, Equatable {
        case missing
        /// It has other bytes than were exported.
        case changed
        /// Its records have no `id`.
        case noIdentifier
        /// It is not uncompressed NDJSON with a row for each record.
        case form
    }

    package enum NameFault: Sendable, Equatable {
        case unknownPlaceholder(String)
        case unclosedBrace
        /// Outside the destination, or not a valid file name.
        case path
        /// The name of `manifest.ndjson` or of our own directory.
        case reserved
        /// Without this placeholder, several resources or merchants would have the same name.
        case missing(String)
    }
}

extension ExportError {
    /// Calls the system, and adds the operation and the path to its error.
    static func attempt<Value: ~Copyable>(
        _ operation: FileOperation, _ path: String, _ body: () throws(ErrorNumber) -> Value
    ) throws(ExportError) -> Value {
        do throws(ErrorNumber) {
            return try body()
        } catch {
            throw .file(operation, path: path, errno: error.code)
        }
    }
}
