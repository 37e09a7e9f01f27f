import CloverTestSupport
import Foundation
import Testing

/// What `auth watch` says about tokens that other processes change.
@Suite("auth: watching tokens")
struct AuthWatchTests {
    @Test("new, refreshed, invalidated and deleted come in order, from whichever process, without a token")
    func inOrder() async throws {
        try await world(["--refresh-token-cap", "1"]) { sandbox, service in
            let watch = try await sandbox.startWatch()
            try await sandbox.receive(service, "--profile", "downtown")
            try await watch.waitForEvents(["new"])
            let renewed = try await sandbox.clover("auth", "refresh")
            #expect(renewed.ending == .exited(0), "\(renewed)")
            try await watch.waitForEvents(["new", "refreshed"])
            try await sandbox.withState("elsewhere").receive(service)
            expectFailure(try await sandbox.clover("auth", "refresh"), status: 77)
            try await watch.waitForEvents(["new", "refreshed", "invalidated"])
            let logout = try await sandbox.clover("auth", "logout")
            #expect(logout.ending == .exited(0), "\(logout)")
            let events = try await watch.waitForEvents(["new", "refreshed", "invalidated", "deleted"])
            for event in events {
                #expect(
                    event.keys == [
                        "accessTokenExpiresAt", "app", "at", "environment", "event", "merchant", "profile",
                        "refreshTokenExpiresAt",
                    ])
                #expect(event["merchant"]?.string == service.merchantID)
                #expect(event["environment"]?.string == service.url)
                #expect(event["app"]?.string == service.appID)
            }
            #expect(events[1]["profile"]?.string == "downtown")
            #expect(try await watch.end(with: 15).ending == .signalled(15))
        }
    }

    @Test("a change between two watches is not reported by the second, which starts with later changes")
    func startsWithThePresent() async throws {
        try await world { sandbox, service in
            try await sandbox.receive(service)
            let watch = try await sandbox.startWatch()
            let renewed = try await sandbox.clover("auth", "refresh")
            #expect(renewed.ending == .exited(0), "\(renewed)")
            try await watch.waitForEvents(["refreshed"])
            #expect(try await watch.end(with: 2).ending == .signalled(2))
        }
    }

    @Test("a choice of one sign-in hears of no other")
    func oneOfTwo() async throws {
        try await world { sandbox, service in
            try await sandbox.receive(service, "--profile", "downtown")
            let watch = try await sandbox.startWatch(["--profile", "downtown"], priming: .refreshes)
            expectSignedIn(
                try await sandbox.signIn(token: "other", merchant: "OTHERMERCHANT", environment: service.url))
            let logout = try await sandbox.clover("auth", "logout", "--profile", "downtown")
            #expect(logout.ending == .exited(0), "\(logout)")
            let events = try await watch.waitFor { $0.contains { $0["event"]?.string == "deleted" } }
            #expect(Set(events.compactMap { $0["merchant"]?.string }) == [service.merchantID])
        }
    }

    @Test("the second name of a sign-in hears of it under that name")
    func secondName() async throws {
        try await world { sandbox, service in
            try await sandbox.receive(service, "--profile", "downtown")
            try await sandbox.receive(service, "--profile", "second")
            let watch = try await sandbox.startWatch(["--profile", "second"], priming: .refreshes)
            let logout = try await sandbox.clover("auth", "logout")
            #expect(logout.ending == .exited(0), "\(logout)")
            let events = try await watch.waitFor { $0.contains { $0["event"]?.string == "deleted" } }
            #expect(events.allSatisfy { $0["profile"]?.string == "second" }, "\(events)")
        }
    }

    @Test("a watch of all tells each event of a sign-in with several names under each of them")
    func eachName() async throws {
        try await world { sandbox, service in
            try await sandbox.receive(service, "--profile", "a")
            try await sandbox.receive(service, "--profile", "b")
            let watch = try await sandbox.startWatch()
            func reported(_ count: Int) async throws -> [String] {
                try await watch.waitFor { $0.count >= count }.map { event in
                    let isOther = event["merchant"]?.string == "OTHERMERCHANT"
                    return
                        "\(event["event"]?.string ?? "") \(event["profile"]?.string ?? "-")\(isOther ? " there" : "")"
                }
            }
            func signInThere(as name: String) async throws {
                let moved = try await sandbox.clover(
                    "auth", "login", "--with-token", "--merchant", "OTHERMERCHANT", "--environment", service.url,
                    "--profile", name, input: .text("token-\(name)\n"))
                #expect(moved.ending == .exited(0), "\(moved)")
            }
            try await signInThere(as: "c")
            var expected = ["new c there"]
            #expect(try await reported(expected.count) == expected)
            // A name goes to a sign-in that has another one.
            try await signInThere(as: "b")
            expected += ["deleted b", "new b there", "new c there"]
            #expect(try await reported(expected.count) == expected)
            try await sandbox.receive(service, "--profile", "d")
            expected += ["new a", "new d"]
            #expect(try await reported(expected.count) == expected)
            let renewed = try await sandbox.clover("auth", "refresh", "--profile", "a")
            #expect(renewed.ending == .exited(0), "\(renewed)")
            expected += ["refreshed a", "refreshed d"]
            #expect(try await reported(expected.count) == expected)
            let logout = try await sandbox.clover("auth", "logout", "--all")
            #expect(logout.ending == .exited(0), "\(logout)")
            let ends = ["deleted a", "deleted b there", "deleted c there", "deleted d"]
            #expect(try await reported(expected.count + ends.count).dropFirst(expected.count).sorted() == ends)
        }
    }

    @Test("a legacy sign-in that is migrated is new under each of its names")
    func migrated() async throws {
        try await world { sandbox, service in
            let address = try await service.approvedAddress(challenge: nil, legacyType: "token")
            let token = try #require(address.firstMatch(of: /access_token=([^&#]+)/)?.1)
            for name in ["downtown", "second"] {
                let kept = try await sandbox.clover(
                    "auth", "login", "--with-token", "--merchant", service.merchantID, "--environment", service.url,
                    "--profile", name, input: .text(token + "\n"))
                #expect(kept.ending == .exited(0), "\(kept)")
            }
            let watch = try await sandbox.startWatch()
            let migrated = try await sandbox.with(["CLOVER_APP_SECRET": service.appSecret]).clover(
                "auth", "migrate", "--app-id", service.appID, "--merchant", service.merchantID)
            #expect(migrated.ending == .exited(0), "\(migrated)")
            let events = try await watch.waitFor { events in
                events.contains { $0["event"]?.string == "deleted" && $0["profile"] == .null }
            }
            let new = events.filter { $0["event"]?.string == "new" }
            #expect(new.map { $0["profile"]?.string } == ["downtown", "second"], "\(events)")
            #expect(new.allSatisfy { $0["app"]?.string == service.appID }, "\(events)")
            let status = try await sandbox.status()
            #expect(status["app"]?.string == service.appID && status["profile"]?.string == "downtown", "\(status)")
        }
    }

    @Test("a watch of a name that is gone does not tell of the same sign-in under another name")
    func nameGone() async throws {
        try await world { sandbox, service in
            try await sandbox.receive(service, "--profile", "downtown")
            let watch = try await sandbox.startWatch(["--profile", "downtown"], priming: .refreshes)
            for arguments in [["--profile", "downtown"], ["--profile", "other"]] {
                if arguments[1] == "other" { try await sandbox.receive(service, "--profile", "other") }
                let logout = try await sandbox.clover(["auth", "logout"] + arguments)
                #expect(logout.ending == .exited(0), "\(logout)")
            }
            // The name is back, which is reported after all that came before.
            try await sandbox.receive(service, "--profile", "downtown")
            let renewed = try await sandbox.clover("auth", "refresh")
            #expect(renewed.ending == .exited(0), "\(renewed)")
            let events = try await watch.waitFor { events in
                let kinds = events.compactMap { $0["event"]?.string }
                return kinds.contains("new") && kinds.last == "refreshed"
            }
            let kinds = events.drop { $0["event"]?.string == "refreshed" }.compactMap { $0["event"]?.string }
            #expect(kinds == ["deleted", "new", "refreshed"], "\(events)")
        }
    }

    @Test("a name is deleted for its watch when only the name is forgotten, or stands for another merchant")
    func nameForgotten() async throws {
        try await world { sandbox, service in
            try await sandbox.receive(service, "--profile", "a")
            try await sandbox.receive(service, "--profile", "b")
            let one = try await sandbox.startWatch(["--profile", "a"], priming: .refreshes)
            let all = try await sandbox.startWatch(priming: .refreshes)
            for arguments in [
                ["logout", "--profile", "a"], ["refresh", "--profile", "b"], ["logout", "--profile", "b"],
            ] {
                let result = try await sandbox.clover(["auth"] + arguments)
                #expect(result.ending == .exited(0), "\(result)")
            }
            let reported = try await all.waitFor { $0.count { $0["event"]?.string == "deleted" } == 2 }
            let ends = reported.filter { $0["event"]?.string == "deleted" }.compactMap { $0["profile"]?.string }
            #expect(ends == ["a", "b"], "\(reported)")
            try await sandbox.receive(service, "--profile", "a")
            let events = try await one.waitFor { $0.contains { $0["event"]?.string == "new" } }
            let kinds = events.drop { $0["event"]?.string == "refreshed" }.compactMap { $0["event"]?.string }
            #expect(kinds == ["deleted", "new"], "\(events)")
        }
    }

    @Test("--exec runs for each event, with the event on standard input and in its environment, and no secret")
    func exec() async throws {
        try await world { sandbox, service in
            let secrets = [
                "CLOVER_APP_SECRET": "unused-app-secret", "EXEC_SEES": "this",
            ]
            let line =
                "cat >>events; echo \"$CLOVER_EVENT $CLOVER_EVENT_MERCHANT\" >>names; env >>variables; echo heard"
            let watch = try await sandbox.with(secrets).startWatch(["--exec", line])
            try await sandbox.receive(service)
            let renewed = try await sandbox.clover("auth", "refresh")
            #expect(renewed.ending == .exited(0), "\(renewed)")
            let logout = try await sandbox.clover("auth", "logout")
            #expect(logout.ending == .exited(0), "\(logout)")
            try await watch.waitForEvents(["new", "refreshed", "deleted"])
            // The command of the last event may still be running: a signal ends the watch behind it.
            try await sandbox.eventually("three names") {
                try sandbox.text("names").split(separator: "\n").count { $0.hasSuffix(service.merchantID) } == 3
            }
            let names = try sandbox.text("names").split(separator: "\n").filter { $0.hasSuffix(service.merchantID) }
            #expect(names == ["new", "refreshed", "deleted"].map { "\($0) \(service.merchantID)" })
            let heard = try JSONValue.lines(try sandbox.text("events").split(separator: "\n").map(String.init))
            #expect(heard.filter { $0["merchant"]?.string == service.merchantID }.count == 3)
            let variables = try sandbox.text("variables")
            #expect(variables.contains("EXEC_SEES=this") && !variables.contains("unused-app-secret"))
            let result = try await watch.end(with: 15)
            #expect(!result.outputText.contains("heard"), "the command writes into the data")
        }
    }

    @Test("a command that fails is named, and the watch goes on")
    func failingCommand() async throws {
        try await world { sandbox, service in
            let watch = try await sandbox.startWatch(["--exec", "exit 3"])
            try await sandbox.receive(service)
            try await watch.waitForEvents(["new"])
            try await watch.command.waitForErrors(containing: "status 3")
            let renewed = try await sandbox.clover("auth", "refresh")
            #expect(renewed.ending == .exited(0), "\(renewed)")
            try await watch.waitForEvents(["new", "refreshed"])
        }
    }

    @Test("a closed pipe ends it quietly, by SIGPIPE")
    func closedPipe() async throws {
        try await world { sandbox, service in
            let shell = try sandbox.startShell(
                "clover auth watch | head -n 1; echo \"status ${PIPESTATUS[0]}\"")
            var number = 0
            // Until the watch has begun, nothing can be heard.
            while !String(decoding: shell.outputSoFar, as: UTF8.self).contains("event"), number < 200 {
                number += 1
                expectSignedIn(
                    try await sandbox.signIn(token: "t\(number)", merchant: "PRIMER", environment: service.url))
            }
            let result = try await shell.result()
            #expect(result.lines.last == "status 141", "\(result)")
            #expect(result.errorText == "", "\(result)")
        }
    }

    @Test("a credentials folder that is deleted and made again goes on being watched")
    func folderMadeAgain() async throws {
        try await world { sandbox, service in
            try await sandbox.receive(service)
            let watch = try await sandbox.startWatch()
            try FileManager.default.removeItem(atPath: sandbox.directory["state/credentials"])
            try await watch.waitForEvents(["deleted"])
            try await sandbox.receive(service)
            try await watch.waitForEvents(["deleted", "new"])
        }
    }

    @Test("a file that cannot be read is named on standard error, and the watch goes on")
    func unreadable() async throws {
        try await world { sandbox, service in
            try await sandbox.receive(service)
            let watch = try await sandbox.startWatch()
            let file = try sandbox.tokenFile()
            let whole = try sandbox.directory.read(file)
            try sandbox.directory.overwrite(file, Array("{\"version\":1,".utf8))
            try await watch.command.waitForErrors(containing: "credentials/")
            try sandbox.directory.overwrite(file, whole)
            let renewed = try await sandbox.clover("auth", "refresh")
            #expect(renewed.ending == .exited(0), "\(renewed)")
            _ = try await watch.waitFor { $0.contains { $0["event"]?.string == "refreshed" } }
        }
    }

    private func world(
        _ flags: [String] = [], _ body: (Sandbox, SignInService) async throws -> Void
    ) async throws {
        try await Sandbox.run(weight: 2) { sandbox in
            let emulator = try await EmulatorProcess(["--orders", "20", "--auto-approve"] + flags)
            try await body(sandbox, SignInService(emulator))
        }
    }
}
