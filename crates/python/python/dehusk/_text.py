"""Texts to normalized texts, tokens, sentences and signatures."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple, Sequence

from . import _native
from ._inputs import text_options

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._inputs import StrPath
    from ._native import Table
    from ._options import SignerOptions


class Span(NamedTuple):
    """A token or a sentence with the place in the original text that it comes from: `text[start:end]`."""

    text: str
    start: int
    end: int


class Normalizer:
    """Brings texts to one form: what documents are compared by.

    `profile` is a name (`dehusk.methods()` lists them) or a file of TOML with a profile of your own; or `passes` are the names of passes
    in their order. `numbers` is what becomes of numbers. Tokens are stems with `stem`, and stop words are left out with
    `stop_words`, in the language of the text or in `language`, an ISO 639-1 code.

    >>> normalizer = Normalizer()
    >>> normalizer.normalize("The RIVER rose — overnight!")
    'the river rose overnight'
    >>> Normalizer(stem=True, stop_words=True).spans("The rivers were rising.")
    [Span(text='river', start=4, end=10), Span(text='rise', start=16, end=22)]
    """

    __slots__ = ("_arguments", "_native")

    def __init__(
        self,
        profile: StrPath = "near",
        *,
        passes: Sequence[str] | None = None,
        numbers: str | None = None,
        stem: bool = False,
        stop_words: bool = False,
        language: str | None = None,
    ) -> None:
        own = None if passes is None else list(passes)
        name = os.fspath(profile) if own is None else "custom"
        self._arguments = (name, own, numbers, stem, stop_words, language)
        self._native = _native.Normalizer(name, own, numbers, stem, stop_words, language)

    @property
    def fingerprint(self) -> str:
        """What identifies the passes, with their versions: texts of equal fingerprints compare."""
        return self._native.fingerprint

    @property
    def passes(self) -> list[str]:
        """Names of the passes, in their order."""
        return self._native.passes

    def normalize(self, text: str) -> str:
        """The normalized text."""
        return self._native.normalize(text)

    def tokens(self, text: str) -> list[str]:
        """The tokens of the normalized text."""
        return self._native.tokens(text)

    def spans(self, text: str) -> list[Span]:
        """The tokens with their places in the original, in characters."""
        return [Span(*span) for span in self._native.spans(text)]

    def sentences(self, text: str) -> list[Span]:
        """The sentences of the original, without the white space around them."""
        return [Span(*span) for span in self._native.sentences(text)]

    def __reduce__(self) -> tuple[Any, ...]:
        return (_normalizer, self._arguments)

    def __repr__(self) -> str:
        return f"<Normalizer {self.fingerprint}>"


def _normalizer(
    name: str,
    passes: list[str] | None,
    numbers: str | None,
    stem: bool,
    stop_words: bool,
    language: str | None,
) -> Normalizer:
    return Normalizer(
        name, passes=passes, numbers=numbers, stem=stem, stop_words=stop_words, language=language
    )


class Signature(NamedTuple):
    """What duplicates of a text are found by."""

    #: `full`; `short`, which is compared with texts of the same words only; or `empty`, which is compared with none.
    kind: str
    #: Hash of the tokens, 16 bytes: texts of equal hashes are duplicates of similarity 1.
    content: bytes
    #: Hash of the text by the option `exact_profile`, 64 bits: of duplicates of similarity 1 those of equal hashes are exact ones.
    exact: int
    #: Keys of 64 bits: one in common makes two texts candidates.
    keys: list[int]
    #: What `Signer.compare` compares.
    features: list[int]


class Signer:
    """Signs texts: keys that near-duplicates have in common, and what is compared to be sure.

    Options are those of `dehusk sign` and of the similarity of `dehusk dedup`. A signature that needs to know its collection takes that
    from the file of the option `stats`.

    >>> river = "The river rose overnight and the old bridge was closed to carts, so that the milkman had to walk to the mill " \\
    ...         "and back in the rain, twice a day."
    >>> signer = Signer(threshold=0.5)
    >>> a, b = signer.sign(river), signer.sign(river.replace("milkman", "postman"))
    >>> a.kind, len(set(a.keys) & set(b.keys)) > 0, signer.compare(a, b) > 0.5
    ('full', True, True)
    """

    __slots__ = ("_native", "_options")

    def __init__(self, **options: Unpack[SignerOptions]) -> None:
        self._start(text_options(options))

    def _start(self, options: dict[str, Any]) -> None:
        self._options = options
        self._native = _native.Signer(options)

    @property
    def banding(self) -> tuple[int, int] | None:
        """Bands, and values in a band, if candidates are found by bands of a signature."""
        return self._native.banding

    def sign(self, text: str) -> Signature:
        """The signature of a text."""
        return Signature(*self._native.sign(text))

    def compare(self, a: Signature, b: Signature) -> float | None:
        """The similarity of two texts, if it reaches the threshold."""
        if a.kind == "empty" or b.kind == "empty":
            return None
        if a.content == b.content:
            return 1.0
        if a.kind == "short" or b.kind == "short":
            return None
        return self._native.compare(a.features, b.features)

    def batch(self, texts: object) -> Table:
        """The signatures of a table of Arrow with a column `text`, and `id` or `url` if there is one.

        The result has `id`, `kind`, `content`, `exact`, `keys` and `features` (64-bit integers, or lists of them, with the bits of unsigned ones) and
        `error`, a row for each row.
        """
        return self._native.batch(texts)

    def __reduce__(self) -> tuple[Any, ...]:
        return (_signer, (self._options,))

    def __repr__(self) -> str:
        shown = (f"{name}={value!r}" for name, value in self._options.items())
        return f"Signer({', '.join(shown)})"


def _signer(options: dict[str, Any]) -> Signer:
    signer = Signer.__new__(Signer)
    signer._start(options)
    return signer
