"""Read an operator's YAML: plain values and the line of each, within bounds.

What YAML allows beyond plain values is refused: keys twice, keys that are no text, merge keys,
tags of other types. Anchors may be used within the bounds on what they expand to.
"""

from typing import Any, NamedTuple

from knowledge_contract.errors import ConfigurationError, UnavailableError
from knowledge_contract.host.places import Path, Places
from knowledge_wire.parsing import is_well_formed

try:
    import yaml
except ModuleNotFoundError:
    raise UnavailableError("a host needs PyYAML: install knowledge-contract[providers]") from None

__all__ = ["SIZE_LIMIT_BYTES", "YamlFile", "parse_yaml"]

SIZE_LIMIT_BYTES = 256 * 1024
"""Of one file: hundreds of providers and tools, and parsed in a few seconds at worst."""
_DEPTH_LIMIT = 32
_VALUE_LIMIT = 20_000
"""Values after anchors are expanded; a file of this size holds fewer without them."""
_MERGE = "tag:yaml.org,2002:merge"


class YamlFile(NamedTuple):
    """What a file holds, and where."""

    value: Any
    places: Places


class _Reader:
    """Builds plain values from nodes; one for each file."""

    def __init__(self, file: str) -> None:
        self.lines: dict[Path, int] = {}
        self.places = Places(file, self.lines)
        self._scalars = yaml.constructor.SafeConstructor()
        self._count = 0

    def build(self, node: yaml.Node, path: Path) -> Any:
        self._count += 1
        if self._count > _VALUE_LIMIT:
            raise self._refused(path[:1], f"the file holds more than {_VALUE_LIMIT} values")
        if len(path) > _DEPTH_LIMIT:
            raise self._refused(path[:1], f"nested more than {_DEPTH_LIMIT} deep")
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, path)
        if isinstance(node, yaml.SequenceNode) and node.tag == "tag:yaml.org,2002:seq":
            return [self._item(each, (*path, index)) for index, each in enumerate(node.value)]
        return self._scalar(node, path)

    def _scalar(self, node: yaml.Node, path: Path) -> Any:
        try:
            value = self._scalars.construct_object(node, deep=True)
        except (yaml.YAMLError, ValueError, OverflowError):
            raise self._refused(path, "is of a type that is not read here") from None
        if isinstance(value, str) and not is_well_formed(value):
            raise self._refused(path, "is no well-formed Unicode")
        return value

    def _item(self, node: yaml.Node, path: Path) -> Any:
        self.lines[path] = node.start_mark.line + 1
        return self.build(node, path)

    def _mapping(self, node: yaml.MappingNode, path: Path) -> dict[str, Any]:
        if node.tag != "tag:yaml.org,2002:map":
            raise self._refused(path, "is of a type that is not read here")
        found: dict[str, Any] = {}
        for key_node, value_node in node.value:
            line = key_node.start_mark.line + 1
            if key_node.tag == _MERGE:
                raise self._refused(
                    path, "merge keys (`<<`) are not read: write the keys out", line
                )
            if key_node.tag != "tag:yaml.org,2002:str":
                raise self._refused(path, "a key must be text: put it in quotes", line)
            key = str(key_node.value)
            if not is_well_formed(key):
                raise self._refused(path, "a key is no well-formed Unicode", line)
            if key in found:
                raise self._refused((*path, key), "the key stands twice", line)
            self.lines[(*path, key)] = line
            found[key] = self.build(value_node, (*path, key))
        return found

    def _refused(self, path: Path, sentence: str, line: int | None = None) -> ConfigurationError:
        if line is not None:
            self.lines[path] = line
        return ConfigurationError((self.places.problem(path, sentence),))


def parse_yaml(data: bytes, *, file: str) -> YamlFile:
    """Return the mapping that a YAML file holds, with the lines of its keys and items.

    Args:
        data: The file's bytes, UTF-8.
        file: The file's name, for messages.

    Raises:
        ConfigurationError: it is too long, no UTF-8, no single YAML document, no mapping, or
            uses what is not read here.
    """
    start = Places(file, {})
    if len(data) > SIZE_LIMIT_BYTES:
        sentence = f"longer than {SIZE_LIMIT_BYTES} bytes"
        raise ConfigurationError((start.problem((), sentence),))
    try:
        text = data.decode("utf-8-sig")
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except UnicodeDecodeError:
        raise ConfigurationError((start.problem((), "is not UTF-8"),)) from None
    except RecursionError:
        raise ConfigurationError((start.problem((), "is nested too deep"),)) from None
    except yaml.YAMLError as error:
        # Its words may quote the file.
        mark = getattr(error, "problem_mark", None)
        place = Places(file, {(): mark.line + 1 if mark else 1})
        column = f" at column {mark.column + 1}" if mark else ""
        sentence = f"is not one YAML document that can be read{column}"
        raise ConfigurationError((place.problem((), sentence),)) from None
    reader = _Reader(file)
    value = {} if node is None else reader.build(node, ())
    if not isinstance(value, dict):
        raise ConfigurationError((start.problem((), "must hold keys, such as `tools:`"),))
    return YamlFile(value, reader.places)
