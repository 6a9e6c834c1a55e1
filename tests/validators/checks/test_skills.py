"""The rules of agentskills.io, at their edges."""

from __future__ import annotations

import pytest

from validators.checks.skills import check_skills


@pytest.mark.parametrize(
    ("fields", "body", "count"),
    [
        ("name: a-1\ndescription: Use it.", "x", 0),
        (f"name: a-1\ndescription: {'x' * 1024}", "x", 0),
        (f"name: a-1\ndescription: {'x' * 1025}", "x", 1),
        ("name: a-1\ndescription: ' '", "x", 1),
        ("name: a-1\ndescription: Use it.", "x\n" * 499, 0),
        ("name: a-1\ndescription: Use it.", "x\n" * 500, 1),
        ("name: a-1\ndescription: Use it.\nversion: 1", "x", 1),
        ("name: a-1\ndescription: Use it.\nmetadata: {version: '1'}\nlicense: MIT", "x", 0),
        ("name: A-1\ndescription: Use it.", "x", 1),
        ("name: a--1\ndescription: Use it.", "x", 1),
        ("name: b\ndescription: Use it.", "x", 1),
        ("name: a-1\ndescription: Use: it.", "x", 1),
    ],
)
def test_a_skill_page(tmp_path, write, fields, body, count):
    """Names, descriptions, fields and length are held to the specification."""
    write("skills/a-1/SKILL.md", f"---\n{fields}\n---\n{body}")
    skills, problems = check_skills(tmp_path)
    assert (skills, len(problems)) == (1, count)
