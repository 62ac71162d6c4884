"""No overlay ever covers a control."""

import pytest

from tests.web.evening import Evening
from tests.web.hit_test import covered_anywhere

pytestmark = pytest.mark.browser


@pytest.fixture
def evening() -> Evening:
    return Evening(starts={"Aki": "e4", "Ben": "e6"}, end={"actions": 1})


def test_the_hit_test_finds_what_is_covered_and_what_is_only_painted_over(open_page):
    page = open_page()
    page.wait_for_selector("#sound:not([hidden])")
    assert covered_anywhere(page) == []
    page.evaluate("""() => {
      const veil = document.createElement("i");
      veil.style.cssText = "position: fixed; inset: 0; z-index: 9; background: #fff3;";
      document.body.append(veil);
    }""")
    assert any("sound" in control for control, _ in covered_anywhere(page))
    page.evaluate("document.body.lastChild.style.pointerEvents = 'none'")
    over = dict(covered_anywhere(page))
    assert any("sound" in control and "painted" in what for control, what in over.items())
    page.evaluate("document.body.lastChild.style.background = 'none'")
    assert covered_anywhere(page) == []
