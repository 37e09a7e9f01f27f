"""An authorization server that checks requests with another project's implementation of the standards: Authlib.

Authlib checks the authorization request, the code, PKCE (RFC 7636), the client and the refresh token (RFC 6749), and
the bearer token of a data request (RFC 6750). Only Clover's conventions are added here: the paths, JSON bodies in
place of forms, two expirations in seconds, `merchant_id` and `client_id` on the redirect, `{"message": ...}` for errors.

Every request is recorded before it is processed, and a man in the middle may be placed between the network and
Authlib.
"""

import io
import json
import logging
import string
import threading
import time
import urllib.parse
from dataclasses import dataclass, field
from typing import Callable

from authlib.common.security import generate_token
from authlib.common.urls import add_params_to_uri
from authlib.integrations.flask_oauth2 import AuthorizationServer, ResourceProtector
from authlib.integrations.flask_oauth2.requests import FlaskOAuth2Request
from authlib.oauth2 import OAuth2Error
from authlib.oauth2.rfc6749 import AuthorizationCodeMixin, ClientMixin, InvalidRequestError, TokenMixin, grants
from authlib.oauth2.rfc6750 import BearerTokenValidator
from authlib.oauth2.rfc7636 import CodeChallenge
from flask import Flask, Response, abort, jsonify, request
from werkzeug.serving import make_server
from werkzeug.test import EnvironBuilder
from werkzeug.wrappers import Request

ALPHANUMERIC = string.ascii_letters + string.digits
PRINTED = ALPHANUMERIC + string.punctuation
AUTHORIZE, TOKEN, REFRESH = "/oauth/v2/authorize", "/oauth/v2/token", "/oauth/v2/refresh"


@dataclass(frozen=True)
class Seen:
    """A request as it arrived, and the status of the response."""

    method: str
    address: str  # path and query, undecoded
    headers: dict[str, str]
    body: bytes
    status: int
    answer: bytes

    @property
    def path(self) -> str:
        return self.address.partition("?")[0]

    @property
    def query(self) -> dict[str, list[str]]:
        return urllib.parse.parse_qs(self.address.partition("?")[2], keep_blank_values=True, strict_parsing=True)

    @property
    def fields(self) -> dict:
        return json.loads(self.body)


@dataclass
class ManInTheMiddle:
    """Rewrites requests and responses; each function takes a dictionary and returns another."""

    asked: Callable[[dict], dict] = dict  # the query of the authorization request
    redirected: Callable[[dict], dict] = dict  # the query of the address that the browser is sent to
    sent: Callable[[dict], dict] = dict  # the JSON body of a token request


@dataclass(frozen=True)
class App(ClientMixin):
    """The only registered client: public, or confidential if it has a secret."""

    client_id: str
    secret: str | None
    redirects: tuple[str, ...]

    def get_client_id(self):
        return self.client_id

    def get_default_redirect_uri(self):
        return None  # Clover requires the parameter.

    def get_allowed_scope(self, scope):
        return ""  # Clover has no scopes: permissions belong to the app.

    def check_redirect_uri(self, redirect_uri):
        return redirect_uri in self.redirects or without_port(redirect_uri) in self.redirects

    def check_client_secret(self, client_secret):
        return client_secret == self.secret

    def check_endpoint_auth_method(self, method, endpoint):
        # A refresh at Clover names the app and contains no secret, for any kind of app.
        return method == "named" or method == ("none" if self.secret is None else "client_secret_post")

    def check_response_type(self, response_type):
        return response_type == "code"

    def check_grant_type(self, grant_type):
        return grant_type in ("authorization_code", "refresh_token")


def without_port(address: str) -> str | None:
    """A loopback address without its port, because any port is valid (RFC 8252, section 7.3). None for others."""
    parts = urllib.parse.urlsplit(address)
    if parts.scheme != "http" or parts.hostname != "127.0.0.1" or "@" in parts.netloc:
        return None
    return parts._replace(netloc=parts.hostname).geturl()


@dataclass
class Code(AuthorizationCodeMixin):
    code: str
    client_id: str
    redirect_uri: str
    code_challenge: str | None
    code_challenge_method: str | None
    expires: float

    def get_redirect_uri(self):
        # Authlib compares it with the token request's. Clover's token request does not repeat it; PKCE stands in for
        # that comparison (OAuth 2.1 dropped it for this reason).
        return request.get_json().get("redirect_uri") and self.redirect_uri

    def get_scope(self):
        return ""


@dataclass
class Token(TokenMixin):
    client_id: str
    access_token: str
    refresh_token: str
    issued: int
    access_life: int
    refresh_life: int = 366 * 86_400
    is_access_revoked: bool = False
    is_refresh_revoked: bool = False

    def check_client(self, client):
        return self.client_id == client.client_id

    def get_scope(self):
        return ""

    def get_expires_in(self):
        return self.access_life

    def is_expired(self):
        return time.time() >= self.issued + self.access_life

    def is_revoked(self):
        return self.is_access_revoked

    def get_user(self):
        return MERCHANT_ID

    def get_client(self):
        return None


MERCHANT_ID = "AUTHLIB000001"


@dataclass
class Store:
    """The state of an authorization server. Codes and tokens are kept forever, so that a test can look for them."""

    codes: dict[str, Code] = field(default_factory=dict)
    issued_codes: list[str] = field(default_factory=list)
    tokens: list[Token] = field(default_factory=list)


class Provider:
    """Listens on a free port of 127.0.0.1 for the duration of the `with` block."""

    def __init__(
        self,
        *,
        app_id: str = "AUTHLIBAPP001",
        app_secret: str | None = None,
        redirects: tuple[str, ...] = ("http://127.0.0.1/callback",),
        is_state_demanded: bool = False,
        is_approving: bool = True,
        access_token_life: int = 1800,
        man_in_the_middle: ManInTheMiddle | None = None,
    ):
        self.app = App(app_id, app_secret, redirects)
        self.is_state_demanded = is_state_demanded
        self.is_approving = is_approving
        self.access_token_life = access_token_life  # seconds
        self.store = Store()
        self.seen: list[Seen] = []
        self._is_withdrawn = False
        self._middle = man_in_the_middle or ManInTheMiddle()
        self._flask = self._make_flask()
        self._lock = threading.Lock()

    def __enter__(self) -> "Provider":
        self._server = make_server("127.0.0.1", 0, self._record, threaded=True)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def requests(self, path: str) -> list[Seen]:
        return [seen for seen in list(self.seen) if seen.path == path]

    def revoke_access_tokens(self):
        with self._lock:
            for token in self.store.tokens:
                token.is_access_revoked = True

    def withdraw_app(self):
        with self._lock:
            self._is_withdrawn = True

    # From the network to Authlib

    def _record(self, environ, start_response):
        """Handles one request at a time, because the store has no locks."""
        body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
        headers = {
            name.removeprefix("HTTP_").replace("_", "-").lower(): value
            for name, value in environ.items()
            if name.startswith("HTTP_") or name in ("CONTENT_TYPE", "CONTENT_LENGTH")
        }
        method, address = environ["REQUEST_METHOD"], environ["REQUEST_URI"]
        environ["wsgi.input"] = io.BytesIO(body)
        with self._lock:
            self._rewrite(environ, body)
            answer = Response.from_app(self._flask.wsgi_app, environ)
            if AUTHORIZE == environ["PATH_INFO"] and answer.status_code == 302:
                answer.location = rewritten_query(answer.location, self._middle.redirected)
            self.seen.append(Seen(method, address, headers, body, answer.status_code, answer.get_data()))
        return answer(environ, start_response)

    def _rewrite(self, environ, body: bytes):
        if environ["PATH_INFO"] == AUTHORIZE:
            asked = rewritten_query("?" + environ.get("QUERY_STRING", ""), self._middle.asked)
            environ["QUERY_STRING"] = asked.removeprefix("?")
        elif environ["PATH_INFO"] in (TOKEN, REFRESH) and self._middle.sent is not dict:
            body = json.dumps(self._middle.sent(json.loads(body))).encode()
            environ.update({"wsgi.input": io.BytesIO(body), "CONTENT_LENGTH": str(len(body))})

    # Clover's paths

    def _make_flask(self) -> Flask:
        # Its log line for every request would hide the output of the tests.
        logging.getLogger("werkzeug").setLevel(logging.ERROR)
        flask = Flask(__name__)
        # A bearer token may contain more than letters and digits (RFC 6750, section 2.1), a refresh token any printable
        # character (RFC 6749, appendix A.17).
        flask.config.update(
            OAUTH2_ACCESS_TOKEN_GENERATOR=lambda **_: generate_token(300, ALPHANUMERIC + "-._~+/") + "==",
            OAUTH2_REFRESH_TOKEN_GENERATOR=lambda **_: generate_token(64, PRINTED),
        )
        server = Server(flask, query_client=self._client, save_token=self._save)
        server.register_client_auth_method("named", lambda query_client, asked: query_client(asked.payload.client_id))
        server.register_grant(
            code_grant(self.store), [S256Only(), StateDemanded()] if self.is_state_demanded else [S256Only()])
        server.register_grant(refresh_grant(self.store))
        protector = Protector()
        protector.register_token_validator(Validator(self.store))

        @flask.get(AUTHORIZE)
        def authorize():
            try:
                grant = server.get_consent_grant(end_user=MERCHANT_ID)
            except OAuth2Error as error:
                return server.handle_error_response(request, error)
            approved = MERCHANT_ID if self.is_approving else None
            return server.create_authorization_response(request=grant.request, grant_user=approved, grant=grant)

        @flask.post(TOKEN)
        def token():
            return self._issue(server, "authorization_code")

        @flask.post(REFRESH)
        def refresh():
            return self._issue(server, "refresh_token")

        @flask.get(f"/v3/merchants/{MERCHANT_ID}")
        @protector()
        def merchant():
            return jsonify({"id": MERCHANT_ID, "name": "A shop of Authlib's"})

        @flask.get(f"/v3/merchants/{MERCHANT_ID}/<family>")
        @protector()
        def records(family):
            return jsonify({"elements": [], "href": request.url})

        return flask

    def _client(self, client_id):
        return self.app if client_id == self.app.client_id and not self._is_withdrawn else None

    def _save(self, token, asked):
        self.store.tokens.append(
            Token(
                asked.client.client_id, token["access_token"], token["refresh_token"], int(time.time()),
                self.access_token_life,
            )
        )

    def _issue(self, server, grant_type: str) -> Response:
        """Converts Clover's JSON to the form of RFC 6749 for Authlib, and its response to Clover's JSON."""
        fields = request.get_json(silent=True)
        if not isinstance(fields, dict) or not all(isinstance(value, str) for value in fields.values()):
            return clover_error(400, "the body is not a JSON object of strings")
        answer = server.create_token_response(fields | {"grant_type": grant_type})
        issued_fields = answer.get_json()
        if answer.status_code != 200:
            # A spent refresh token is 401 at Clover and 400 in the standard.
            is_unknown = grant_type == "refresh_token" and issued_fields["error"] in ("invalid_grant", "invalid_client")
            words = ": ".join(filter(None, [issued_fields["error"], issued_fields.get("error_description")]))
            return clover_error(401 if is_unknown else answer.status_code, words)
        issued = self.store.tokens[-1]
        return jsonify(
            {
                "access_token": issued_fields["access_token"],
                "access_token_expiration": issued.issued + issued.access_life,
                "refresh_token": issued_fields["refresh_token"],
                "refresh_token_expiration": issued.issued + issued.refresh_life,
            }
        )


def rewritten_query(address: str, rewrite: Callable[[dict], dict]) -> str:
    if rewrite is dict:  # no man in the middle: every byte stays unchanged
        return address
    base, _, query = address.partition("?")
    return base + "?" + urllib.parse.urlencode(rewrite(dict(urllib.parse.parse_qsl(query, keep_blank_values=True))))


def clover_error(status: int, message: str) -> Response:
    answer = jsonify({"message": message})
    answer.status_code = status
    return answer


# What Authlib leaves to the application


class Server(AuthorizationServer):
    def create_oauth2_request(self, asked):
        """A dictionary is a token request; anything else is a browser request."""
        if not isinstance(asked, dict):
            return FlaskOAuth2Request(request)
        environ = EnvironBuilder(path=request.path, base_url=request.host_url, method="POST", data=asked).get_environ()
        return FlaskOAuth2Request(Request(environ))


def code_grant(store: Store):
    class CodeGrant(grants.AuthorizationCodeGrant):
        TOKEN_ENDPOINT_AUTH_METHODS = ["none", "client_secret_post"]

        def generate_authorization_code(self):
            # It may contain any printable character (RFC 6749, appendix A.11), which has to be escaped.
            return generate_token(self.AUTHORIZATION_CODE_LENGTH, PRINTED)

        def create_authorization_response(self, redirect_uri, grant_user):
            status, body, headers = super().create_authorization_response(redirect_uri, grant_user)
            clover = [("merchant_id", grant_user), ("client_id", self.request.client.client_id)]
            return status, body, [(name, add_params_to_uri(value, clover)) for name, value in headers]

        def save_authorization_code(self, code, asked):
            query = asked.payload.data
            store.issued_codes.append(code)
            store.codes[code] = Code(
                code, asked.client.client_id, asked.payload.redirect_uri, query.get("code_challenge"),
                query.get("code_challenge_method"), time.time() + 60,
            )

        def query_authorization_code(self, code, client):
            found = store.codes.get(code)
            return found if found and found.client_id == client.client_id and found.expires > time.time() else None

        def delete_authorization_code(self, authorization_code):
            del store.codes[authorization_code.code]

        def authenticate_user(self, authorization_code):
            return MERCHANT_ID

    return CodeGrant


def refresh_grant(store: Store):
    class RefreshGrant(grants.RefreshTokenGrant):
        TOKEN_ENDPOINT_AUTH_METHODS = ["named"]
        INCLUDE_NEW_REFRESH_TOKEN = True

        def authenticate_refresh_token(self, refresh_token):
            return next(
                (token for token in store.tokens
                 if token.refresh_token == refresh_token and not token.is_refresh_revoked), None)

        def authenticate_user(self, refresh_token):
            return MERCHANT_ID

        def revoke_old_credential(self, refresh_token):
            refresh_token.is_access_revoked = refresh_token.is_refresh_revoked = True

    return RefreshGrant


class S256Only(CodeChallenge):
    """A public app must send a SHA-256 challenge (Clover: OAuth flow for low-trust apps)."""

    SUPPORTED_CODE_CHALLENGE_METHOD = ["S256"]
    DEFAULT_CODE_CHALLENGE_METHOD = "S256"
    CODE_CHALLENGE_METHODS = {"S256": CodeChallenge.CODE_CHALLENGE_METHODS["S256"]}

    def validate_code_challenge(self, grant, redirect_uri):
        if grant.request.client.secret is None and not grant.request.payload.data.get("code_challenge"):
            raise InvalidRequestError("Missing 'code_challenge'")
        super().validate_code_challenge(grant, redirect_uri)


class StateDemanded:
    """Requires `state`, which the standard only recommends."""

    def __call__(self, grant):
        grant.register_hook("after_validate_authorization_request_payload", self.validate)

    @staticmethod
    def validate(grant, redirect_uri):
        if not grant.request.payload.state:
            raise InvalidRequestError("Missing 'state'")


class Protector(ResourceProtector):
    def raise_error_response(self, error):
        abort(clover_error(401, "401 Unauthorized"))


class Validator(BearerTokenValidator):
    def __init__(self, store: Store):
        super().__init__()
        self._store = store

    def authenticate_token(self, token_string):
        return next((token for token in self._store.tokens if token.access_token == token_string), None)
