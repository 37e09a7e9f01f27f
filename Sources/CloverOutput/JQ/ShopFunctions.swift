package import CloverCalendar

/// The functions `money`, `day`, `hour` and `iso` of every jq program, in a shop's currency and time zone. A program
/// that defines one of these itself keeps its own.
package struct ShopFunctions: Sendable {
    /// The offsets from UTC in seconds, each with the first millisecond since 1970 from which it applies.
    let starts: [Int64]
    let offsets: [Int]
    /// The number of decimals of the currency.
    let decimals: Int

    static let names: [Substring] = ["money", "day", "hour", "iso"]
    /// The variable of a program that has the facts. Not part of `$ARGS`.
    static let variable = "__shop"

    /// - Parameter currency: nil for a currency that is unknown: amounts stay in minor units.
    package init(zone: TimeZoneRules, currency: Currency?) {
        decimals = currency?.decimals ?? 0
        var starts: [Int64] = [Self.first]
        var offsets = [zone.offset(at: Int(Self.first / 1000))]
        // Zones change their offset a few times a year, never twice in a week.
        let week = 604_800
        for second in stride(from: Int(Self.first / 1000), to: Self.lastSecond, by: week) {
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
        #"{"starts":\#(starts),"offsets":\#(offsets),"decimals":\#(decimals)}"#
    }

    /// Amounts become text with the currency's decimals; milliseconds since 1970, or ISO 8601 as reports print it, become a
    /// day, an hour from 0 to 23, or ISO 8601 with an offset. Null stays null.
    static let definitions = """
        def __time: if type != "string" then . else . as $text | (.[:19] + "Z" | fromdateiso8601) * 1000 \
        + (if .[19:20] == "." then .[20:23] | tonumber else 0 end) - (if .[-1:] == "Z" then 0 else \
        ((.[-5:-3] | tonumber) * 60 + (.[-2:] | tonumber)) * (if $text[-6:-5] == "-" then -60000 else 60000 end) end) end; \
        def __second: . / 1000 | floor; \
        def __offset: . as $time | ($__shop.starts | bsearch($time)) as $place \
        | $__shop.offsets[if $place < 0 then [0, -2 - $place] | max else $place end]; \
        def __local: __second + __offset; \
        def __two: tostring | if length < 2 then "0" + . else . end; \
        def day: if . == null then null else __time | __local | strftime("%Y-%m-%d") end; \
        def hour: if . == null then null else __time | __local | ((. - (. / 86400 | floor) * 86400) / 3600) | floor end; \
        def iso: if . == null then null else __time | __offset as $offset | (. - __second * 1000 | tostring) as $part \
        | (__local | strftime("%Y-%m-%dT%H:%M:%S")) + "." + ("00" + $part)[-3:] \
        + (if $offset < 0 then "-" else "+" end) \
        + ($offset | fabs | (. / 3600 | floor | __two) + ":" + (. / 60 | floor | . % 60 | __two)) end; \
        def money: if . == null then null else (if . < 0 then "-" else "" end) + (fabs | tostring \
        | if $__shop.decimals == 0 then . else (("0" * $__shop.decimals) + . | .[-$__shop.decimals:]) as $cents \
        | (.[:-$__shop.decimals] | if . == "" then "0" else . end) + "." + $cents end) end; \

        """
}
