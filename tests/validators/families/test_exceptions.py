"""Exception classes that users see."""

from validators.families.exceptions import exceptions
from validators.families.installed import Release

EXC = '''
class DynamoError(RuntimeError):
    """Base class.

    More of it.
    """


class Failed(DynamoError):
    def __init__(self, name):
        super().__init__(f"backend={name!r} raised an error")


class _Internal(DynamoError):
    pass


class Told(ValueError):
    def __str__(self):
        return "a message with " + str(self.braces) + " {braces}"


class Advice(UserWarning):
    pass


class Plain:
    pass


class Round(Round):
    pass
'''


def test_messages_of_public_classes_that_are_exceptions(torch_of):
    """Also of bases in other files. A class without a message of its own is no family.

    Neither are warnings, and classes with an underscore.
    """
    deeper = """
class Deeper(Failed):  # Error
    \"\"\"It is deeper.

    More of it.
    \"\"\"

    def __str__(self):
        return f"deeper than {self.level} levels"
"""
    release = torch_of(
        {
            "_dynamo/exc.py": EXC,
            "_inductor/exc.py": deeper,
            "nn/other.py": "class Unread(Exception):\n    pass\n",
        }
    )
    found = {it.key: it for it in exceptions(release)}
    assert set(found) == {"Failed", "Told", "Deeper"}
    assert found["Failed"].format == "backend={name} raised an error"
    assert found["Told"].format == "a message with {str(self.braces)} {{braces}}"
    assert (found["Deeper"].explanation, found["Deeper"].file) == (
        "It is deeper.",
        "_inductor/exc.py",
    )


def test_triton_s_errors(tmp_path):
    """Where it is installed."""
    errors = tmp_path / "triton" / "compiler" / "errors.py"
    errors.parent.mkdir(parents=True)
    errors.write_text(
        "class CompilationError(Exception):\n"
        "    def __str__(self):\n        return 'at line and column: ' + self.message\n"
    )
    (tmp_path / "torch").mkdir()
    release = Release("2.13.0", tmp_path / "torch", "3.9.0", tmp_path / "triton")
    (found,) = exceptions(release)
    assert (found.key, found.file) == ("CompilationError", "triton/compiler/errors.py")
    assert list(exceptions(Release("2.13.0", tmp_path / "torch"))) == []
