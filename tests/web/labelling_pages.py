"""Pages of labelling in a real browser, and what tests do with them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

from running_server import served

from linnet.labelling.kinds import KINDS
from linnet.labelling.labelling import Labelling
from linnet.labelling.pool import Pool
from linnet.web.access import Access
from linnet.web.labelling import labelling_app
from linnet.web.limits import Limits


def wait(page, until: str) -> None:
    """Wait until an expression is true in a page."""
    for _ in range(600):
        if page.evaluate(until):
            return
        page.wait_for_timeout(25)
    raise AssertionError(f"not true after 15 seconds: {until}")


def press(page, key: str) -> None:
    """Press a key, and wait until the server has answered."""
    page.evaluate("document.querySelector('#said').textContent = 'waiting'")
    page.keyboard.press(key)
    wait(page, "document.querySelector('#said').textContent !== 'waiting' && !document.body.hasAttribute('data-busy')")


def _is_fault(message) -> bool:
    """Whether a message of the console is an error. A browser also reports answers that the server refuses, as it should."""
    return message.type == "error" and "status of 422" not in message.text


@contextmanager
def opening(browser, folder) -> Iterator[Callable]:
    """A function that opens labelling in the browser. In the end, there were no errors in any page."""
    errors: list[str] = []
    with ExitStack() as stack:

        def begin(
            inputs,
            task,
            labels,
            *,
            features=None,
            held_out=0.2,
            learner=None,
            until="#labels button, #count:not(:empty)",
            **context,
        ):
            labelling = Labelling(
                Pool.of(inputs),
                KINDS[task],
                folder / "j",
                labels=labels,
                features=features,
                held_out=held_out,
                learner=learner,
            )
            limits = Limits()
            client = stack.enter_context(served(labelling_app(labelling, Access.on("127.0.0.1"), limits), limits))
            page = browser.new_context(**context).new_page()
            stack.callback(page.context.close)
            page.on("pageerror", lambda error: errors.append(str(error)))
            page.on("console", lambda message: errors.append(message.text) if _is_fault(message) else None)
            page.goto(client.address)
            page.wait_for_selector(until, state="attached")
            return labelling, page

        yield begin
    assert errors == []
