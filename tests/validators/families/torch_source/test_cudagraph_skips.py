"""Reasons for skipping CUDA graphs, wherever the code gives them."""

from validators.families.torch_source.cudagraph_skips import cudagraph_skips

UTILS = """
def format_default_skip_message(reason):
    return f"skipping cudagraphs due to {reason}"

def stack_trace(indices, trace):
    msg = format_default_skip_message(f"mutated inputs ({len(indices)} instances)")
    if trace:
        return f"{msg}. Found from : \\n {trace}"

def check(node, trace):
    msg = f"cpu device ({node.name})"
    if trace:
        return format_default_skip_message(f"{msg}. Found from : \\n {trace}")
    return format_default_skip_message(msg)
"""
OTHERS = """
def lower(trace):
    msg = "control flow operator: torch.cond."
    if trace:
        msg = f"{msg} Found from : \\n {trace}"
    V.graph.disable_cudagraphs_reason = msg
    V.graph.disable_cudagraphs_reason = None
    self.disabled_cudagraphs_reason = other
    log_cudagraph_skip_and_bump_counter("disabling cudagraphs due to an annotation")
    log_cudagraph_skip_and_bump_counter(f"skipping cudagraphs due to {reasons}")
    cudagraph_tests = [
        (not has_mutation, "mutated inputs"),
        (not overlap, "complex memory overlap"),
    ]
"""
SCHEDULER = """
class Scheduler:
    def should_partition(self, node):
        if not node.is_gpu():
            return f"{node.get_device()} ops"
        if self.should_partition(node.inner):
            return reason
        log_partition_reason("DeviceCopy ops", node=node)
        return None
"""


def found(torch_of, **files):
    """The keys and formats that a release has."""
    release = torch_of({f"_inductor/{name}.py": text for name, text in files.items()})
    return {(it.key, it.format) for it in cudagraph_skips(release)}


def test_reasons_come_without_prefix_and_place(torch_of):
    """What the code says before and after a reason is the same for all."""
    assert found(torch_of, utils=UTILS, others=OTHERS) == {
        ("mutated-inputs", "mutated inputs ({len(indices)} instances)"),
        ("mutated-inputs", "mutated inputs"),
        ("cpu-device", "cpu device ({node.name})"),
        ("control-flow-operator-torch-cond", "control flow operator: torch.cond"),
        ("annotation", "an annotation"),
        ("complex-memory-overlap", "complex memory overlap"),
    }


def test_reasons_for_leaving_out_a_kernel_are_families_too(torch_of):
    """The log says them in one way or another, by release."""
    assert found(torch_of, scheduler=SCHEDULER) == {
        ("partition-ops", "reason={node.get_device()} ops"),
        ("partition-devicecopy-ops", "cudagraph partition due to DeviceCopy ops"),
    }


def test_the_file_is_told(torch_of):
    """By its path inside torch."""
    release = torch_of({"_dynamo/backends/cudagraphs.py": UTILS, "_export/other.py": UTILS})
    assert {it.file for it in cudagraph_skips(release)} == {"_dynamo/backends/cudagraphs.py"}
