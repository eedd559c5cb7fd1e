"""Settings of trafilatura: they can be read, so that programs that do so run on, and mean nothing here."""

from __future__ import annotations

import os
from configparser import ConfigParser

from ._compat.elsewhere import SETTINGS, missing

__all__ = ["DEFAULT_CONFIG", "use_config"]

#: Settings that are used if none are given: none.
DEFAULT_CONFIG = ConfigParser()


def use_config(filename: str | os.PathLike[str] | None = None, config: ConfigParser | None = None) -> ConfigParser:
    """The settings that are given, else those of a file, else none. `extract` takes them as `config`, and tells once that they mean
    nothing: there are no least sizes to set.

    >>> use_config().sections()
    []
    """
    if config is not None:
        return config
    read = ConfigParser()
    if filename is not None:
        with open(filename, encoding="utf-8") as file:
            read.read_file(file)
    return read


def __getattr__(name: str) -> object:
    if name in SETTINGS:
        raise missing(f"settings.{name}", SETTINGS[name])
    raise AttributeError(f"module `dehusk.settings` has no attribute `{name}`")
