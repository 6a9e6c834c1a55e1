"""Exception classes that users see."""

from validators.families.torch_source.exceptions import exceptions
from validators.families.torch_source.installed import Release

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


def test_public_classes_that_are_exceptions(torch_of):
    """Also through classes of other files; warnings and classes with an underscore are none."""
    release = torch_of(
        {
            "_dynamo/exc.py": EXC,
            "_inductor/exc.py": "class Deeper(Failed):  # Error\n    pass\n",
            "_inductor/compat.py": (
                "try:\n    import triton\nexcept ImportError:\n"
                "    class OutOfResources(Exception):\n        pass\n"
            ),
            "nn/other.py": "class Unread(Exception):\n    pass\n",
        }
    )
    found = {it.key: it for it in exceptions(release)}
    assert set(found) == {"DynamoError", "Failed", "Told", "Deeper", "OutOfResources"}
    assert found["DynamoError"].explanation == "Base class."
    assert found["Failed"].format == "backend={name} raised an error"
    assert found["Told"].format == "a message with {str(self.braces)} {{braces}}"
    assert (found["Deeper"].format, found["Deeper"].file) == ("", "_inductor/exc.py")


def test_triton_s_errors(tmp_path):
    """Where it is installed; a class that is raised whatever is wrong is no family."""
    errors = tmp_path / "triton" / "compiler" / "errors.py"
    errors.parent.mkdir(parents=True)
    errors.write_text(
        "class CompileTimeAssertionFailure(Exception):\n    pass\n"
        "class CompilationError(Exception):\n    pass\n"
    )
    (tmp_path / "torch").mkdir()
    release = Release("2.13.0", tmp_path / "torch", "3.9.0", tmp_path / "triton")
    (found,) = exceptions(release)
    assert (found.key, found.file) == ("CompileTimeAssertionFailure", "triton/compiler/errors.py")
    assert list(exceptions(Release("2.13.0", tmp_path / "torch"))) == []
