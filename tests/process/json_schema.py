#!/usr/bin/env python3
"""Whether a JSON text is what a schema of share/schemas says: json_schema.py SCHEMA FILE. Of JSON Schema what these schemas use; a word that it does not know is an error."""
import json, pathlib, re, sys

types = {"object": dict, "array": list, "string": str, "boolean": bool, "integer": int, "number": (int, float)}
explained = {"$schema", "$id", "title", "description", "definitions"}


def complain(where, what):
    raise SystemExit(f"{where or 'the document'}: {what}")


def check(value, schema, root, where=""):
    unknown = set(schema) - explained - {"$ref", "type", "properties", "required", "additionalProperties", "items", "enum", "pattern", "minimum", "anyOf"}
    if unknown:
        complain(where, f"the schema has {unknown}")
    if "$ref" in schema:
        return check(value, root["definitions"][schema["$ref"].rpartition("/")[2]], root, where)
    if "anyOf" in schema:
        whys = []
        for one in schema["anyOf"]:
            try:
                return check(value, one, root, where)
            except SystemExit as why:
                whys.append(str(why))
        complain(where, f"none of {whys}")
    kind = schema.get("type")
    if kind and (not isinstance(value, types[kind]) or isinstance(value, bool) and kind != "boolean"):
        complain(where, f"{value!r} is no {kind}")
    if "enum" in schema and value not in schema["enum"]:
        complain(where, f"{value!r} is not one of {schema['enum']}")
    if "pattern" in schema and not re.search(schema["pattern"], value):
        complain(where, f"{value!r} is not like {schema['pattern']}")
    if "minimum" in schema and value < schema["minimum"]:
        complain(where, f"{value} is less than {schema['minimum']}")
    if isinstance(value, list) and "items" in schema:
        for number, one in enumerate(value):
            check(one, schema["items"], root, f"{where}[{number}]")
    if isinstance(value, dict):
        known = schema.get("properties", {})
        for name in schema.get("required", []):
            if name not in value:
                complain(where, f"{name} is missing")
        for name, one in value.items():
            more = known.get(name, schema.get("additionalProperties", True))
            if more is False:
                complain(where, f"{name} is not in the schema")
            if isinstance(more, dict):
                check(one, more, root, f"{where}.{name}")


if __name__ == "__main__":
    schema = json.loads(pathlib.Path(sys.argv[1]).read_text())
    check(json.loads(pathlib.Path(sys.argv[2]).read_text()), schema, schema)
