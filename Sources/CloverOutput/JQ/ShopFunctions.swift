package import CloverCalendar
import CloverJSON

/// The functions `money`, `day`, `hour` and `iso` of every jq program, in a shop's currency and time zone. A record that names
/// its own currency, or one of several shops' time zones, has that; of an array, `money` needs records whose currencies have the
/// same decimals. A program that defines one of these itself keeps its own.
package struct ShopFunctions: Sendable {
    /// The shop's time zone; nil if it is unknown: `day`, `hour` and `iso` are then errors.
    let zone: Offsets?
    /// The number of decimals of the shop's currency; nil if it is unknown: `money` is then an error for a record without
    /// a currency.
    let decimals: Int?
    /// The time zones that records may name in `zone`, by their names.
    let zones: [String: Offsets]
    /// Whether records differ in what the functions mean, so that no program can read several at once.
    package let differByRecord: Bool

    static let names: [Substring] = ["money", "day", "hour", "iso"]
    /// The variable of a program that has the facts. Not part of `$ARGS`.
    static let variable = "__shop"

    /// - Parameters:
    ///   - zones: the time zones of the shops whose records name theirs.
    ///   - differByRecord: whether the records have more than one currency or time zone.
    package init(
        zone: TimeZoneRules?, currency: Currency?, zones: [TimeZoneRules] = [], differByRecord: Bool = false
    ) {
        decimals = currency?.decimals
        self.zone = zone.map(Offsets.init)
        self.zones = Dictionary(zones.map { ($0.name, Offsets($0)) }) { first, _ in first }
        self.differByRecord = differByRecord
    }

    /// The offsets of a time zone from UTC in seconds, each with the first millisecond since 1970 from which it applies.
    struct Offsets: Sendable {
        let starts: [Int64]
        let offsets: [Int]

        init(_ zone: TimeZoneRules) {
            var starts: [Int64] = [ShopFunctions.first]
            var offsets = [zone.offset(at: Int(ShopFunctions.first / 1000))]
            // Zones change their offset a few times a year, never twice in a week.
            let week = 604_800
            for second in stride(from: Int(ShopFunctions.first / 1000), to: ShopFunctions.lastSecond, by: week) {
                let after = zone.offset(at: second + week)
                guard after != offsets[offsets.count - 1] else { continue }
                var (before, from) = (second, second + week)
                while from - before > 1 {
                    let middle = (before + from) / 2
                    if zone.offset(at: middle) == after { from = middle } else { before = middle }
                }
                starts.append(Int64(from) * 1000)
                offsets.append(after)
            }
            self.starts = starts
            self.offsets = offsets
        }

        var json: String { #"{"starts":\#(starts),"offsets":\#(offsets)}"# }
    }

    /// 1900-01-01 and 2100-01-01.
    private static let first: Int64 = -2_208_988_800_000
    private static let lastSecond = 4_102_444_800

    /// Whether a program may use one of the functions. A name in a string counts, which costs a request, not results.
    package static func mayBeUsed(in source: String) -> Bool {
        let words = ProgramWords(of: source)
        return names.contains { words.contains($0) }
    }

    /// The facts as JSON.
    var json: String {
        let named = zones.map { "\(JSONString.quoted($0.key)):\($0.value.json)" }.joined(separator: ",")
        let currencies = Currency.allDecimals.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",")
        return #"{"zone":\#(zone?.json ?? "null"),"zones":{\#(named)},"#
            + #""decimals":\#(decimals.map(String.init) ?? "null"),"currencies":{\#(currencies)}}"#
    }

    /// Amounts become text with the currency's decimals, rounded to its smallest unit; milliseconds since 1970, or ISO 8601 as reports print it, become a
    /// day, an hour from 0 to 23, or ISO 8601 with an offset. Null stays null.
    static let definitions = """
        def __named($name): if type == "object" then .[$name] // (.record | if type == "object" then .[$name] \
        else null end) else null end | if type == "string" and . != "" then . else null end; \
        def __digits: if . == "" then $__shop.decimals else $__shop.currencies[ascii_upcase] end; \
        . as $__record | (if type == "array" then reduce (.[] | __named("currency") // "") as $code ({}; .[$code] = true) \
        | keys else [] end) as $__codes | \
        def __own($name): $__record | __named($name); \
        def __zone: (__own("zone") as $name | if $name == null then null else $__shop.zones[$name] end) \
        // $__shop.zone // error("the shop's time zone is not known; --zone names one"); \
        def __decimals: if [$__codes[] | [__digits]] | unique | length > 1 then \
        error("the records have several currencies, and money takes one at a time: leave --slurp out") \
        else ($__codes[0] // __own("currency") // "") as $code | $code | __digits | if . == null \
        then error("the currency is not known: \\(if $code == "" then "the shop's settings cannot be read" else $code end)") \
        else . end end; \
        def __time: if type != "string" then . else . as $text | (.[:19] + "Z" | fromdateiso8601) * 1000 \
        + (if .[19:20] == "." then .[20:23] | tonumber else 0 end) - (if .[-1:] == "Z" then 0 else \
        ((.[-5:-3] | tonumber) * 60 + (.[-2:] | tonumber)) * (if $text[-6:-5] == "-" then -60000 else 60000 end) end) end; \
        def __second: . / 1000 | floor; \
        def __offset: . as $time | __zone as $zone | ($zone.starts | bsearch($time)) as $place \
        | $zone.offsets[if $place < 0 then [0, -2 - $place] | max else $place end]; \
        def __local: __second + __offset; \
        def __two: tostring | if length < 2 then "0" + . else . end; \
        def day: if . == null then null else __time | __local | strftime("%Y-%m-%d") end; \
        def hour: if . == null then null else __time | __local | ((. - (. / 86400 | floor) * 86400) / 3600) | floor end; \
        def iso: if . == null then null else __time | floor | __offset as $offset | (. - __second * 1000 | tostring) as $part \
        | (__local | strftime("%Y-%m-%dT%H:%M:%S")) + "." + ("00" + $part)[-3:] \
        + (if $offset < 0 then "-" else "+" end) \
        + ($offset | fabs | (. / 3600 | floor | __two) + ":" + (. / 60 | floor | . % 60 | __two)) end; \
        def money: if . == null then null else __decimals as $decimals | (fabs | round) as $units \
        | (if . < 0 and $units > 0 then "-" else "" end) + ($units | tostring \
        | if $decimals == 0 then . else (("0" * $decimals) + . | .[-$decimals:]) as $cents \
        | (.[:-$decimals] | if . == "" then "0" else . end) + "." + $cents end) end; \

        """
}
