/// Programs in Python's standard library that say what the output should be. They share nothing with the package: JSON
/// is split by a small parser of their own that keeps the spelling, CSV is written by the module `csv`, zones are read by
/// `zoneinfo`, amounts are moved by `decimal`.
enum PythonReference {
    /// Arguments: `csv`, `ndjson` or `json`, then the paths. Standard input: a record a line.
    static let rows = #"""
        import csv, io, json, re, sys

        def parse(text):
            value, end = parse_value(text, skip(text, 0))
            assert skip(text, end) == len(text)
            return value

        def skip(text, at):
            return re.compile(r"[ \t\r\n]*").match(text, at).end()

        string = re.compile(r'"(?:[^"\\]|\\.)*"')
        word = re.compile(r"[-+.0-9a-zA-Z]+")

        def parse_value(text, at):
            start = at
            if text[at] == "{":
                members, at = [], skip(text, at + 1)
                while text[at] != "}":
                    name = string.match(text, at)
                    at = skip(text, name.end())
                    assert text[at] == ":"
                    value, at = parse_value(text, skip(text, at + 1))
                    members.append((json.loads(name[0]), value))
                    at = skip(text, at)
                    if text[at] == ",":
                        at = skip(text, at + 1)
                return ("object", text[start:at + 1], members), at + 1
            if text[at] == "[":
                elements, at = [], skip(text, at + 1)
                while text[at] != "]":
                    value, at = parse_value(text, at)
                    elements.append(value)
                    at = skip(text, at)
                    if text[at] == ",":
                        at = skip(text, at + 1)
                return ("array", text[start:at + 1], elements), at + 1
            if text[at] == '"':
                end = string.match(text, at).end()
                return ("string", text[at:end], None), end
            end = word.match(text, at).end()
            return ("word", text[at:end], None), end

        def find(value, names):
            for position, name in enumerate(names):
                kind, _, inside = value
                if kind == "object":
                    found = [member for known, member in inside if known == name]
                    if not found:
                        return None
                    value = found[-1]
                elif kind == "array" and name == "length" and position == len(names) - 1:
                    return ("word", str(len(inside)), None)
                elif kind == "array" and name.isdigit() and str(int(name)) == name and int(name) < len(inside):
                    value = inside[int(name)]
                else:
                    return None
            return value

        def cell(value):
            if value is None or value[1] == "null":
                return ""
            kind, raw, _ = value
            if kind == "string":
                return json.loads(raw)
            return re.sub(r'("(?:[^"\\]|\\.)*")|[ \t]+', r"\1", raw)

        style, paths = sys.argv[1], sys.argv[2:]
        records = [parse(line) for line in sys.stdin.buffer.read().decode().split("\n")[:-1]]
        rows = [[find(record, path.split(".")) for path in paths] for record in records]
        out = io.StringIO(newline="")
        if style == "csv":
            writer = csv.writer(out, lineterminator="\r\n")
            writer.writerow(paths)
            writer.writerows([[cell(value) for value in row] for row in rows])
        else:
            def member(path, value):
                return json.dumps(path, ensure_ascii=False) + ":" + ("null" if value is None else value[1])
            objects = ["{" + ",".join(map(member, paths, row)) + "}" for row in rows]
            out.write("[" + ",".join(objects) + "]\n" if style == "json" else "".join(o + "\n" for o in objects))
        sys.stdout.buffer.write(out.getvalue().encode())
        """#

    /// Standard input: a CSV file. Standard output: its rows as JSON arrays, a line each.
    static let readCSV = #"""
        import csv, io, json, sys

        text = io.TextIOWrapper(sys.stdin.buffer, encoding="utf-8", newline="")
        for row in csv.reader(text, strict=True):
            print(json.dumps(row, separators=(",", ":")))
        """#

    /// Standard input: lines of a zone's name and milliseconds. Standard output: the instants in ISO 8601.
    static let instants = """
        import datetime, sys, zoneinfo

        start = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
        for line in sys.stdin:
            name, count = line.split()
            instant = start + datetime.timedelta(milliseconds=int(count))
            zone = datetime.timezone.utc if name == "UTC" else zoneinfo.ZoneInfo(name)
            text = instant.astimezone(zone).isoformat(timespec="milliseconds")
            print(text.replace("+00:00", "Z") if name == "UTC" else text)
        """

    /// Standard output: the names of all zones, a line each.
    static let zones = """
        import zoneinfo

        print(*sorted(zoneinfo.available_timezones() - {"localtime", "Factory"}), sep="\\n")
        """

    /// Arguments: names of zones. Standard output: for each change of their offset from 1890 to 2150 a line of the name
    /// and the first millisecond after it.
    static let changes = """
        import datetime, sys, zoneinfo

        start = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
        day = 86400
        for name in sys.argv[1:]:
            zone = zoneinfo.ZoneInfo(name)
            def offset(seconds):
                return (start + datetime.timedelta(seconds=seconds)).astimezone(zone).utcoffset()
            before = offset(-29220 * day)
            for number in range(-29220, 65744):
                after = offset((number + 1) * day)
                if before != after:
                    low, high = number * day, (number + 1) * day
                    while high - low > 1:
                        middle = (low + high) // 2
                        low, high = (middle, high) if offset(middle) == before else (low, middle)
                    print(name, high * 1000)
                before = after
        """

    /// Standard input: lines of an amount and a number of decimals. Standard output: the amounts in major units.
    static let amounts = """
        import decimal, sys

        decimal.getcontext().prec = 100
        for line in sys.stdin:
            amount, decimals = line.split()
            print(format(decimal.Decimal(amount).scaleb(-int(decimals)), "f"))
        """
}
