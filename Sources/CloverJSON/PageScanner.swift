/// Extracts the records of one page by a structural scan and checks that each is valid JSON; values are never parsed.
///
/// A page is `{"elements":[...],...}`; `elements` may come before or after other members. A page of the ecommerce API
/// names the list `data`, or is the list itself. The page may arrive in chunks
/// split anywhere, even inside an escape or a multi-byte character. Only complete records are added to the batch, so
/// the caller may take the batch away between two chunks; the bytes of an incomplete record stay in the scanner.
///
/// Checked are the envelope's grammar, the complete grammar of each record (RFC 8259), and that only white space
/// follows. Not checked are the contents of the envelope's other members. The member name `elements` is compared
/// literally, without decoding escapes. A byte order mark is skipped. Invalid UTF-8 in a record becomes U+FFFD.
///
/// After an error the scanner throws the same error for all further input.
package struct PageScanner: Sendable {
    /// The expected form of the body.
    package enum Shape: Sendable {
        /// An envelope with `elements`.
        case list
        /// An envelope with `data` or `elements`, or an array of records (Clover: ecommerce, paginating requests).
        case cursorList
        /// One object or array, which is a single record regardless of its contents.
        case object
        /// One object, which is a single record regardless of its contents. An array is refused.
        case oneObject
        /// An envelope is a list; any other object or array is a single record.
        case either
    }

    /// The allowed values in a list.
    package enum Elements: Sendable {
        case objects
        /// Any values.
        case anything
    }

    /// The maximum size of a record in bytes, including line breaks.
    package static let recordLimit = 64 << 20
    /// The maximum number of bytes without a record: white space, and members other than `elements`.
    package static let gapLimit = 4 << 20

    /// The number of records found in this page so far.
    package private(set) var recordCount = 0

    /// The member `has_more` of a `cursorList`; nil if it was missing so far, or neither true nor false.
    package private(set) var hasMore: Bool?

    private let shape: Shape
    private let elements: Elements
    private var place = Place.start
    private var failure: PageError?
    /// The number of bytes in earlier chunks.
    private var consumed = 0
    /// The start of the current record, or the end of the last one; counts like `consumed`.
    private var border = 0
    private var markBytes = 0
    private var sawElements = false
    /// True if the page is an array without an envelope.
    private var isArray = false
    /// The current member's name in a `cursorList`, up to one byte more than the longest known name.
    private var name: [UInt8] = []
    /// True if the current member is `has_more`.
    private var isHasMore = false
    /// True if the current member of a `cursorList` is `data`.
    private var isData = false
    /// True while the body is kept, because without `elements` it is itself the record.
    private var keepsBody = false
    /// True if the page has line breaks between tokens, so that its records are not adjacent.
    private var hasLineBreaks = false
    /// Where the records of a run end. Stored here to reuse the allocation.
    private var ends: [Int] = []
    /// The kept bytes of the incomplete record (or body), from earlier chunks and from before a line break.
    private var pending: [UInt8] = []

    package init(expecting shape: Shape, elements: Elements = .objects) {
        self.shape = shape
        self.elements = elements
    }

    /// Scans the next bytes of the body and appends complete records to `batch`.
    package mutating func scan(_ chunk: [UInt8], into batch: inout RecordBatch) throws(PageError) {
        // `withUnsafeBytes` cannot rethrow a typed error.
        try chunk.withUnsafeBufferPointer { bytes throws(PageError) in
            try scan(UnsafeRawBufferPointer(bytes), into: &batch)
        }
    }

    /// Scans the next bytes of the body and appends complete records to `batch`.
    ///
    /// The bytes are only read during the call.
    package mutating func scan(_ chunk: UnsafeRawBufferPointer, into batch: inout RecordBatch) throws(PageError) {
        if let failure { throw failure }
        guard let start = chunk.baseAddress, !chunk.isEmpty else { return }
        if batch.isEmpty { batch.reserve(pending.count + chunk.count) }
        do throws(PageError) {
            try walk(start, count: chunk.count, into: &batch)
            consumed += chunk.count
        } catch {
            failure = error
            pending = []
            throw error
        }
    }

    /// Ends the body.
    /// - Throws: `.cutOff` unless the page is complete, or the earlier error.
    package mutating func finish(into batch: inout RecordBatch) throws(PageError) {
        if let failure { throw failure }
        guard case .end = place else {
            let error = PageError.cutOff(at: consumed)
            failure = error
            pending = []
            throw error
        }
    }

    /// The position of the next byte in the page's grammar.
    private enum Place {
        case start
        case memberOrEnd
        case member
        /// `matched` bytes of `elements` were seen, or -1 if the name differs.
        case name(matched: Int, escapes: Bool)
        case colon(isElements: Bool)
        case value(isElements: Bool)
        case string(Role, escapes: Bool)
        /// A number, `true`, `false` or `null`.
        case word(Role)
        case nested(Role, NestedValue)
        case memberEnd
        case elementOrEnd
        case element
        case elementEnd
        case end

        var isInRecord: Bool {
            switch self {
            case .string(let role, _), .word(let role), .nested(let role, _): role != .skipped
            default: false
            }
        }
    }

    /// What a value is in the page.
    private enum Role {
        /// A member of the envelope other than `elements`.
        case skipped
        case element
        /// The body, which is one record.
        case body
    }

    private static let elementsName: StaticString = "elements"

    private mutating func walk(
        _ bytes: UnsafeRawPointer,
        count: Int,
        into batch: inout RecordBatch
    ) throws(PageError) {
        let chunk = UnsafeRawBufferPointer(start: bytes, count: count)
        var offset = 0
        // The start of the bytes to keep in this chunk; nil if none are kept.
        var kept: Int? = keepsBody || place.isInRecord ? 0 : nil
        while offset < count {
            let byte = chunk[offset]
            switch place {
            case .elementOrEnd where opensElement(byte), .element where opensElement(byte):
                try checkSize(at: offset, isRecord: false)
                let next = hasLineBreaks ? offset : takeRun(chunk, from: offset, &kept, into: &batch)
                if next > offset {
                    offset = next
                    continue
                }
                try structure(byte, chunk, offset, &kept, into: &batch)
            case .nested(let role, var nested):
                switch advance(&nested, chunk, from: offset, &kept) {
                case .unfinished:
                    place = .nested(role, nested)
                    offset = count
                case .ended(let next):
                    try endValue(role, chunk, &kept, at: next, into: &batch)
                    offset = next
                case .broken(let at):
                    throw notJSON(chunk, at)
                }
                continue
            case .string(let role, let escapes):
                if escapes {
                    place = .string(role, escapes: false)
                } else if byte == UInt8(ascii: "\\") {
                    place = .string(role, escapes: true)
                } else if byte == UInt8(ascii: "\"") {
                    try endValue(role, chunk, &kept, at: offset + 1, into: &batch)
                }
            case .word(let role):
                if Self.isWord(byte) { break }
                try endValue(role, chunk, &kept, at: offset, into: &batch)
                continue
            case .name(let matched, let escapes):
                place = Self.afterNameByte(byte, matched: matched, escapes: escapes)
                if shape == .cursorList { noteName(byte) }
            default:
                if Self.isSpace(byte) {
                    dropLineBreak(byte, chunk, offset, &kept)
                } else {
                    try structure(byte, chunk, offset, &kept, into: &batch)
                }
            }
            offset += 1
        }
        if let kept { pending.append(contentsOf: chunk[kept..<count]) }
        try checkSize(at: count, isRecord: kept != nil)
    }

    /// Processes a byte of the envelope that is neither white space nor inside a value or name.
    private mutating func structure(
        _ byte: UInt8,
        _ chunk: UnsafeRawBufferPointer,
        _ offset: Int,
        _ kept: inout Int?,
        into batch: inout RecordBatch
    ) throws(PageError) {
        switch (place, byte) {
        case (.start, _):
            try begin(byte, chunk, offset, &kept)
        case (.memberOrEnd, UInt8(ascii: "\"")), (.member, UInt8(ascii: "\"")):
            place = .name(matched: 0, escapes: false)
        case (.memberOrEnd, UInt8(ascii: "}")), (.memberEnd, UInt8(ascii: "}")):
            if keepsBody {
                try endRecord(chunk, &kept, at: offset + 1, into: &batch)
                keepsBody = false
            } else if !sawElements {
                throw shape == .cursorList ? .noData : .noElements
            }
            place = .end
        case (.colon(let isElements), UInt8(ascii: ":")):
            place = .value(isElements: isElements)
        case (.value(let isElements), _):
            try beginValue(byte, isElements: isElements, chunk, offset, &kept)
        case (.memberEnd, UInt8(ascii: ",")):
            place = .member
        case (.elementOrEnd, UInt8(ascii: "]")), (.elementEnd, UInt8(ascii: "]")):
            place = isArray ? .end : .memberEnd
        case (.elementEnd, UInt8(ascii: ",")):
            place = .element
        case (.elementOrEnd, _), (.element, _):
            try checkSize(at: offset, isRecord: false)
            if elements == .objects, byte != UInt8(ascii: "{") {
                throw Self.isValueStart(byte) ? .notAnObject(at: consumed + offset) : notJSON(chunk, offset)
            }
            beginRecord(offset, &kept)
            try enterValue(byte, .element, chunk, offset)
        default:
            throw notJSON(chunk, offset)
        }
    }

    /// Processes the first byte that is not white space.
    private mutating func begin(
        _ byte: UInt8,
        _ chunk: UnsafeRawBufferPointer,
        _ offset: Int,
        _ kept: inout Int?
    ) throws(PageError) {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        if markBytes < 3, consumed + offset == markBytes, byte == mark[markBytes] {
            markBytes += 1
            return
        }
        if markBytes == 1 || markBytes == 2 { throw notJSON(chunk, offset) }
        switch (byte, shape) {
        case (UInt8(ascii: "<"), _):
            throw .html
        case (UInt8(ascii: "{"), .list), (UInt8(ascii: "{"), .cursorList):
            place = .memberOrEnd
        case (UInt8(ascii: "["), .cursorList):
            (isArray, sawElements) = (true, true)
            border = consumed + offset
            place = .elementOrEnd
        case (UInt8(ascii: "{"), .either):
            place = .memberOrEnd
            keepsBody = true
            beginRecord(offset, &kept)
        case (UInt8(ascii: "["), .list):
            throw .noElements
        case (UInt8(ascii: "["), .oneObject):
            throw .anArray
        case (UInt8(ascii: "{"), .object), (UInt8(ascii: "{"), .oneObject), (UInt8(ascii: "["), _):
            place = .nested(.body, NestedValue(openedBy: byte))
            beginRecord(offset, &kept)
        default:
            throw notJSON(chunk, offset)
        }
    }

    /// Processes the first byte of a member's value.
    private mutating func beginValue(
        _ byte: UInt8,
        isElements: Bool,
        _ chunk: UnsafeRawBufferPointer,
        _ offset: Int,
        _ kept: inout Int?
    ) throws(PageError) {
        if isElements {
            let member = isData ? "data" : "elements"
            if sawElements { throw .elementsRepeated(at: consumed + offset, member: member) }
            sawElements = true
            if byte == UInt8(ascii: "[") {
                keepsBody = false
                kept = nil
                pending.removeAll()
                border = consumed + offset
                place = .elementOrEnd
                return
            }
            // With `either`, such a body is one record that happens to have a member with this name.
            if shape == .list || shape == .cursorList {
                throw .elementsNotAnArray(at: consumed + offset, member: member)
            }
        }
        if isHasMore { hasMore = [UInt8(ascii: "t"): true, UInt8(ascii: "f"): false][byte] }
        try enterValue(byte, .skipped, chunk, offset)
    }

    private mutating func enterValue(
        _ byte: UInt8,
        _ role: Role,
        _ chunk: UnsafeRawBufferPointer,
        _ offset: Int
    ) throws(PageError) {
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["): place = .nested(role, NestedValue(openedBy: byte))
        case UInt8(ascii: "\""): place = .string(role, escapes: false)
        case _ where role == .skipped ? Self.beginsWord(byte) : Self.isWord(byte): place = .word(role)
        default: throw notJSON(chunk, offset)
        }
    }

    /// Appends adjacent objects and arrays from `start` on, separated only by commas, in one piece: pages from the
    /// service consist of little else.
    ///
    /// - Returns: the offset to continue at; `start` if the first record must be read separately.
    private mutating func takeRun(
        _ chunk: UnsafeRawBufferPointer,
        from start: Int,
        _ kept: inout Int?,
        into batch: inout RecordBatch
    ) -> Int {
        guard let bytes = chunk.baseAddress else { return start }
        ends.removeAll(keepingCapacity: true)
        defer {
            if let end = ends.last {
                batch.append(UnsafeRawBufferPointer(rebasing: chunk[start..<start + end]), endingAt: ends)
                recordCount += ends.count
                border = max(border, consumed + start + end)
            }
        }
        var first = start
        while true {
            var next = CompactRecordScanner.end(of: bytes, from: first, to: chunk.count)
            if next == nil {
                var nested = NestedValue(openedBy: chunk[first])
                var isOneLine = true
                let step = nested.advance(through: bytes, from: first + 1, to: chunk.count) { _ in isOneLine = false }
                switch step {
                case .ended(let end)
                where isOneLine
                    && JSONValueChecker.verdict(on: UnsafeRawBufferPointer(rebasing: chunk[first..<end])) == .valid:
                    next = end
                case .unfinished where isOneLine:
                    place = .nested(.element, nested)
                    kept = first
                    border = consumed + first
                    return chunk.count
                default: break
                }
            }
            guard let next, next - first <= Self.recordLimit else {
                if first > start { place = .element }
                return first
            }
            ends.append(next - start)
            place = .elementEnd
            guard next + 1 < chunk.count, chunk[next] == UInt8(ascii: ","), opensElement(chunk[next + 1]) else {
                return next
            }
            first = next + 1
        }
    }

    private mutating func advance(
        _ nested: inout NestedValue,
        _ chunk: UnsafeRawBufferPointer,
        from offset: Int,
        _ kept: inout Int?
    ) -> NestedValue.Step {
        guard let bytes = chunk.baseAddress else { return .unfinished }
        return nested.advance(through: bytes, from: offset, to: chunk.count) { lineBreak in
            hasLineBreaks = true
            guard let start = kept else { return }
            pending.append(contentsOf: chunk[start..<lineBreak])
            kept = lineBreak + 1
        }
    }

    private mutating func dropLineBreak(
        _ byte: UInt8,
        _ chunk: UnsafeRawBufferPointer,
        _ offset: Int,
        _ kept: inout Int?
    ) {
        guard let start = kept, byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") else { return }
        pending.append(contentsOf: chunk[start..<offset])
        kept = offset + 1
    }

    /// Starts a record; the bytes between it and the previous one have been checked.
    private mutating func beginRecord(_ offset: Int, _ kept: inout Int?) {
        kept = offset
        border = consumed + offset
    }

    /// Ends the value before `next`.
    private mutating func endValue(
        _ role: Role,
        _ chunk: UnsafeRawBufferPointer,
        _ kept: inout Int?,
        at next: Int,
        into batch: inout RecordBatch
    ) throws(PageError) {
        switch role {
        case .skipped: place = .memberEnd
        case .element:
            try endRecord(chunk, &kept, at: next, into: &batch)
            place = .elementEnd
        case .body:
            try endRecord(chunk, &kept, at: next, into: &batch)
            place = .end
        }
    }

    /// Ends the record before `next` and appends what was kept of it to the batch.
    private mutating func endRecord(
        _ chunk: UnsafeRawBufferPointer,
        _ kept: inout Int?,
        at next: Int,
        into batch: inout RecordBatch
    ) throws(PageError) {
        let rest = UnsafeRawBufferPointer(rebasing: chunk[(kept ?? next)..<next])
        kept = nil
        try checkSize(at: next, isRecord: true)
        if pending.isEmpty {
            try append(rest, to: &batch)
        } else {
            pending.append(contentsOf: rest)
            var record: [UInt8] = []
            swap(&record, &pending)
            try record.withUnsafeBufferPointer { bytes throws(PageError) in
                try append(UnsafeRawBufferPointer(bytes), to: &batch)
            }
            swap(&record, &pending)
            // A single huge record must not keep its memory allocated for the rest of the page.
            pending.removeAll(keepingCapacity: pending.capacity <= 1 << 20)
        }
        border = consumed + next
        recordCount += 1
    }

    private func append(_ record: UnsafeRawBufferPointer, to batch: inout RecordBatch) throws(PageError) {
        switch JSONValueChecker.verdict(on: record) {
        case .valid: batch.append(record)
        case .notUTF8:
            let repaired = JSONString.replacingInvalidUTF8(in: record)
            repaired.bytes.withUnsafeBytes { batch.append($0, replacements: repaired.count) }
        case .notJSON(let place):
            let rest = UnsafeRawBufferPointer(rebasing: record[min(place, record.count)...])
            throw .notJSON(at: border + place, excerpt: PageError.excerpt(of: rest))
        }
    }

    /// - Parameter isRecord: the bytes between the border and `offset` belong to one record.
    private func checkSize(at offset: Int, isRecord: Bool) throws(PageError) {
        let size = consumed + offset - border
        if isRecord, size > Self.recordLimit {
            throw .recordTooLarge(at: consumed + offset, limit: Self.recordLimit)
        }
        if !isRecord, size > Self.gapLimit { throw .gapTooLarge(at: consumed + offset, limit: Self.gapLimit) }
    }

    private func notJSON(_ chunk: UnsafeRawBufferPointer, _ offset: Int) -> PageError {
        let rest = UnsafeRawBufferPointer(rebasing: chunk[offset...])
        return .notJSON(at: consumed + offset, excerpt: PageError.excerpt(of: rest))
    }

    private static func afterNameByte(_ byte: UInt8, matched: Int, escapes: Bool) -> Place {
        if escapes { return .name(matched: -1, escapes: false) }
        switch byte {
        case UInt8(ascii: "\\"):
            return .name(matched: -1, escapes: true)
        case UInt8(ascii: "\""):
            return .colon(isElements: matched == elementsName.utf8CodeUnitCount)
        default:
            let isNext =
                matched >= 0 && matched < elementsName.utf8CodeUnitCount && elementsName.utf8Start[matched] == byte
            return .name(matched: isNext ? matched + 1 : -1, escapes: false)
        }
    }

    /// Follows the bytes of a member's name in a `cursorList`.
    private mutating func noteName(_ byte: UInt8) {
        guard case .colon(let isElements) = place else {
            if name.count < 9 { name.append(byte) }
            return
        }
        isData = name.elementsEqual("data".utf8)
        place = .colon(isElements: isElements || isData)
        isHasMore = name.elementsEqual("has_more".utf8)
        name.removeAll(keepingCapacity: true)
    }

    /// Whether a record that is an object, or an array if allowed, begins with this byte.
    @inline(__always)
    private func opensElement(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "{") || elements == .anything && byte == UInt8(ascii: "[")
    }

    private static func isValueStart(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "[") || byte == UInt8(ascii: "\"") || isWord(byte)
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    /// Whether a byte can be part of a number, `true`, `false` or `null`.
    /// Whether a number, `true`, `false` or `null` may begin with it; `NaN` and `Infinity` are not JSON.
    private static func beginsWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "t"), UInt8(ascii: "f"),
            UInt8(ascii: "n"):
            true
        default: false
        }
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}
