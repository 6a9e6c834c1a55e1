"""What a diagnosis says: explanations, order, the terminal, Markdown and SARIF."""

from __future__ import annotations

import html
import re
from dataclasses import replace

import pytest

from validators.diagnose.explaining.explain import Explainer
from validators.diagnose.findings.finding import Explanation, Finding, Part, Place, in_order
from validators.diagnose.findings.words import names_in
from validators.diagnose.report.html import page
from validators.diagnose.report.render import form_lines, markdown, measured_lines, terminal_lines
from validators.diagnose.report.sarif import sarif
from validators.diagnose.target.spec import REFERENCE, parse_spec
from validators.errors import CasebookError
from validators.knowing.knowledge import knowledge_of

ITEM = """Graph break in user code at /work/model.py:9
Graph Break Reason: Unsupported Tensor.item() call with capture_scalar_outputs=False
  Explanation: Dynamo does not support tracing `Tensor.item()`.
"""
BRANCH = "Data-dependent branching\n  Explanation: Detected data-dependent branching"
GB0170 = "https://meta-pytorch.github.io/compile-graph-break-site/gb/gb0170.html"


def test_a_signature_and_a_verdict_explain(explainer):
    """A case explains where torch's words are its own and a program confirmed it here."""
    text = "Backend compiler `aot_eager` failed with aten.nonzero.default. Adding a graph break."
    said = explainer.of_text(text, "GB0219", ["x[keep] = 0"])
    assert (said.known, said.case) == ("explained", "boolean_mask_assignment")
    assert said.there == "confirmed on torch-2.13.0-cpu"


def test_what_raises_in_eager_mode_explains_no_crash_of_what_runs(explainer):
    """Shapes that do not fit are no cause where the calls were just made without compiling."""
    text = "fake tensors: a and b must have same reduction dim, but got [3, 4] X [5, 6]."
    said = [explainer.of_text(text, "TorchRuntimeError", runs=runs) for runs in (False, True)]
    assert [it.case for it in said] == ["shapes_that_do_not_fit", ""]


def test_a_release_without_a_verdict_only_suspects(repository):
    """The same words on a release that nothing was decided on."""
    other = Explainer(knowledge_of(repository), "torch-2.12.0-cpu", "2.12.0")
    text = f"Data-dependent branching\n{GB0170}"
    said = other.of_text(text, "GB0170", ["if x.sum() > 0:"])
    assert (said.known, said.case) == ("suspected", "tensor_dependent_if_in_rotary")


def test_the_code_decides_where_words_do_not(explainer):
    """Torch refuses to read a number in one sentence, whatever the number is for.

    A page that says what lines it is about is not even suspected for another line.
    """
    text = "Explanation: Operator `aten._local_scalar_dense.default` has a non-Tensor output"
    said = [explainer.of_text(text, "GB0033", [line]) for line in ("arange(n.max())", "f(n)")]
    assert [(it.known, it.case) for it in said] == [
        ("explained", "arange_of_a_tensor"),
        ("unknown", ""),
    ]
    assert explainer.of_text(text, "GB0033").known == "suspected"


def test_a_type_alone_suspects_no_case_of_several(explainer):
    """A break of the type that a case is about need not have its cause, or its title says so."""
    text = (
        "Unsupported method call\n"
        "  Explanation: Dynamo does not know how to trace method `get` of class `Element`\n"
        "https://meta-pytorch.github.io/compile-graph-break-site/gb/gb0156.html"
    )
    family = "GB0156 Unsupported method call"
    said = explainer.of_text(text, family, ["h = s.l(x); t = datetime.datetime.now()"])
    assert (said.known, said.family) == ("unknown", family)
    item = "https://meta-pytorch.github.io/compile-graph-break-site/gb/gb0124.html"
    said = explainer.of_text(item, "GB0124", ["n = x.item()"])
    assert (said.known, said.case) == ("suspected", "item_in_forward")
    said = explainer.of_text(text, "GB0156", ["int(self.vocabulary.get(token, -1))"])
    assert (said.known, said.case) == ("suspected", "tokenizer_attribute_in_forward")
    own = explainer.of_text("Avoid calling `Tokenizer.token_to_id` in your code.", "GB0156")
    assert (own.known, own.case) == ("explained", "tokenizer_attribute_in_forward")


def test_a_signature_of_two_cases_explains_neither(explainer):
    """A guard asked None for a size: an argument is None, or a view's base is."""
    said = explainer.of_text("    - 0/1: 'NoneType' object has no attribute 'size'", "a guard")
    assert said.known == "suspected"
    assert said.case in ("mask_in_some_calls", "view_in_some_calls")


def test_a_keyword_of_a_title_is_no_evidence(explainer):
    """A page about an `if` on a number of NumPy's knows nothing of a loop's condition."""
    text = "Data-dependent branching\n  Developer debug context: jump with TensorVariable()"
    said = explainer.of_text(text, "GB0170 Data-dependent branching", ["while t > self.t1:"])
    assert said.known == "unknown"


def test_nothing_known_names_the_family(explainer):
    """A finding never claims a case that no line speaks of."""
    said = explainer.of_text("a guard on something new", "guard ___new()")
    assert (said.known, said.case, said.family) == ("unknown", "", "guard ___new()")


def test_what_costs_most_comes_first(diagnosis):
    """A crash before a break, and what nobody ran last."""
    kinds = [it.kind for it in in_order(diagnosis.findings)]
    assert kinds == ["crash", "graph_break", "static"]


def test_the_terminal_shows_fixes_and_failed_parts(diagnosis):
    """The first findings with their fixes; suspicions and failures apart."""
    text = "\n".join(terminal_lines(diagnosis))
    assert "1. [medium] model.py:3: graph break: a | b (4 times in 4 calls)" in text
    assert "explained by a_case: A title" in text
    assert "fix: Use `torch.where`." in text
    assert "unknown: no case explains it; torch calls it KeyError" in text
    assert "Suspected from the source alone:\n   model.py:3  a_case: A title" in text
    assert "The part gain gave no result: took longer than 3 s" in text


def test_what_several_causes_print_explains_no_crash(explainer):
    """A custom op may be the cause, and so may any kernel that asks for a size as a number."""
    text = "Cannot call numel() on tensor with symbolic sizes/strides"
    said = explainer.of_text(text, "TorchRuntimeError", runs=True)
    assert (said.known, said.case) == ("suspected", "custom_op_without_fake")


@pytest.mark.parametrize(
    ("line", "case"),
    [
        ("if x.norm() < 1e-3: break", "early_exit_from_a_loop"),
        ("if x.norm() < 1e-3: x = x * 2", "tensor_dependent_if_in_rotary"),
        ("if x.isnan().any(): raise ValueError(x)", "values_checked_by_a_raise"),
    ],
)
def test_what_an_if_guards_tells_its_page(explainer, line, case):
    """Torch prints the same for each."""
    said = explainer.of_text(BRANCH, "GB0170", [line])
    assert (said.known, said.case) == ("explained", case)


def test_an_if_that_chooses_no_tensor_is_not_explained(explainer):
    """`torch.where` cannot append."""
    said = explainer.of_text(BRANCH, "GB0170", ["if x.norm() < 1e-3: small.append(x)"])
    assert said.known != "explained"


@pytest.mark.parametrize(
    ("ended", "said"),
    [
        ({"static": "", "breaks": ""}, "No trouble found."),
        (
            {"static": "", "breaks": "", "gain": "died"},
            "No trouble found in the parts static and breaks.",
        ),
        (
            {"static": "", "breaks": "died"},
            "Only static ran: nobody looked for graph breaks and recompiles.",
        ),
        ({"breaks": "died"}, "Nothing is decided."),
    ],
)
def test_parts_that_failed_are_no_reason_to_doubt_the_others(diagnosis, ended, said):
    """Nothing found is said of the parts that have a result, and of no other."""
    measured = {"breaks": [], "recompiles": [], "graphs": 1, "compiled_share": 1.0}
    parts = [Part(name, 1.0, failure, measured) for name, failure in ended.items()]
    told = replace(diagnosis, findings=[], parts=parts)
    assert list(terminal_lines(told))[1] == said


def test_the_page_holds_every_finding(diagnosis):
    """A table, then a section each; a bar in a cell does not end it."""
    text = markdown(diagnosis)
    assert "| 1 | medium | graph break: a \\| b | `model.py:3` | [explained by a_case] |" in text
    assert text.count("\n## ") == len(diagnosis.findings) + 2


def test_every_report_says_what_a_finding_follows_from(diagnosis):
    """A graph break, or a limit."""
    first = replace(diagnosis.findings[0], because="the recompile limit at m.py:2")
    made = replace(diagnosis, findings=[first])
    said = "ollows from the recompile limit at m.py:2"
    assert said in markdown(made)
    assert said in page(made)
    assert any(said in line for line in terminal_lines(made))


def test_sarif_keeps_a_finding_when_its_line_moves(diagnosis):
    """Fingerprints are of code; what has no place in a file is left out."""
    run = sarif(diagnosis)["runs"][0]
    assert [it["ruleId"] for it in run["results"]] == ["a_case", "a_case"]
    moved = [replace(it, place=it.place and replace(it.place, line=9)) for it in diagnosis.findings]
    other = sarif(replace(diagnosis, findings=moved))["runs"][0]
    prints = [[it["partialFingerprints"] for it in each["results"]] for each in (run, other)]
    assert prints[0] == prints[1]
    assert other["results"][0]["locations"] != run["results"][0]["locations"]


@pytest.mark.parametrize(
    ("file", "uri", "base"),
    [
        ("sub/model.py", "sub/model.py", None),
        ("/tmp/my models/net.py", "net.py", "TARGET"),
        ("/tmp/my models/sub/net.py", "sub/net.py", "TARGET"),
        ("~/models/net.py", "models/net.py", "HOME"),
        ("/opt/a b.py", "file:///opt/a%20b.py", None),
    ],
)
def test_sarif_names_files_anywhere(diagnosis, file, uri, base):
    """Relative to the target's folder, which is not told."""
    at = replace(diagnosis.findings[0], place=Place(file, 3, "x"))
    told = sarif(replace(diagnosis, findings=[at]), "/tmp/my models")["runs"][0]
    (result,) = told["results"]
    location = result["locations"][0]["physicalLocation"]["artifactLocation"]
    assert (location["uri"], location.get("uriBaseId")) == (uri, base)
    assert [*told["originalUriBaseIds"]] == ([base] if base else [])


def test_sarif_names_the_lines_that_called(diagnosis):
    """A finding in a library concerns the line of the user's that led there."""
    library = Place("/opt/site-packages/lib/net.py", 7, "y = x.item()")
    caller = Place("~/models/net.py", 3, "return self.lib(x)")
    at = replace(diagnosis.findings[0], place=library, stack=[caller])
    run = sarif(replace(diagnosis, findings=[at]))["runs"][0]
    (related,) = run["results"][0]["relatedLocations"]
    assert related["message"]["text"] == caller.code
    assert related["physicalLocation"] == {
        "artifactLocation": {"uri": "models/net.py", "uriBaseId": "HOME"},
        "region": {"startLine": 3},
    }
    assert [*run["originalUriBaseIds"]] == ["HOME"]


def test_targets(tmp_path):
    """A file, a module and a reference model; everything else is refused in a sentence."""
    (tmp_path / "model.py").write_text("")
    assert parse_spec("model.py:example", tmp_path).file == tmp_path / "model.py"
    assert parse_spec("package.model:example", tmp_path).file is None
    assert all(parse_spec(name, tmp_path).file.is_file() for name in REFERENCE)
    for text, said in [("model.py", "names no factory"), ("gone.py:f", "is not a file")]:
        with pytest.raises(CasebookError, match=said):
            parse_spec(text, tmp_path)


@pytest.mark.parametrize(
    ("fix", "names"),
    [
        ("Use `torch.where(condition, a, b)` instead of `if`.", {"condition", "a", "b"}),
        ("Pass `torch.ones_like(x, dtype=torch.bool)`, in place of None.", {"x"}),
        ('Call `model(**batch)` with `mode="default"`, or set `self.i`.', {"batch"}),
        ("Set `torch._dynamo.config.cache_size_limit = 64`; `forward` stays.", set()),
    ],
)
def test_the_names_of_an_example_are_told_from_torchs(fix, names):
    """A fix without any is as good for the user's code."""
    assert names_in(fix) == names


def test_a_fix_with_names_of_the_example_says_so(diagnosis):
    """Unless the user's line has the same names."""
    known = Explanation(
        "explained", "GB", "a_case", "T", "Use `f(y)`.", "confirmed on torch-2.13.0-cpu"
    )
    places = Place("m.py", 3, "if x:"), Place("m.py", 3, "if y:")
    diagnosis.findings = [
        Finding("graph_break", "b", "once", replace(known, example=True), place=at) for at in places
    ]
    lines = list(terminal_lines(diagnosis))
    assert [it for it in lines if "Use" in it] == [
        "   fix, with the names of the case's example: Use `f(y)`.",
        "   fix: Use `f(y)`.",
    ]
    assert lines.count("   there: confirmed on torch 2.13.0 (CPU)") == 2
    told = page(diagnosis)
    assert re.findall("<strong>(.*?):</strong>", html.unescape(told)) == [
        "Fix, with the names of the case's example",
        "Fix",
    ]
    assert told.count("The case here: confirmed on torch 2.13.0 (CPU)") == 2


@pytest.mark.parametrize(
    ("line", "case"),
    [
        ("scale = x.abs().max().item()", "item_in_forward"),
        ("gate = float(loss) * 2", "item_in_forward"),
        ("start = self.cache_length.item()", "kv_cache_item_index"),
        ("keep(int(self._index[cache_idx].item()))", "kv_cache_item_index"),
        ("torch._check_tensor_all(x > 0)", "check_of_a_tensor"),
    ],
)
def test_the_type_of_a_break_and_the_line_explain(explainer, line, case):
    """Torch's trace words this break otherwise than its log, whose words the signatures know."""
    said = explainer.of_text(ITEM, "GB0124", [line])
    assert (said.known, said.case) == ("explained", case)


def test_the_type_alone_explains_nothing(explainer):
    """The line is of none of the cases, or nobody knows it."""
    assert explainer.of_text(ITEM, "GB0124", ["y = torch.tanh(x)"]).known == "unknown"
    assert explainer.of_text(ITEM, "GB0124").known == "suspected"


@pytest.mark.parametrize(
    "line",
    ["if float(loss) > 1:", "n = x.max().item()  # used as a size: torch.arange(n)"],
)
def test_a_number_that_cannot_stay_a_tensor_is_not_told_to(explainer, line):
    """A condition, a size and an index need another fix."""
    assert explainer.of_text(ITEM, "GB0124", [line]).known == "unknown"


def test_a_crash_shows_the_first_line_of_its_message(diagnosis):
    """Without a line of the user's code it is all that tells one crash from another."""
    diagnosis.findings[1] = replace(diagnosis.findings[1], text="KeyError: 'a'\n  File \"a.py\"")
    told = list(terminal_lines(diagnosis))
    assert "   says KeyError: 'a'" in told


def test_a_diagnosis_says_what_is_compiled(diagnosis):
    """Where that is not the whole model, or where code that compiles itself is inlined."""
    found = {"regions": ["a", "b", "c", "d"], "inlined": ["Net.step"], "step": "training_step"}
    diagnosis.parts[1] = replace(diagnosis.parts[1], measured=found)
    told = "\n".join(terminal_lines(diagnosis))
    assert "each by itself: a, b, c and 1 more; --whole" in told
    assert "inlined here into what calls it: Net.step;" in told
    assert "by Lightning's Trainer training_step" in told
    assert all(line in markdown(diagnosis) for line in form_lines(diagnosis))
    diagnosis.parts[1] = replace(diagnosis.parts[1], measured={"regions": [], "inlined": []})
    assert list(form_lines(diagnosis)) == []


@pytest.mark.parametrize(
    ("backend", "more", "said"),
    [("aot_eager", [], True), ("inductor", [], False), ("aot_eager", ["gain"], False)],
)
def test_what_nobody_asked_is_said(diagnosis, backend, more, said):
    """Where no part ran Inductor, its refusals and results are open."""
    breaks = {"graphs": 1, "breaks": [], "recompiles": [], "compiled_share": None, "work": {}}
    breaks |= {"backend": backend, "raised": None, "calls": 2}
    others = [Part(it, 1.0, "", {"seconds": {}, "withheld": "it raises"}) for it in more]
    diagnosis.parts[:] = [Part("breaks", 1.0, "", breaks), *others]
    told = "\n".join(measured_lines(diagnosis))
    assert (f"{backend} compiled; what Inductor refuses" in told) is said
