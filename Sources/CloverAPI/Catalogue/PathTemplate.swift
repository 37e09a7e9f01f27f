/// Matches a catalogue path against a requested one.
enum PathTemplate {
    /// The number of literal segments that match; nil if the paths differ. A segment in braces matches any segment.
    static func literals<Bytes: Collection<UInt8>>(of template: Bytes, matching segments: [String]) -> Int? {
        var literals = 0
        var wanted = segments.makeIterator()
        for part in template.split(separator: UInt8(ascii: "/")) {
            guard let segment = wanted.next() else { return nil }
            if part.first == UInt8(ascii: "{") { continue }
            guard part.elementsEqual(segment.utf8) else { return nil }
            literals += 1
        }
        return wanted.next() == nil ? literals : nil
    }
}
