"""Columns: what the matrix shows of an environment."""

from __future__ import annotations

import dataclasses

import pytest

from validators.environment import column_of
from validators.environment.fingerprint import accelerator_slug


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("NVIDIA H100 80GB HBM3", "h100"),
        ("NVIDIA H200", "h200"),
        ("NVIDIA A100-SXM4-40GB", "a100"),
        ("Tesla V100-SXM2-16GB", "v100"),
        ("NVIDIA GeForce RTX 4090", "rtx-4090"),
        ("NVIDIA GeForce GTX 1080 Ti", "gtx-1080-ti"),
        ("NVIDIA RTX PRO 6000 Blackwell", "rtx-pro-6000"),
        ("NVIDIA RTX 6000 Ada Generation", "rtx-6000-ada"),
        ("NVIDIA H100 80GB HBM3 MIG 1g.10gb", "h100-mig"),
        ("NVIDIA TITAN V", "titan-v"),
        ("NVIDIA RTX A6000", "rtx-a6000"),
        ("NVIDIA L4", "l4"),
        ("NVIDIA GH200 480GB", "gh200"),
        ("AMD Instinct MI300X", "mi300x"),
        ("Intel(R) Arc(TM) B580 Graphics", "arc-b580"),
        ("Intel(R) Data Center GPU Max 1550", "data-center-gpu-max-1550"),
        ("Apple M3 Pro", "m3-pro"),
        ("NVIDIA", "cuda"),
    ],
)
def test_a_gpu_has_a_short_name(name, slug):
    """The maker, the series and the memory are left out."""
    assert accelerator_slug(name) == slug


@pytest.mark.parametrize(
    ("torch", "device", "accelerator", "column"),
    [
        ("2.13.0+cpu", "cpu", "", "torch-2.13.0-cpu"),
        ("2.13.0+cu130", "cpu", "", "torch-2.13.0-cpu"),
        ("2.11.0+cu128", "cuda", "NVIDIA H200", "torch-2.11.0-h200"),
        ("2.15.0+cu132", "compiled", "sm_90", "torch-2.15.0-sm90-compiled"),
        ("2.16.0.dev20260801+cpu", "cpu", "", "torch-2.16.0.dev20260801-cpu"),
        ("2.16.0a0+gitabc123", "cuda", "NVIDIA H100 80GB HBM3", "torch-2.16.0a0-h100"),
    ],
)
def test_a_column_is_release_and_device(make_record, torch, device, accelerator, column):
    """The build's local part is in the fingerprint only; a GPU build on a CPU is a CPU column."""
    mark = make_record("one").fingerprint
    mark = dataclasses.replace(mark, torch=torch, device=device, accelerator=accelerator)
    assert column_of(mark) == column
