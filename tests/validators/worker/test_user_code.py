"""What is said of somebody's code that fails."""

from __future__ import annotations

import pytest

from validators.worker.user_code import sentence, with_remedy


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (
            ModuleNotFoundError("No module named 'einops'", name="einops"),
            "there is no module 'einops'; install it, or give another --python",
        ),
        (
            ModuleNotFoundError("Could not import module 'EncodecModel'."),
            "ModuleNotFoundError: Could not import module 'EncodecModel'.; fix that first",
        ),
        (ValueError(""), "ValueError; fix that first"),
        (ValueError("one\ntwo\n\n three"), "ValueError: one; two; fix that first"),
        (KeyboardInterrupt(), "KeyboardInterrupt; fix that first"),
        (SystemExit(3), "it exits (status 3); let it return"),
        (
            SystemExit(2),
            "it exits (status 2, as argparse does with words that it does not know); let it return",
        ),
    ],
)
def test_an_exception_comes_with_its_remedy(error: BaseException, said: str) -> None:
    """Only a module with a name can be installed."""
    assert with_remedy(error) == said


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (ValueError("first\nsecond.\nthird"), "ValueError: first; second. third"),
        (ValueError("first\nsecond\nthird\nfourth"), "ValueError: first; second; third"),
        (ValueError("first\n\nfrom user code"), "ValueError: first"),
        (ValueError("backend='x' raised:\n\n  KeyError: 'y'\nmore"),
         "ValueError: backend='x' raised: KeyError: 'y'; more"),
        (ValueError("ends:"), "ValueError: ends:"),
        (ValueError(" "), "ValueError"),
    ],
)  # fmt: skip
def test_an_exception_in_one_line_has_its_cause(error: Exception, said: str) -> None:
    """A line that ends with a colon only announces the next one."""
    assert sentence(error) == said
