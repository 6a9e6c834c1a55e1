"""A small index: some pages of our catalog, and all families."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import yaml

from validators.catalog import Catalog, load_catalog
from validators.families import Family, load_families
from validators.files import ROOT
from validators.match import Index
from validators.match.making import headers
from validators.match.making.building import build_index

CASES = [
    "automatic_dynamic_wastes_one_compile",
    "boolean_mask_read",
    "branch_on_a_size",
    "c_extension_call",
    "context_variable_in_forward",
    "cpu_tensor_skips_cudagraphs",
    "custom_op_without_fake",
    "deepcopy_in_forward",
    "dynamic_false_compiles_every_size",
    "fake_kernel_with_wrong_strides",
    "flex_attention_not_compiled",
    "input_of_another_layout",
    "item_in_forward",
    "kv_cache_grown_by_cat",
    "mark_unbacked_lives_in_decorators",
    "mutated_input_skips_cudagraphs",
    "online_softmax_warning",
    "overwritten_cudagraph_output",
    "print_at_construction",
    "print_in_forward",
    "recompile_limit_falls_to_eager",
    "repeat_position_ids_unbacked",
    "shapes_that_do_not_fit",
    "skipped_graph_keeps_inductor",
    "tensor_dependent_if_in_rotary",
    "tokenizer_attribute_in_forward",
]


@pytest.fixture(scope="session")
def families() -> list[Family]:
    """What torch can say, as recorded."""
    return load_families(ROOT / "playbooks")


@pytest.fixture(scope="session")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    """A catalog that holds copies of some of our pages."""
    playbooks = tmp_path_factory.mktemp("casebook") / "playbooks"
    for page in (ROOT / "playbooks" / "catalog").glob("*/*.md"):
        if page.stem in CASES:
            area = playbooks / "catalog" / page.parent.name
            area.mkdir(parents=True, exist_ok=True)
            shutil.copy(page, area)
            shutil.copy(page.with_suffix(".py"), area)
    shutil.copy(ROOT / "playbooks" / "casebook.yaml", playbooks)
    _write_headers(playbooks / headers.FILE)
    return load_catalog(playbooks / "catalog")


def _write_headers(file: Path) -> None:
    """Write what is known of the lines of these cases."""
    known = yaml.safe_load((ROOT / "playbooks" / headers.FILE).read_text("utf-8"))
    members = {
        kind: {key: [it for it in names if it in CASES] for key, names in its.items()}
        for kind, its in known["members"].items()
    }
    kept = {case: its for case, its in known["headers"].items() if case in CASES}
    file.write_text(yaml.safe_dump({"headers": kept, "members": members}), encoding="utf-8")


@pytest.fixture(scope="session")
def index(catalog: Catalog, families: list[Family]) -> Index:
    """The index of that catalog."""
    return build_index(catalog, families=families)
