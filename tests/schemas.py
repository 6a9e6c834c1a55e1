"""JSON that commands print or read, held against its schema."""

from __future__ import annotations

import json
from typing import Any

import jsonschema

from validators.schemas import SCHEMAS, schema_text


def valid(name: str, text: str) -> Any:
    """The data in `text`, after it passed the schema that is called `name`."""
    data = json.loads(text)
    jsonschema.validate(data, json.loads(schema_text(SCHEMAS[name])))
    return data
