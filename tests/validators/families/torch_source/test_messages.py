"""Warnings of Python and of loggers."""

from validators.families.torch_source.messages import warnings

CODE = """
import logging, warnings
log = logging.getLogger(__name__)
perf_hint_log = artifact(__name__)

def f(x):
    warnings.warn("This is deprecated, call the other one instead", FutureWarning)
    log.warning("Could not reach %s, and goes on without it", x)
    perf_hint_log.warning(f"The kernel of {x} is slower than it could be")
    torch._dynamo.utils.warn_once("A hint that everybody sees only once")
    log.info("This line is for people who ask for it")
    log.warning("too short")
    self.report.warning("This is no logger, whatever it is called")
    log.warning("torch._dynamo hit config.%s (%s) and goes on", x, x)

@deprecated("`g` is deprecated in favour of another name", category=FutureWarning)
def g():
    log.exception(f"This call failed for a reason that {x} knows")
"""


def test_messages_of_some_length_by_their_first_words(torch_of):
    """What only a setting shows is left out, and so is the recompile limit, which is a guard."""
    found = {it.key: it.format for it in warnings(torch_of({"_dynamo/one.py": CODE}))}
    assert found == {
        "deprecated-call-other-one-instead": "This is deprecated, call the other one instead",
        "could-not-reach-goes-without": "Could not reach {x}, and goes on without it",
        "kernel-slower-than-could": "The kernel of {x} is slower than it could be",
        "hint-everybody-sees-only-once": "A hint that everybody sees only once",
        "g-deprecated-favour-another-name": "`g` is deprecated in favour of another name",
        "call-failed-reason-knows": "This call failed for a reason that {x} knows",
    }


def test_tests_and_other_packages_are_left_out(torch_of):
    """Users see neither."""
    files = {"_dynamo/test_case.py": CODE, "nn/one.py": CODE, "_inductor/benchmark.py": CODE}
    assert list(warnings(torch_of(files))) == []
