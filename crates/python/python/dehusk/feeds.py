"""Stands where trafilatura has a module of this name: importing it says what to use in its place."""

from ._compat.elsewhere import MODULES, missing

raise missing("feeds", MODULES["feeds"])
