import pickle
from pathlib import Path

import pytest
from dehusk import Normalizer, OptionError


def test_texts_are_normalized_and_cut() -> None:
    normalizer = Normalizer()
    text = "The RIVER rose — overnight! Ёлка «стоит» 😀 дома."
    assert normalizer.normalize(text).startswith("the river rose overnight")
    spans = normalizer.spans(text)
    assert [span.text for span in spans] == normalizer.tokens(text)
    for span in spans:
        assert normalizer.normalize(text[span.start : span.end]).strip() == span.text
    sentences = normalizer.sentences(text)
    assert [sentence.text for sentence in sentences] == ["The RIVER rose — overnight!", "Ёлка «стоит» 😀 дома."]
    assert all(text[sentence.start : sentence.end] == sentence.text for sentence in sentences)


def test_stems_and_stop_words_by_language() -> None:
    assert Normalizer(stem=True, stop_words=True).tokens("Мы видели котов и кошек.") == ["видел", "кот", "кошек"]
    assert Normalizer(stem=True, language="en").tokens("rivers rising") == ["river", "rise"]


def test_profiles_of_ones_own(tmp_path: Path) -> None:
    own = Normalizer(passes=["nfkc", "lower-case"])
    assert own.normalize("ﬁne Day") == "fine day" and own.passes == ["nfkc", "lower-case"]
    (tmp_path / "mine.toml").write_text('passes = ["nfkc", "lower-case"]\n')
    assert Normalizer(tmp_path / "mine.toml").passes == own.passes
    assert pickle.loads(pickle.dumps(own)).fingerprint == own.fingerprint
    for arguments, option in [
        ({"profile": "naer"}, "profile"),
        ({"passes": ["nfkz"]}, "passes"),
        ({"language": "english"}, "language"),
        ({"numbers": "eat"}, "numbers"),
    ]:
        with pytest.raises(OptionError) as told:
            Normalizer(**arguments)
        assert told.value.option == option
