"""Tests the built `clover` with an authorization server from another project.

    Scripts/install-python
    CLOVER_TEST_BINARIES=.build/release .build/python/bin/python Tests/Provider/test_provider.py [TEST...]

Prints what was checked; the status is 1 when something does not hold.
"""

import json
import math
import string
import sys
import tempfile
import unittest
import urllib.parse
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

# Leaves the source tree unchanged.
sys.dont_write_bytecode = True

try:
    from authlib.common.security import generate_token
    from authlib.oauth2.rfc6749.parameters import prepare_grant_uri
    from authlib.oauth2.rfc7636 import create_s256_code_challenge
except ImportError as error:
    sys.exit(f"provider: {error}; run Scripts/install-python, and this with .build/python/bin/python")

from program import Ended, Page, Program, browse, post, redirect
from provider import AUTHORIZE, MERCHANT_ID, REFRESH, TOKEN, ManInTheMiddle, Provider

UNRESERVED = string.ascii_letters + string.digits + "-._~"  # RFC 7636, section 4.1
NOT_AUTHORIZED, USAGE = 77, 64
# A valid pair of another client.
FOREIGN_VERIFIER = "foreign-" + "v" * 40
FOREIGN_CHALLENGE = create_s256_code_challenge(FOREIGN_VERIFIER)


def obtain_code(provider: Provider, verifier: str) -> str:
    """The address with a code that another client, Authlib's, receives."""
    page, address = redirect(prepare_grant_uri(
        provider.url + AUTHORIZE, provider.app.client_id, "code", redirect_uri="http://127.0.0.1:8976/callback",
        state=generate_token(), code_challenge=create_s256_code_challenge(verifier), code_challenge_method="S256"))
    if address is None:
        raise AssertionError(f"the provider gives no code: {page}")
    return address


def forms(secret: str) -> set[str]:
    """A text, and its forms in addresses and JSON."""
    return {secret, urllib.parse.quote(secret, safe=""), urllib.parse.quote_plus(secret), json.dumps(secret)[1:-1]}


class ProviderTestCase(unittest.TestCase):
    def setUp(self):
        home = tempfile.TemporaryDirectory(prefix="clover-provider.")
        self.addCleanup(home.cleanup)
        self.home = Path(home.name)
        self.outputs: list[str] = []
        self.clover = Program(self.home, self.outputs)
        self.providers: list[Provider] = []
        self.outsiders: list[str] = []
        self.addCleanup(self._prove_no_secret_in_sight)

    def provider(self, **options) -> Provider:
        provider = self.enterContext(Provider(**options))
        self.providers.append(provider)
        return provider

    def prove(self, words: str, holds: bool, *found):
        """Checks a condition, and prints the result."""
        if not holds:
            self.fail("; found: ".join([words, *map(str, found)]))
        print(f"provider: ok: {words}", flush=True)

    def sign_in_arguments(self, provider: Provider, *more: str) -> list[str]:
        return ["auth", "login", "--verbose", "--environment", provider.url, "--app-id", provider.app.client_id, *more]

    def sign_in(self, provider: Provider, *more: str) -> tuple[Ended, Page]:
        """Signs in through the listener, with urllib as the browser."""
        login = self.clover.start(*self.sign_in_arguments(provider, "--no-browser", "--callback-port", "0", *more))
        page = browse(login.address())
        return login.end(), page

    def sign_in_by_hand(self, provider: Provider, *more: str) -> tuple[Ended, str]:
        """Signs in with --paste; also returns the pasted address."""
        login = self.clover.start(*self.sign_in_arguments(provider, "--paste", *more))
        page, address = redirect(login.address())
        if address is None:
            login.kill()
            self.fail(f"the provider sends the browser nowhere: {page}")
        return login.end(address + "\n"), address

    def prove_signed_in(self, provider: Provider, ended: Ended):
        self.prove("the command ends with 0", ended.status == 0, ended)
        message = f"signed in to merchant {MERCHANT_ID} ({provider.url})"
        self.prove("it names the merchant", message in ended.messages, ended.messages)
        status = self.clover.status()
        self.prove(
            "'auth status' knows merchant and app",
            (status["loggedIn"], status["merchant"], status["app"], status["environment"])
            == (True, MERCHANT_ID, provider.app.client_id, provider.url), status)

    def prove_not_signed_in(self, ended: Ended, status: int):
        self.prove(f"the command ends with {status}", ended.status == status, ended)
        self.prove("nothing is kept", self.clover.credentials == [], self.clover.credentials)
        self.prove("'auth status' is not signed in", not self.clover.status()["loggedIn"])

    def _prove_no_secret_in_sight(self):
        """Runs after every test, whatever its result."""
        secrets = set(self.outsiders)
        addresses, headers = [], []
        for provider in self.providers:
            secrets |= set(provider.store.issued_codes) | ({provider.app.secret} - {None})
            for token in provider.store.tokens:
                secrets |= {token.access_token, token.refresh_token}
            for seen in provider.seen:
                addresses.append(seen.address)
                # A data request has the token, and nothing else, in the header for it.
                is_data = seen.path.startswith("/v3/")
                headers += [value for name, value in seen.headers.items() if not (is_data and name == "authorization")]
                if seen.path == TOKEN:
                    secrets |= {seen.fields.get("code_verifier"), seen.fields["code"]} - {None}
        places = [*addresses, *headers, *self.outputs]
        leaks = [(form, place) for secret in secrets for form in forms(secret) for place in places if form in place]
        if secrets:
            self.prove(
                f"none of {len(secrets)} secrets is in {len(addresses)} addresses, {len(headers)} header fields "
                f"and {len(self.outputs)} outputs", leaks == [], leaks)


class SigningIn(ProviderTestCase):
    def test_through_the_listener(self):
        provider = self.provider()
        ended, page = self.sign_in(provider)
        self.prove_signed_in(provider, ended)
        self.prove("the page in the browser names the merchant", page.status == 200 and MERCHANT_ID in page.text, page)
        self.prove("the browser ended on a loopback address", page.address.startswith("http://127.0.0.1:"), page)
        self.prove_requests(provider)
        kept = json.loads(self.clover.credentials[0].read_bytes())
        issued = provider.store.tokens[0]
        self.prove(
            "the pair that was issued is kept, with both expirations in seconds",
            (kept["accessToken"], kept["refreshToken"], kept["accessTokenExpires"], kept["refreshTokenExpires"])
            == (issued.access_token, issued.refresh_token, issued.issued + issued.access_life,
                issued.issued + issued.refresh_life), sorted(kept))
        checked = json.loads(self.clover.run("auth", "status", "--check", "--json").output)
        self.prove("Authlib accepts the bearer token of data requests", checked["tokenAccepted"] is True, checked)

    def test_by_a_pasted_address(self):
        provider = self.provider()
        ended, _ = self.sign_in_by_hand(provider)
        self.prove_signed_in(provider, ended)
        self.prove_requests(provider)

    def test_for_a_named_merchant(self):
        provider = self.provider()
        ended, _ = self.sign_in_by_hand(provider, "--merchant", MERCHANT_ID)
        self.prove_signed_in(provider, ended)
        asked = provider.requests(AUTHORIZE)[0].query
        self.prove("the merchant is asked for", asked["merchant_id"] == [MERCHANT_ID], asked)

    def test_where_state_is_demanded(self):
        provider = self.provider(is_state_demanded=True)
        ended, _ = self.sign_in(provider)
        self.prove_signed_in(provider, ended)
        address = urllib.parse.urlsplit(provider.requests(AUTHORIZE)[0].address)
        query = [pair for pair in urllib.parse.parse_qsl(address.query) if pair[0] != "state"]
        _, back = redirect(provider.url + address._replace(query=urllib.parse.urlencode(query)).geturl())
        self.prove("this provider does refuse a request without state", "error=invalid_request" in (back or ""), back)

    def test_with_an_app_secret(self):
        secret = "app-secret-" + generate_token(24)
        provider = self.provider(app_secret=secret)
        file = self.home / "secret.txt"
        file.write_text(secret + "\n")
        file.chmod(0o600)
        ended, _ = self.sign_in(provider, "--app-secret-file", str(file))
        self.prove_signed_in(provider, ended)
        fields = provider.requests(TOKEN)[0].fields
        self.prove("the secret is in the body", fields.keys() == {"client_id", "code", "client_secret"}, sorted(fields))
        renewed = self.clover.run("auth", "refresh")
        fields = provider.requests(REFRESH)[0].fields
        self.prove("it is not shown for a refresh", fields.keys() == {"client_id", "refresh_token"}, sorted(fields))
        self.prove("the refresh ends with 0", renewed.status == 0, renewed)

    def test_with_a_wrong_app_secret(self):
        secret = "wrong-secret-" + generate_token(24)
        self.outsiders.append(secret)
        provider = self.provider(app_secret="app-secret-" + generate_token(24))
        file = self.home / "secret.txt"
        file.write_text(secret)
        file.chmod(0o600)
        ended, _ = self.sign_in_by_hand(provider, "--app-secret-file", str(file))
        self.prove_not_signed_in(ended, NOT_AUTHORIZED)
        self.prove("Authlib's reason is reported", "invalid_client" in ended.messages, ended.messages)

    def test_denied(self):
        provider = self.provider(is_approving=False)
        ended, page = self.sign_in(provider)
        self.prove_not_signed_in(ended, NOT_AUTHORIZED)
        self.prove("it says that access was denied", "access was denied" in ended.messages, ended.messages)
        self.prove("so does the page", "denied" in page.text, page)
        self.prove("no code is exchanged", provider.requests(TOKEN) == [])

    def test_with_a_code_obtained_elsewhere(self):
        """`auth receive`: verifier and challenge come from Authlib, with the minimum and the maximum length."""
        provider = self.provider()
        for length in (43, 128):
            # The verifiers of each length together contain every permitted character.
            verifier = ("-._~" + generate_token(length))[:length]
            file = self.home / f"verifier-{length}.txt"
            file.write_text(verifier + "\n")
            file.chmod(0o600)
            address = obtain_code(provider, verifier)
            arguments = (
                "auth", "receive", "--environment", provider.url, "--app-id", provider.app.client_id,
                "--code-verifier-file", str(file))
            ended = self.clover.run(*arguments, given=address + "\n")
            self.prove(f"a foreign verifier of {length} characters is accepted", ended.status == 0, ended)
            sent = provider.requests(TOKEN)[-1].fields
            self.prove("it arrives unchanged", sent["code_verifier"] == verifier, len(sent["code_verifier"]))
        exchanges = len(provider.requests(TOKEN))
        kept = self.clover.credentials[0].read_bytes()
        again = self.clover.run(*arguments, given=address + "\n")
        self.prove(
            "the same code again changes nothing and sends no request",
            (again.status, len(provider.requests(TOKEN)), self.clover.credentials[0].read_bytes())
            == (0, exchanges, kept), again)
        refused = self.clover.run(*arguments, given=obtain_code(provider, FOREIGN_VERIFIER) + "\n")
        self.prove("a code of another verifier ends with 77", refused.status == NOT_AUTHORIZED, refused)
        self.prove("the tokens from before are still there", self.clover.credentials[0].read_bytes() == kept)

    def prove_requests(self, provider: Provider):
        """One authorization request and one token request, checked exactly."""
        self.prove("the browser asked once", len(provider.requests(AUTHORIZE)) == 1)
        asked = provider.requests(AUTHORIZE)[0].query
        names = {"client_id", "redirect_uri", "response_type", "state", "code_challenge", "code_challenge_method"}
        self.prove("its query has what the standard knows, each once",
                   asked.keys() == names and all(len(values) == 1 for values in asked.values()), asked)
        self.prove("the method is S256", asked["code_challenge_method"] == ["S256"], asked)
        self.prove("the code was exchanged once", len(provider.requests(TOKEN)) == 1)
        exchange = provider.requests(TOKEN)[0]
        self.prove("as JSON without a query", exchange.address == TOKEN
                   and exchange.headers["content-type"].startswith("application/json"), exchange.address)
        self.prove("with the fields of Clover's PKCE flow only",
                   exchange.fields.keys() == {"client_id", "code", "code_verifier"}, sorted(exchange.fields))
        self.prove("without credentials in a header", "authorization" not in exchange.headers)
        verifier = exchange.fields["code_verifier"]
        self.prove("the verifier is 43 to 128 unreserved characters",
                   43 <= len(verifier) <= 128 and set(verifier) <= set(UNRESERVED), len(verifier))
        self.prove("the challenge is what Authlib makes of it",
                   asked["code_challenge"] == [create_s256_code_challenge(verifier)], asked["code_challenge"])


class Randomness(ProviderTestCase):
    def test_of_state_and_verifier(self):
        provider = self.provider()
        rounds = 16
        for _ in range(rounds):
            ended, _ = self.sign_in_by_hand(provider)
            self.assertEqual(ended.status, 0, ended)
        states = [seen.query["state"][0] for seen in provider.requests(AUTHORIZE)]
        verifiers = [seen.fields["code_verifier"] for seen in provider.requests(TOKEN)]
        for name, values in (("state", states), ("verifier", verifiers)):
            self.prove(f"each of {rounds} sign-ins has a different {name}", len(set(values)) == rounds, values)
            self.prove(f"every {name} is long enough for 128 bits and made of unreserved characters",
                       all(len(value) * 6 >= 128 and set(value) <= set(UNRESERVED) for value in values))
            bits = self.seen_bits(values)
            self.prove(f"a {name} has 128 bits or more ({bits:.0f} are seen in {rounds})", bits >= 128)
        self.prove("no state is in its verifier or challenge", not any(
            state in verifier or state == create_s256_code_challenge(verifier)
            for state, verifier in zip(states, verifiers)))

    @staticmethod
    def seen_bits(values: list[str]) -> float:
        """A lower bound if characters are independent: the variation at each position in a small sample."""
        return sum(math.log2(len(set(column))) for column in zip(*values))


@dataclass(frozen=True)
class Tampering:
    """An attack by a man in the middle, and the expected result."""

    does: str
    middle: ManInTheMiddle
    reason: str  # is in the message
    exchanges: int  # token requests that clover makes


def changed(**fields: str | None) -> Callable[[dict], dict]:
    """Replaces values; None removes the field."""
    return lambda passing: {name: value for name, value in (passing | fields).items() if value is not None}


class Attacks(ProviderTestCase):
    TAMPERINGS = [
        Tampering("another challenge", ManInTheMiddle(asked=changed(code_challenge=FOREIGN_CHALLENGE)),
                  "Code challenge failed", 1),
        Tampering("the method plain", ManInTheMiddle(asked=changed(code_challenge_method="plain")),
                  "invalid_request", 0),
        Tampering("no challenge and no method",
                  ManInTheMiddle(asked=changed(code_challenge=None, code_challenge_method=None)), "invalid_request", 0),
        Tampering("another verifier", ManInTheMiddle(sent=changed(code_verifier=FOREIGN_VERIFIER)),
                  "Code challenge failed", 1),
        Tampering("no verifier", ManInTheMiddle(sent=changed(code_verifier=None)), "code_verifier", 1),
        Tampering("another code", ManInTheMiddle(redirected=changed(code="c" * 48)), "invalid_grant", 1),
        Tampering("no code", ManInTheMiddle(redirected=changed(code=None)), "neither a code nor a token", 0),
        Tampering("another app", ManInTheMiddle(redirected=changed(client_id="OTHERAPP00001")), "OTHERAPP00001", 0),
    ]

    def test_by_a_man_in_the_middle(self):
        for number, tampering in enumerate(self.TAMPERINGS):
            with self.subTest(tampering.does):
                self.clover = Program(self.home / str(number), self.outputs)
                provider = self.provider(man_in_the_middle=tampering.middle)
                ended, page = self.sign_in(provider)
                print(f"provider: a man in the middle inserts {tampering.does}:")
                self.prove_not_signed_in(ended, NOT_AUTHORIZED)
                self.prove("the message says what is wrong", tampering.reason in ended.messages, ended.messages)
                self.prove("the page says that the sign-in failed", "Sign-in failed" in page.text, page)
                self.prove(f"token requests made: {tampering.exchanges}",
                           len(provider.requests(TOKEN)) == tampering.exchanges, provider.requests(TOKEN))
                self.prove("no token was issued", provider.store.tokens == [])

    def test_by_a_foreign_state(self):
        for number, state in enumerate(("s" * 43, None)):
            with self.subTest(state):
                self.clover = Program(self.home / f"state-{number}", self.outputs)
                provider = self.provider(man_in_the_middle=ManInTheMiddle(redirected=changed(state=state)))
                login = self.clover.start(
                    *self.sign_in_arguments(provider, "--no-browser", "--callback-port", "0"))
                page = browse(login.address())
                self.prove("the page says that it is not this sign-in", "Not this sign-in" in page.text, page)
                login.interrupt()
                ended = login.end()
                self.prove("the message says what is wrong", "'state'" in ended.messages, ended.messages)
                self.prove_not_signed_in(ended, -2)
                self.prove("no code was spent", provider.requests(TOKEN) == [])

    def test_by_a_pasted_address_of_another_sign_in(self):
        provider = self.provider()
        foreign = obtain_code(provider, FOREIGN_VERIFIER)
        login = self.clover.start(*self.sign_in_arguments(provider, "--paste"))
        login.address()
        ended = login.end(foreign + "\n")
        self.prove_not_signed_in(ended, NOT_AUTHORIZED)
        self.prove("the code is not spent", provider.requests(TOKEN) == [])

    def test_with_a_redirect_that_is_not_registered(self):
        provider = self.provider(redirects=("http://127.0.0.1:1/elsewhere",))
        login = self.clover.start(*self.sign_in_arguments(provider, "--no-browser", "--callback-port", "0"))
        page, back = redirect(login.address())
        self.prove("Authlib refuses it with its own page", (page.status, back) == (400, None), page, back)
        login.interrupt()
        ended = login.end()
        self.prove_not_signed_in(ended, -2)

        login = self.clover.start(
            *self.sign_in_arguments(provider, "--paste", "--redirect-uri", "http://127.0.0.1:1/another"))
        page, back = redirect(login.address())
        self.prove("so it does with --redirect-uri", (page.status, back) == (400, None), page, back)
        self.prove_not_signed_in(login.end(), USAGE)

        ended, address = self.sign_in_by_hand(provider, "--redirect-uri", "http://127.0.0.1:1/elsewhere")
        self.prove("the registered one is used", address.startswith("http://127.0.0.1:1/elsewhere?"), address)
        self.prove_signed_in(provider, ended)


class Refreshing(ProviderTestCase):
    def signed_in(self, **options) -> Provider:
        provider = self.provider(**options)
        ended, _ = self.sign_in_by_hand(provider)
        self.assertEqual(ended.status, 0, ended)
        return provider

    def test_rotates_the_pair(self):
        provider = self.signed_in()
        for generation in (1, 2, 3):
            ended = self.clover.run("auth", "refresh", "--verbose")
            self.prove(f"refresh {generation} ends with 0", ended.status == 0, ended)
            spent, issued = provider.store.tokens[generation - 1], provider.store.tokens[generation]
            asked = provider.requests(REFRESH)[-1]
            self.prove("it spends the token of the last answer and names the app", asked.fields
                       == {"client_id": provider.app.client_id, "refresh_token": spent.refresh_token},
                       sorted(asked.fields))
            self.prove("as JSON, without a query and without credentials in a header",
                       asked.address == REFRESH and "authorization" not in asked.headers
                       and asked.headers["content-type"].startswith("application/json"), asked.address)
            kept = json.loads(self.clover.credentials[0].read_bytes())
            self.prove("the new pair is kept", (kept["accessToken"], kept["refreshToken"])
                       == (issued.access_token, issued.refresh_token))
        token = self.clover.run("auth", "token")
        self.prove("'auth token' prints it", token.output == issued.access_token + "\n", token.status)

    def test_when_due_once_for_many_processes(self):
        provider = self.signed_in(access_token_life=1)
        provider.access_token_life = 1800  # of those issued from now on
        self.wait_until_due()
        programs = [self.clover.start("auth", "token") for _ in range(8)]
        tokens = {program.end().output for program in programs}
        self.prove("eight processes print the same token", tokens == {provider.store.tokens[-1].access_token + "\n"},
                   len(tokens))
        asked = len(provider.requests(REFRESH))
        self.prove("one of them asked the provider", asked == 1, asked)

    def wait_until_due(self):
        for _ in range(2000):
            if self.clover.status()["refreshDue"]:
                return
        self.fail("a token that lives for a second is never due")

    def test_when_a_good_looking_token_is_refused(self):
        provider = self.signed_in()
        provider.revoke_access_tokens()
        ended = self.clover.run("get", "merchant")
        self.prove("'get merchant' ends with 0", ended.status == 0, ended)
        self.prove("it prints the record", json.loads(ended.output)["id"] == MERCHANT_ID, ended.output)
        statuses = [seen.status for seen in provider.requests(f"/v3/merchants/{MERCHANT_ID}")]
        self.prove("it was refused once, and repeated with a new token", statuses == [401, 200], statuses)
        self.prove("after one refresh", len(provider.requests(REFRESH)) == 1, len(provider.requests(REFRESH)))

    def test_with_a_spent_token(self):
        provider = self.signed_in()
        file = self.clover.credentials[0]
        kept = file.read_bytes()
        thief = post(provider.url + REFRESH, {
            "client_id": provider.app.client_id, "refresh_token": json.loads(kept)["refreshToken"]})
        self.assertEqual(thief.status, 200, thief.status)
        refused = self.clover.run("auth", "refresh")
        self.prove("a refresh token that another client used ends with 77", refused.status == NOT_AUTHORIZED, refused)
        self.prove("Authlib's reason and the remedy are reported", "invalid_grant" in refused.messages
                   and "clover auth login" in refused.messages, refused.messages)
        self.prove("the credential is left as it was", file.read_bytes() == kept)
        asked = len(provider.requests(REFRESH))
        again = self.clover.run("auth", "refresh")
        self.prove("the next run ends the same way and sends no request",
                   (again.status, len(provider.requests(REFRESH))) == (NOT_AUTHORIZED, asked), again)
        ended, _ = self.sign_in_by_hand(provider)
        self.prove("a new sign-in heals it", ended.status == 0, ended)
        renewed = self.clover.run("auth", "refresh")
        self.prove("its tokens can be renewed", renewed.status == 0, renewed)

    def test_after_the_app_was_withdrawn(self):
        provider = self.signed_in()
        kept = self.clover.credentials[0].read_bytes()
        provider.withdraw_app()
        refused = self.clover.run("auth", "refresh")
        self.prove("an unknown app ends with 77", refused.status == NOT_AUTHORIZED, refused)
        self.prove("the credential is left as it was", self.clover.credentials[0].read_bytes() == kept)


def main() -> int:
    names = sys.argv[1:]
    module, loader = sys.modules[__name__], unittest.TestLoader()
    tests = loader.loadTestsFromNames(names, module) if names else loader.loadTestsFromModule(module)
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=0).run(tests)
    failed = len({test.id().partition(" ")[0] for test, _ in result.failures + result.errors})
    print(f"provider: {result.testsRun - failed} passed, {failed} failed")
    return 0 if result.wasSuccessful() and result.testsRun > 0 else 1


if __name__ == "__main__":
    sys.exit(main())
