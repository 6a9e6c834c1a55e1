"""Guards: what Dynamo writes, what torch's library prints, and other reasons of a recompile."""

import pytest

from validators.families.torch_source.guards import GUARDS, LIBRARY, guards

BUILDER = """
class GuardBuilder(GuardBuilderBase):
    def TYPE_MATCH(self, guard):
        obj_id = self.id_ref(t)
        code = f"___check_type_id({self.arg_ref(guard)}, {obj_id})"

    def EQUALS_MATCH(self, guard):
        ref, val = self.arg_ref(guard), self.get(guard)
        code = [f"{ref} == {val!r}"]

    def SEQUENCE_LENGTH(self, guard):
        code = []
        if not value:
            code.append(f"not {ref}")
        else:
            code.append(f"len({ref}) == {len(value)}")

    def TENSOR_MATCH(self, guard):
        code.append(f"{tensor_name}.{term} == {real_value}")
        code_part = f"hasattr({tensor_name}, '_dynamo_dynamic_indices') == False"
        code.append(code_part)

    def id_match_unchecked(self, guard):
        code = f"___check_obj_id({ref}, {id_val})"

    def helper(self):
        code = f"this is no {guard}"

    def TORCH_FUNCTION_STATE(self, guard):
        self.root.add_mode_stack_guard(stack, ["___check_mode_stack()"], guard.user_stack)


def duplicates(ids):
    reason = ", ".join(ids)
    return [f"Duplicate tensors found: {reason}"]


def invalidate(obj):
    reason = f"Cache line invalidated because {obj} got deallocated"


def NOT_A_GUARD(self, guard):
    code = f"this is no {guard}"


def log(code, failures):
    message = f"Recompiling function {code.co_name} in {code.co_filename}\\\\n{failures}"
    name = "short"
"""
SOURCE = """
class TensorPropertySource:
    def name(self):
        if self.prop is SIZE:
            return f"{self.base.name()}.size()[{self.idx}]"
        return f"{self.base.name()}.storage_offset()"

class Other:
    def name(self):
        return f"{self.base}.stride()[{self.idx}]"
"""
CONVERT = """
log.warning("torch._dynamo hit config.%s (%s)\\\\n   function: %s\\\\n", kind, limit, name)
log.warning("something else")
"""
TREE = {
    GUARDS: BUILDER.replace("\\\\n", "\\n"),
    "_dynamo/source.py": SOURCE,
    "_dynamo/convert_frame.py": CONVERT.replace("\\\\n", "\\n"),
}


@pytest.fixture
def found(torch_of):
    """The keys and formats of the small release."""
    return {(it.key, it.format) for it in guards(torch_of(TREE))}


def test_a_guard_is_known_by_its_method(found):
    """Torch's name for it, as the logs of guards have it; helpers are no guards."""
    assert ("type-match", "___check_type_id({self.arg_ref(guard)}, {obj_id})") in found
    assert ("id-match", "___check_obj_id({ref}, {id_val})") in found
    assert ("equals-match", "{ref} == {val}") in found
    assert ("torch-function-state", "___check_mode_stack()") in found
    assert {text for key, text in found if key == "sequence-length"} == {
        "not {ref}",
        "len({ref}) == {len(value)}",
    }
    assert not any("this is no" in text for _, text in found)


def test_the_marks_of_dims_are_a_guard_of_their_own(found):
    """TENSOR_MATCH writes them; its other texts are only there for export."""
    text = "hasattr({tensor_name}, '_dynamo_dynamic_indices') == False"
    assert ("dimension-marking", text) in found
    assert not any("real_value" in text for _, text in found)


def test_other_reasons_of_a_recompile(found):
    """They are known by their first words."""
    assert ("duplicate-tensors-found", "Duplicate tensors found: {reason}") in found
    invalid = "Cache line invalidated because {obj} got deallocated"
    assert ("cache-line-invalidated-because", invalid) in found
    (recompiling,) = (text for key, text in found if key == "recompiling-function")
    assert recompiling.split("\n")[0] == "Recompiling function {code.co_name} in {code.co_filename}"


def test_guards_on_shapes(found):
    """As the class that names sizes writes them."""
    keys = {key: text for key, text in found if key.startswith("shape-env")}
    assert keys == {
        "shape-env-size": "{base}.size()[{self.idx}]",
        "shape-env-storage-offset": "{base}.storage_offset()",
    }


def test_the_recompile_limit(found):
    """Its first line; the next ones name the function and the last reason."""
    assert ("recompile-limit", "torch._dynamo hit config.{kind} ({limit})") in found


def test_what_the_library_prints(torch_of):
    """Each literal text must be in the binary, and end there."""
    texts = [
        b"tensor '",
        b"' ",
        b"rank mismatch. expected ",
        b", actual ",
        b"GLOBAL_STATE changed: ",
    ]
    texts += [
        b"grad_mode ",
        b"KeyError on something else",
        b"size mismatch at index ",
        b". expected ",
    ]
    release = torch_of({**TREE, LIBRARY: b"\x00".join([b"\x7fELF", *texts, b""])})
    found = {it.key: it.format for it in guards(release) if it.file == LIBRARY}
    assert found == {
        "tensor-rank": "tensor '{name}' rank mismatch. expected {rank}, actual {rank}",
        "tensor-size": (
            "tensor '{name}' size mismatch at index {i}. expected {size}, actual {size}"
        ),
        "global-state-grad-mode": "GLOBAL_STATE changed: {states}grad_mode",
    }
