"""What messages about graph breaks tell."""

from __future__ import annotations

from validators.probes.told import guard_of, place_of_limit, reasons_of, user_frames

REFUSED = """Graph break in user code at /work/model.py:3
Graph Break Reason: Backend compiler exception
  Developer debug context: Backend: aot_eager
    Traceback:
      File "/work/model.py", line 9, in merge
        return merged

User code traceback:
  File "/lib/torch/module.py", line 1, in call
    forward()
  File "/work/model.py", line 3, in merge
    merged = x.clone()
"""


def test_a_refused_graph_ends_where_the_backend_says() -> None:
    """That place comes first; the others tell where the graph begins."""
    found = user_frames(REFUSED, lambda file: file.startswith("/lib/"))
    assert [(it["file"], it["line"]) for it in found] == [
        ("/work/model.py", 9),
        ("/work/model.py", 3),
    ]
    assert len(user_frames(REFUSED, lambda _: True)) == 1


def test_the_first_reason_holds_the_guard() -> None:
    """A payload is a list or plain text; the graph's id and the comment are left out."""
    assert guard_of(reasons_of('["!1/0: n == 3  # at f.py:1", "0/0: n == 2"]')) == "n == 3"
    assert guard_of(reasons_of("1/0: n == 3")) == "n == 3"
    assert guard_of([]) == ""


def test_a_limit_names_its_function() -> None:
    """With and without a quote behind the name, as releases print it."""
    place = {"function": "f", "file": "a.py", "line": 7}
    assert place_of_limit("function: 'f' (a.py:7)") == place
    assert place_of_limit("   function: 'f (a.py:7)'") == place
    assert place_of_limit("nothing") == {"function": "", "file": "", "line": 0}
