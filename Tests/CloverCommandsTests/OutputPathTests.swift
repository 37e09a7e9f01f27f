import ArgumentParser
import CloverCommands
import Testing

@Suite("Options that name where output goes")
struct OutputPathTests {
    private static let commands: [(option: String, words: [String])] = [
        ("--to", ["export", "orders", "--to"]),
        ("--to", ["export", "status", "--to"]),
        ("--to", ["export", "schedule", "--every", "15m", "--", "orders", "--to"]),
        ("--receipt", ["get", "orders", "--all", "--receipt"]),
    ]

    private static func message(_ words: [String]) -> (status: Int32, text: String)? {
        do {
            _ = try Clover.parseAsRoot(words)
            return nil
        } catch {
            return (Clover.exitCode(for: error).rawValue, Clover.message(for: error))
        }
    }

    @Test(
        "refuse a URL without creating a directory for its scheme",
        arguments: [
            "mysql://user:secret@host/db", "gs://b", "HTTPS://example.com/", "x+y.z-1://a",
            "file:///srv/out",
        ])
    func urls(url: String) throws {
        for (option, words) in Self.commands {
            let failure = try #require(Self.message(words + [url]), "\(words)")
            #expect(failure.status == 64)
            #expect(failure.text.contains("\(option) takes a path and cannot write to "), "\(failure.text)")
        }
    }

    @Test(
        "accept a path, even with a colon in it",
        arguments: ["./s3:/x", "./s3://x", "./shop.db", "shop.db/", "1://x", "a b://x", "/a://b"])
    func paths(path: String) {
        for (_, words) in Self.commands { #expect(Self.message(words + [path]) == nil, "\(words)") }
    }

    @Test(
        "refuse what is meant as a database and is written otherwise",
        arguments: [
            "SQLITE:a.db", "sqlite3:a.db", "postgresql:x:never@h", "Postgres:x", "sqlite://a.db", "s3:books", "shop.db",
            "x/shop.sqlite3",
        ])
    func misspeltDatabases(text: String) throws {
        for (option, words) in Self.commands where option == "--to" {
            let failure = try #require(Self.message(words + [text]), "\(words)")
            #expect(failure.status == 64 && !failure.text.contains("never"), "\(failure.text)")
        }
        #expect(Self.message(["export", "orders", "--to", "./sqlite3:a.db"]) == nil)
    }

    @Test("refuse what is meant as one file, unless it is a directory", arguments: ["out.csv", "x/O.JSON", "a.xlsx"])
    func singleFiles(text: String) throws {
        for (option, words) in Self.commands where option == "--to" {
            let failure = try #require(Self.message(words + [text]), "\(words)")
            #expect(failure.status == 64 && failure.text.contains("-o \(text)"), "\(failure.text)")
            #expect(Self.message(words + ["./" + text]) == nil)
        }
    }

    @Test("take the address of a database")
    func databases() {
        for (option, words) in Self.commands where option == "--to" {
            for url in ["postgresql://host/db", "postgres://user@host", "sqlite:shop.db"] {
                #expect(Self.message(words + [url]) == nil, "\(words)")
            }
        }
    }

    @Test("suggest the path of a file URL, and repeat no password")
    func hints() throws {
        let file = try #require(Self.message(["export", "orders", "--to", "file:///srv/out"]))
        #expect(file.text.contains("--to /srv/out"), "\(file.text)")
        for url in ["mysql://user:never@host/db", "postgres://user:never@host/db"] {
            let database = try #require(Self.message(["export", "orders", "--to", url]))
            #expect(database.status == 64)
            #expect(!database.text.contains("never"), "\(database.text)")
        }
    }
}
