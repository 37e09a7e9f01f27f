/// A path of the catalogue, compared with one that was asked for.
enum PathTemplate {
    /// How many segments of both are the same; nil when they are different paths. A segment in braces takes any other.
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
