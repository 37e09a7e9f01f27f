"""The scenarios and their checks."""

import json
import pathlib
import urllib.error
import urllib.parse
import urllib.request

from programs import emulator_statistics, wait_until
from webdriver import Driver


class Stage:
    """The environment of a scenario: the browser, the programs, and its results."""

    def __init__(self, checks, driver, programs, screenshots, name):
        self.that = checks.that
        self.driver = driver
        self.programs = programs
        self.screenshots = screenshots
        self.name = name

    def screenshot(self, browser, what):
        browser.screenshot(self.screenshots / f"{self.name}-{what}.png")

    def begin(self, browser, *emulator_options):
        """Starts a sign-in and opens its consent page. Returns emulator, command and redirect URI."""
        emulator = self.programs.emulator(*emulator_options)
        login, address = self.programs.sign_in(emulator)
        query = urllib.parse.parse_qs(urllib.parse.urlsplit(address).query)
        browser.open(address)
        wait_until("the consent page", lambda: browser.is_shown("#approve"))
        return emulator, login, query["redirect_uri"][0]

    def look_at_consent(self, browser):
        self.screenshot(browser, "consent")
        self.that("the consent page has a title", bool(browser.title.strip()), repr(browser.title))
        self.that("the consent page has a heading", bool(browser.text("h1").strip()))
        for name in ("approve", "deny"):
            self.that(f"the button '{name}' is shown with a word on it", browser.is_shown(f"#{name}")
                      and bool(browser.text(f"#{name}").strip()), browser.text())
        self.that("the consent page has no script", "<script" not in browser.source.lower())
        self.fits(browser, "the consent page")

    def end_page(self, browser, redirect):
        """Waits for the final page, checks it and returns its text."""
        origin = redirect[: -len(urllib.parse.urlsplit(redirect).path)] + "/"
        wait_until("the page at the end", lambda: browser.url.startswith(origin) and browser.text("#closing"))
        self.screenshot(browser, "end")
        self.fits(browser, "the page at the end")
        text = browser.text()
        self.that("the page says that the window can be closed", "close this window" in text, text)
        self.that("the page refers to the terminal", "terminal" in text, text)
        self.that("the page has no script", "<script" not in browser.source.lower())
        complaints = browser.complaints()
        self.that("the browser reports no errors", not complaints, str(complaints))
        return text

    def fits(self, browser, what):
        wide, room = browser.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
        self.that(f"{what} does not scroll sideways", wide <= room, f"{wide} px in {room} px")

    def ends(self, login, expected):
        status = login.status()
        self.that(f"the command ends with {expected}", status == expected, f"{status}, {login.lines['stderr']}")

    def is_signed_in(self, expected):
        status = self.programs.auth_status()
        found = status.get("loggedIn") if isinstance(status, dict) else status
        self.that(f"'auth status' says loggedIn {str(expected).lower()}", found is expected, str(status))


def approve(stage):
    with stage.driver.session() as browser:
        _, login, redirect = stage.begin(browser)
        stage.look_at_consent(browser)
        browser.click("#approve")
        text = stage.end_page(browser, redirect)
        stage.that("the page reports success", "signed in" in text.lower() and "not signed in" not in text.lower(),
                   text)
        stage.ends(login, 0)
        stage.is_signed_in(True)


def deny(stage):
    with stage.driver.session() as browser:
        _, login, redirect = stage.begin(browser)
        browser.click("#deny")
        text = stage.end_page(browser, redirect)
        stage.that("the page says that it was denied", "denied" in text.lower(), text)
        stage.ends(login, 77)
        stage.is_signed_in(False)


def without_script(stage):
    with stage.driver.session(has_script=False) as browser:
        browser.open("data:text/html,<title>off</title><p id=p>x</p><script>document.title='on'</script>")
        wait_until("a page of our own", lambda: browser.is_shown("#p"))
        stage.that("the browser runs no script", browser.title == "off", browser.title)
        _, login, redirect = stage.begin(browser)
        stage.look_at_consent(browser)
        browser.click("#approve")
        stage.end_page(browser, redirect)
        stage.ends(login, 0)
        stage.is_signed_in(True)


def narrow(stage):
    with stage.driver.session() as browser:
        browser.set_width(360)
        _, login, redirect = stage.begin(browser)
        stage.that("the page is 360 px wide", browser.evaluate("window.innerWidth") == 360,
                   str(browser.evaluate("window.innerWidth")))
        stage.look_at_consent(browser)
        for name in ("approve", "deny"):
            place = browser.rectangle(f"#{name}")
            stage.that(f"the button '{name}' is inside the window",
                       place["x"] >= 0 and place["x"] + place["width"] <= 360, str(place))
            stage.that(f"the button '{name}' is large enough to tap", place["height"] >= 36, str(place))
        browser.click("#approve")
        stage.end_page(browser, redirect)
        stage.ends(login, 0)


def dark(stage):
    with stage.driver.session() as browser:
        browser.set_dark()
        _, login, redirect = stage.begin(browser)
        stage.screenshot(browser, "consent")
        browser.click("#approve")
        stage.end_page(browser, redirect)
        colour = browser.evaluate("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)")
        stage.that("the page at the end is dark", max(colour[:3]) < 80, str(colour))
        stage.ends(login, 0)


def reload(stage):
    with stage.driver.session() as browser:
        _, login, redirect = stage.begin(browser)
        browser.click("#approve")
        before = stage.end_page(browser, redirect)
        # The page that must be gone afterwards is still there.
        stage.that("the page says that the user is signed in", "You are signed in" in before, before)
        stage.ends(login, 0)
        browser.reload()
        # The command has ended and no longer listens.
        wait_until("the browser's own page", lambda: not browser.text("#closing") and browser.text())
        stage.screenshot(browser, "reloaded")
        stage.that("a reload afterwards does not show the page again", "You are signed in" not in browser.text(),
                   browser.text())
        stage.is_signed_in(True)


def second_callback(stage):
    with stage.driver.session() as browser:
        # The command has received the callback and waits for the service when the second one arrives.
        emulator, login, redirect = stage.begin(browser, "--oauth-answer-delay", "3s")
        browser.click("#approve")
        wait_until("the code to be spent", lambda: emulator_statistics(emulator).get("codesSpent"))
        request = urllib.request.Request(redirect + "?code=another&state=another")
        try:
            with Driver.opener.open(request, timeout=30) as answer:
                status, text = answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            status, text = error.code, error.read().decode()
        stage.that("a second callback is refused with 409", status == 409, str(status))
        stage.that("the response gives the reason", "does not belong to the sign-in" in text, text)
        stage.end_page(browser, redirect)
        stage.ends(login, 0)
        stage.is_signed_in(True)


# Whether each table is in its place, or a hint says that it goes on, and not both.
HINTED = """[...document.querySelectorAll('.scroll')].every(place =>
    place.scrollWidth > place.clientWidth === place.previousElementSibling.offsetHeight > 0)"""


def report(stage):
    """The page of a report, as the tests of CloverReports record it."""
    recorded = pathlib.Path(__file__).parents[1] / "CloverReportsTests" / "Snapshots" / "page.txt"
    page = pathlib.Path(stage.programs.home) / "page.html"
    page.write_bytes(recorded.read_bytes())
    with stage.driver.session() as browser:
        browser.open(page.as_uri())
        # Nothing is photographed before the page is there: a picture that is asked for while a page changes may never come.
        wait_until("the page of the report", lambda: browser.evaluate(
            "document.readyState === 'complete' && document.querySelector('tfoot') !== null"))
        for width, looks in ((1200, "wide"), (390, "narrow"), (1200, "dark")):
            browser.set_width(width, 1400)
            if looks == "dark":
                browser.set_dark()
            stage.fits(browser, f"the {looks} page")
            wait_until("the hints", lambda: browser.evaluate(HINTED))
            fits = browser.evaluate("[...document.querySelectorAll('.scroll')].every(s => s.scrollWidth <= s.clientWidth)")
            stage.that(f"all columns are in the {looks} page, or a hint says where", fits or width < 1200)
            stage.screenshot(browser, looks)
        ground = browser.evaluate("getComputedStyle(document.body).backgroundColor")
        stage.that("the page is dark on a dark screen", ground == "rgb(20, 24, 29)", ground)
        stage.that("every report has a chart", browser.evaluate("document.querySelectorAll('section svg').length") == 4)
        stage.that("no script of a name ran", browser.evaluate("document.scripts.length") == 1)
        for table, column, expected in SORTED:
            cells = f"document.querySelectorAll('table')[{table}]"
            browser.evaluate(f"{cells}.tHead.rows[0].cells[{column}].firstChild.click()")
            first = browser.evaluate(f"{cells}.tBodies[0].rows[0].cells[{column}].textContent")
            stage.that(f"a press on heading {column} of table {table} sorts it", first == expected, first)
        total = browser.evaluate("document.querySelector('tfoot td').textContent")
        stage.that("the total stays below the rows", total == "Total", total)
        complaints = browser.complaints()
        stage.that("the browser reports no errors", not complaints, str(complaints))


def emulator(stage):
    """The emulator's own page: requests and charges appear on it without a reload."""
    facts = stage.programs.emulator("--orders", "40", "--merchants", "2", "--requests-per-second", "4")
    url, token, merchant = facts["url"], facts["accessToken"], facts["merchantId"]

    def call(path, body=None, **headers):
        """The JSON of a response; None if the request was refused."""
        request = urllib.request.Request(url + path, data=body, headers={"Authorization": f"Bearer {token}", **headers})
        try:
            with Driver.opener.open(request, timeout=30) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            if error.code != 429:
                raise
            return None

    with stage.driver.session() as browser:
        browser.open(url + "/")
        wait_until("the page of the emulator", lambda: browser.is_shown("#commands"))
        stage.that("nothing was requested yet", "No requests yet." in browser.text("#live"), browser.text("#live"))
        for _ in range(8):
            call(f"/v3/merchants/{merchant}/orders?limit=1")
        wait_until("the requests", lambda: browser.text("#requests") == "8")
        text = browser.text("#traffic")
        stage.that("the requests are listed", f"GET /v3/merchants/{merchant}/orders" in text, text)
        stage.that("refused requests show the limit", "tokenRate" in text, text)
        stage.that("the limits of the token are shown", f"Token of {merchant}" in browser.text("#limits"))
        # Within a second, the limit refuses these, too.
        key = wait_until("the key", lambda: call("/pakms/apikey"))["apiAccessKey"]
        card = {"card": {"number": "4242424242424242", "exp_month": "12", "exp_year": "2030", "cvv": "123"}}
        source = wait_until("the card's token", lambda: call(
            "/v1/tokens", json.dumps(card).encode(), apikey=key, **JSON))["id"]
        charge = {"amount": 1250, "currency": "usd", "source": source}
        wait_until("the charge", lambda: call(
            "/v1/charges", json.dumps(charge).encode(), **JSON, **{"Idempotency-Key": "<b>key</b>"}))
        wait_until("the charge on the page", lambda: "approved" in browser.text("#money"))
        text = browser.text("#money")
        stage.that("the charge is shown, with its key as text", "12.50 USD" in text and "<b>key</b>" in text, text)
        stage.that("no secret is on the page", not any(
            secret in browser.source for secret in [token, facts["appSecret"], *facts["otherAccessTokens"]]))
        for width, looks in ((1200, "wide"), (360, "narrow"), (1200, "dark")):
            browser.set_width(width, 1400)
            if looks == "dark":
                browser.set_dark()
            stage.fits(browser, f"the {looks} page")
            stage.screenshot(browser, looks)
        colour = browser.evaluate("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)")
        stage.that("the page is dark on a dark screen", max(colour[:3]) < 80, str(colour))
        complaints = browser.complaints()
        stage.that("the browser reports no errors", not complaints, str(complaints))
        stage.programs.processes[0].end()
        wait_until("the notice that the emulator is gone", lambda: browser.is_shown("#gone"))
        stage.that("what was seen stays", "12.50 USD" in browser.text("#money"), browser.text("#money"))
    with stage.driver.session(has_script=False) as browser:
        facts = stage.programs.emulator("--orders", "1")
        browser.open(facts["url"] + "/")
        wait_until("the page without its script", lambda: browser.is_shown("#commands"))
        stage.that("without a script, the page says how to see more", "Reload the page" in browser.text(), browser.text())


JSON = {"Content-Type": "application/json", "X-Forwarded-For": "127.0.0.1"}

# Table, column, and the first cell after each press: numbers begin with the greatest, and the next press turns them.
SORTED = ((0, 3, "$2340.01"), (0, 3, "-$200.00"), (0, 0, "2026-10-01"), (2, 0, '"quoted" & \'single\''))

ALL = {
    "approve": approve,
    "deny": deny,
    "without-script": without_script,
    "narrow": narrow,
    "dark": dark,
    "reload": reload,
    "second-callback": second_callback,
    "report": report,
    "emulator": emulator,
}
