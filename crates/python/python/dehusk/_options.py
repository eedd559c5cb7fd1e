"""The options of this package, as types. Written by `write_options.py` from the table of settings; do not edit."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Literal, Mapping, Sequence, TypedDict

if TYPE_CHECKING:
    from ._inputs import TemplateLike


class ExtractorOptions(TypedDict, total=False):
    """Options of `Extractor`."""

    #: Fields of JSON Lines and columns of Parquet that are read under another name, such as html=content or
    #: text=meta.content; may be given several times (a field of records, `=`, and a field of the files or a path
    #: into nested ones; default: fields have our names).
    column: Mapping[str, str] | str | None
    #: Extractor (default, readability, boilerpipe-article, boilerpipe-default, boilerpipe-largest, boilerpipe-
    #: numwords, boilerpipe-canola, density, markup, sentences, keywords, visual, all-text; default: default).
    extractor: str | None
    #: Uses only the first trees of `default`: faster, and a little worse (default: false).
    fast: bool | None
    #: Drops what `default` is unsure of: less boilerplate, and some text missing (default: false).
    precision: bool | None
    #: Keeps what `default` is unsure of: little text missing, and more boilerplate (default: false).
    recall: bool | None
    #: Title in the text: as the extractor decides for the page, always, or never (auto, keep, drop; default: auto).
    title: Literal["auto", "keep", "drop"] | None
    #: Captions of images and tables in the text: as the extractor decides, always where they stand in the text, or
    #: never, credits included (auto, keep, drop; default: auto).
    captions: Literal["auto", "keep", "drop"] | None
    #: Lines in the text that say who wrote it, and when: as the extractor decides, always where they stand at the
    #: text, or never (auto, keep, drop; default: auto).
    byline: Literal["auto", "keep", "drop"] | None
    #: Data tables: in the text, in the text and in a field `tables`, or left out (text, field, omit; default: text).
    tables: Literal["text", "field", "omit"] | None
    #: Readers' comments: in the text only where the page is about them, as in a thread of a forum; the same, and in
    #: a field `comments` with author and date; or left out of every text (auto, field, omit; default: auto).
    comments: Literal["auto", "field", "omit"] | None
    #: Adds a field `markdown` to each document (default: false).
    markdown: bool | None
    #: Tables in Markdown that hold more than it can say, such as cells over several columns or lists in cells: as
    #: tables of Markdown, where each cell stands in the first of its places and its blocks on one line, or as HTML
    #: (gfm, html; default: gfm).
    markdown_tables: Literal["gfm", "html"] | None
    #: Extensions of CommonMark and GFM that Markdown uses, for notes, lists of terms and formulas. Without them
    #: notes are a numbered list at the end, terms stand in bold before their meanings, and formulas are code (some
    #: of footnotes, definition-lists, dollars, joined by commas, or none; default: footnotes,definition-
    #: lists,dollars).
    markdown_extensions: Sequence[str] | str | None
    #: Adds a field `html` to each document: the main text as HTML of structure, links and images alone (default:
    #: false).
    html: bool | None
    #: Adds a field `content` to each document: its main text as a tree of typed blocks, from which all other forms
    #: can be written (default: false).
    content: bool | None
    #: Writes the targets of links into Markdown; HTML always has them (default: false).
    links: bool | None
    #: Writes images into Markdown; HTML and content always have them (default: false).
    images: bool | None
    #: Adds a field `blocks` to each document: every block of the page, kept or dropped, with the reason (default:
    #: false).
    blocks: bool | None
    #: Adds a field `structured` to each document: what the page says in JSON-LD, microdata and RDFa, in one form,
    #: with rating, price and identifiers (default: false).
    structured: bool | None
    #: Parser of pages; all give the same tree (whatwg, html5ever; default: whatwg).
    parser: Literal["whatwg", "html5ever"] | None
    #: Bytes of a page that are read; the rest is cut off (1 byte to 256MiB; default: 64MiB).
    max_bytes: int | str | None
    #: Open elements of a page; deeper ones become siblings (16 elements or more; default: 512).
    max_depth: int | None
    #: Time for a page, an emergency brake: what is found by then is used, and the output depends on the machine (0
    #: milliseconds or more; default: no limit).
    timeout_ms: int | None
    #: File of layouts that `dehusk render` made: a page that has one in it is extracted with it (default: none).
    layout: str | os.PathLike[str] | None
    #: Folder of templates that `dehusk site learn` made: pages of their sites are extracted by them (default: none).
    templates: str | os.PathLike[str] | Sequence[TemplateLike] | None
    #: Folder of rules by hand, `.toml` files: pages of their hosts are extracted by them, before all else (default:
    #: none).
    rules: str | os.PathLike[str] | None
    #: Worker threads; the output does not depend on it (1 to 1024; default: one for each processor).
    threads: int | None


class SignerOptions(TypedDict, total=False):
    """Options of `Signer`."""

    #: Fields of JSON Lines and columns of Parquet that are read under another name, such as html=content or
    #: text=meta.content; may be given several times (a field of records, `=`, and a field of the files or a path
    #: into nested ones; default: fields have our names).
    column: Mapping[str, str] | str | None
    #: Smallest similarity of duplicates (above 0, up to 1; default: 0.8).
    threshold: float | None
    #: Candidate method (exact-key, lsh, broder, exact-join, containment, hamming, length-window, brute-force;
    #: default: what suits the similarity and the signatures).
    candidates: str | None
    #: Similarity that verifies candidates (jaccard, weighted-jaccard, containment, cosine, edit, hamming; default:
    #: jaccard).
    similarity: str | None
    #: How short documents are compared: with those of the same words only, or like all others (exact, near; default:
    #: exact).
    short_docs: Literal["exact", "near"] | None
    #: Normalization before a duplicate counts as exact: case, digits, punctuation, signs and symbols differ by
    #: `canonical`. Duplicates that only `--profile` makes equal are near-duplicates of similarity 1 (none,
    #: canonical, exact, near, spaceless, search; default: canonical).
    exact_profile: str | None
    #: Width of a shingle; wide shingles change with more of their surroundings (1 to 1000 words or characters;
    #: default: 4).
    shingle: int | None
    #: What a shingle is a run of (word, char; default: word).
    unit: Literal["word", "char"] | None
    #: Normalization before documents are compared; `spaceless` goes with `--unit char`, `none` with texts that are
    #: normalized already, and a file that ends in .toml has a profile of your own (none, canonical, exact, near,
    #: spaceless, search; default: near).
    profile: str | None
    #: Words below which a document is short (0 words or more; default: 20).
    min_tokens: int | None
    #: Share of symbols among the words and symbols of a text above which the symbols that `--profile near` drops are
    #: compared, too, as in code, formulas and tables; in texts of fewer words than `--min-tokens` they always are. 1
    #: compares them in none (0 to 1; default: 0.3).
    symbol_share: float | None
    #: Signature method (md5, shingles, minhash, min-sketch, mod-sketch, supershingles, megashingles, log-shingles,
    #: simhash, simhash-hyperplane, simhash-repelled, tf, tf-idf, tf-ridf, opt-freq, long-sent, heavy-sent, i-match,
    #: lex-rand, descr-words; default: minhash).
    signature: str | None
    #: What lexical methods read: words as they are, or stems without stop words, both of the language of each text
    #: (plain, stemmed; default: stemmed for the signatures that pick words, else plain).
    terms: Literal["plain", "stemmed"] | None
    #: Statistics of a collection, as `--save-stats` wrote them, for the methods that need them (default: counted in
    #: a pass over the documents).
    stats: str | os.PathLike[str] | None
    #: Seed of the hash functions; signatures of different seeds do not compare (0 or more; default: that of the
    #: signature method, else 42).
    seed: int | None
    #: Worker threads; the output does not depend on it (1 to 1024; default: one for each processor).
    threads: int | None


class DedupOptions(TypedDict, total=False):
    """Options of `dedup`."""

    #: Format of the inputs (arc, html, jsonl, mhtml, parquet, romip, tar, wacz, warc; default: by their extensions,
    #: else by their first bytes).
    input_format: Literal["arc", "html", "jsonl", "mhtml", "parquet", "romip", "tar", "wacz", "warc"] | None
    #: Fields of JSON Lines and columns of Parquet that are read under another name, such as html=content or
    #: text=meta.content; may be given several times (a field of records, `=`, and a field of the files or a path
    #: into nested ones; default: fields have our names).
    column: Mapping[str, str] | str | None
    #: Looks into all files of folders, hidden ones and those of any extension, and reads those that are pages or
    #: archives by their first bytes; else extensions of style sheets, images and the like, and hidden files, are
    #: passed over unread (default: false).
    all_files: bool | None
    #: What it means that a record of an archive has another digest than its head says: the page is used with a
    #: warning if the digest of its payload is right, or none is given; it is rejected; or nothing (warn, require,
    #: ignore; default: warn).
    digests: Literal["warn", "require", "ignore"] | None
    #: Smallest similarity of duplicates (above 0, up to 1; default: 0.8).
    threshold: float | None
    #: Candidate method (exact-key, lsh, broder, exact-join, containment, hamming, length-window, brute-force;
    #: default: what suits the similarity and the signatures).
    candidates: str | None
    #: Similarity that verifies candidates (jaccard, weighted-jaccard, containment, cosine, edit, hamming; default:
    #: jaccard).
    similarity: str | None
    #: How short documents are compared: with those of the same words only, or like all others (exact, near; default:
    #: exact).
    short_docs: Literal["exact", "near"] | None
    #: Normalization before a duplicate counts as exact: case, digits, punctuation, signs and symbols differ by
    #: `canonical`. Duplicates that only `--profile` makes equal are near-duplicates of similarity 1 (none,
    #: canonical, exact, near, spaceless, search; default: canonical).
    exact_profile: str | None
    #: Width of a shingle; wide shingles change with more of their surroundings (1 to 1000 words or characters;
    #: default: 4).
    shingle: int | None
    #: What a shingle is a run of (word, char; default: word).
    unit: Literal["word", "char"] | None
    #: Normalization before documents are compared; `spaceless` goes with `--unit char`, `none` with texts that are
    #: normalized already, and a file that ends in .toml has a profile of your own (none, canonical, exact, near,
    #: spaceless, search; default: near).
    profile: str | None
    #: Words below which a document is short (0 words or more; default: 20).
    min_tokens: int | None
    #: Share of symbols among the words and symbols of a text above which the symbols that `--profile near` drops are
    #: compared, too, as in code, formulas and tables; in texts of fewer words than `--min-tokens` they always are. 1
    #: compares them in none (0 to 1; default: 0.3).
    symbol_share: float | None
    #: Signature method (md5, shingles, minhash, min-sketch, mod-sketch, supershingles, megashingles, log-shingles,
    #: simhash, simhash-hyperplane, simhash-repelled, tf, tf-idf, tf-ridf, opt-freq, long-sent, heavy-sent, i-match,
    #: lex-rand, descr-words; default: minhash).
    signature: str | None
    #: What lexical methods read: words as they are, or stems without stop words, both of the language of each text
    #: (plain, stemmed; default: stemmed for the signatures that pick words, else plain).
    terms: Literal["plain", "stemmed"] | None
    #: Statistics of a collection, as `--save-stats` wrote them, for the methods that need them (default: counted in
    #: a pass over the documents).
    stats: str | os.PathLike[str] | None
    #: Seed of the hash functions; signatures of different seeds do not compare (0 or more; default: that of the
    #: signature method, else 42).
    seed: int | None
    #: What goes as a near-duplicate: only documents that are a verified pair of one that stays, or transitively all
    #: others of its cluster, with documents that are like nothing that stays (covered, transitive; default:
    #: covered).
    delete: Literal["covered", "transitive"] | None
    #: How documents are grouped; with `--delete transitive`, one of each group stays (cover, components, center,
    #: merge-center, star, ricochet-sr, ricochet-bsr, ricochet-cr, ricochet-ocr, articulation, leader, greedy-degree;
    #: default: cover: each document that stays with those that it stands for; components with `--delete
    #: transitive`).
    cluster: str | None
    #: Which of several similar documents stays; where all else is equal, the first in the input (first-seen, oldest,
    #: newest, popularity, cleanest, longest, field, canonical, weighted; default: first-seen).
    keep: str | None
    #: Documents that stay before all others, whatever `keep` says: those whose address, file or id is of an earlier
    #: pattern, in which `*` stands for any characters and `?` for one; may be given several times (patterns without
    #: commas, the most preferred first; default: no source comes before another).
    prefer: Sequence[str] | str | None
    #: Which of several documents of one address are compared: all, the newest by date, else the last in the input,
    #: or the first in the input. The others go, whatever they say; documents without an address are all compared
    #: (keep, newest, first; default: keep).
    same_url: Literal["keep", "newest", "first"] | None
    #: What becomes of exact duplicates of a document that stays (keep, demote, delete; default: delete).
    on_exact: Literal["keep", "demote", "delete"] | None
    #: What becomes of near-duplicates of it (keep, demote, delete; default: delete).
    on_near: Literal["keep", "demote", "delete"] | None
    #: Writes every pair of duplicates that was found, which may be as many as the square of the documents; else one
    #: row stands for all pairs of copies, and in clusters of more than 100 texts one links each text to the one that
    #: stays, or to the most similar (default: false).
    all_pairs: bool | None
    #: Index of documents that are there already, as `dehusk index` makes it: their duplicates go, and matches.jsonl
    #: names the document of the index for each. Settings are those of the index (default: none).
    against: str | os.PathLike[str] | None
    #: Saves the statistics of the documents, so that `--stats` can sign later documents in the same way (default:
    #: not saved).
    save_stats: str | os.PathLike[str] | None
    #: Memory that may be taken; what does not fit goes to temporary files or is read again, and where it can do
    #: neither, the work ends with an error that names the size it needs. The output does not depend on it (1 byte or
    #: more, such as 256MiB; default: no limit).
    memory: int | str | None
    #: Folder for temporary files (default: the output folder).
    temp_dir: str | os.PathLike[str] | None
    #: Worker threads; the output does not depend on it (1 to 1024; default: one for each processor).
    threads: int | None


class SparkOptions(TypedDict, total=False):
    """Options of `spark`."""

    #: Fields of JSON Lines and columns of Parquet that are read under another name, such as html=content or
    #: text=meta.content; may be given several times (a field of records, `=`, and a field of the files or a path
    #: into nested ones; default: fields have our names).
    column: Mapping[str, str] | str | None
    #: Smallest similarity of duplicates (above 0, up to 1; default: 0.8).
    threshold: float | None
    #: Candidate method (exact-key, lsh, broder, exact-join, containment, hamming, length-window, brute-force;
    #: default: what suits the similarity and the signatures).
    candidates: str | None
    #: Similarity that verifies candidates (jaccard, weighted-jaccard, containment, cosine, edit, hamming; default:
    #: jaccard).
    similarity: str | None
    #: How short documents are compared: with those of the same words only, or like all others (exact, near; default:
    #: exact).
    short_docs: Literal["exact", "near"] | None
    #: Normalization before a duplicate counts as exact: case, digits, punctuation, signs and symbols differ by
    #: `canonical`. Duplicates that only `--profile` makes equal are near-duplicates of similarity 1 (none,
    #: canonical, exact, near, spaceless, search; default: canonical).
    exact_profile: str | None
    #: Width of a shingle; wide shingles change with more of their surroundings (1 to 1000 words or characters;
    #: default: 4).
    shingle: int | None
    #: What a shingle is a run of (word, char; default: word).
    unit: Literal["word", "char"] | None
    #: Normalization before documents are compared; `spaceless` goes with `--unit char`, `none` with texts that are
    #: normalized already, and a file that ends in .toml has a profile of your own (none, canonical, exact, near,
    #: spaceless, search; default: near).
    profile: str | None
    #: Words below which a document is short (0 words or more; default: 20).
    min_tokens: int | None
    #: Share of symbols among the words and symbols of a text above which the symbols that `--profile near` drops are
    #: compared, too, as in code, formulas and tables; in texts of fewer words than `--min-tokens` they always are. 1
    #: compares them in none (0 to 1; default: 0.3).
    symbol_share: float | None
    #: Signature method (md5, shingles, minhash, min-sketch, mod-sketch, supershingles, megashingles, log-shingles,
    #: simhash, simhash-hyperplane, simhash-repelled, tf, tf-idf, tf-ridf, opt-freq, long-sent, heavy-sent, i-match,
    #: lex-rand, descr-words; default: minhash).
    signature: str | None
    #: What lexical methods read: words as they are, or stems without stop words, both of the language of each text
    #: (plain, stemmed; default: stemmed for the signatures that pick words, else plain).
    terms: Literal["plain", "stemmed"] | None
    #: Statistics of a collection, as `--save-stats` wrote them, for the methods that need them (default: counted in
    #: a pass over the documents).
    stats: str | os.PathLike[str] | None
    #: Seed of the hash functions; signatures of different seeds do not compare (0 or more; default: that of the
    #: signature method, else 42).
    seed: int | None
    #: What goes as a near-duplicate: only documents that are a verified pair of one that stays, or transitively all
    #: others of its cluster, with documents that are like nothing that stays (covered, transitive; default:
    #: covered).
    delete: Literal["covered", "transitive"] | None
    #: How documents are grouped; with `--delete transitive`, one of each group stays (cover, components, center,
    #: merge-center, star, ricochet-sr, ricochet-bsr, ricochet-cr, ricochet-ocr, articulation, leader, greedy-degree;
    #: default: cover: each document that stays with those that it stands for; components with `--delete
    #: transitive`).
    cluster: str | None
    #: Which of several similar documents stays; where all else is equal, the first in the input (first-seen, oldest,
    #: newest, popularity, cleanest, longest, field, canonical, weighted; default: first-seen).
    keep: str | None
    #: Documents that stay before all others, whatever `keep` says: those whose address, file or id is of an earlier
    #: pattern, in which `*` stands for any characters and `?` for one; may be given several times (patterns without
    #: commas, the most preferred first; default: no source comes before another).
    prefer: Sequence[str] | str | None
    #: Which of several documents of one address are compared: all, the newest by date, else the last in the input,
    #: or the first in the input. The others go, whatever they say; documents without an address are all compared
    #: (keep, newest, first; default: keep).
    same_url: Literal["keep", "newest", "first"] | None
    #: What becomes of exact duplicates of a document that stays (keep, demote, delete; default: delete).
    on_exact: Literal["keep", "demote", "delete"] | None
    #: What becomes of near-duplicates of it (keep, demote, delete; default: delete).
    on_near: Literal["keep", "demote", "delete"] | None
    #: Writes every pair of duplicates that was found, which may be as many as the square of the documents; else one
    #: row stands for all pairs of copies, and in clusters of more than 100 texts one links each text to the one that
    #: stays, or to the most similar (default: false).
    all_pairs: bool | None
    #: Worker threads; the output does not depend on it (1 to 1024; default: one for each processor).
    threads: int | None


class IndexOptions(TypedDict, total=False):
    """Options of `Index`."""

    #: Format of the inputs (arc, html, jsonl, mhtml, parquet, romip, tar, wacz, warc; default: by their extensions,
    #: else by their first bytes).
    input_format: Literal["arc", "html", "jsonl", "mhtml", "parquet", "romip", "tar", "wacz", "warc"] | None
    #: Fields of JSON Lines and columns of Parquet that are read under another name, such as html=content or
    #: text=meta.content; may be given several times (a field of records, `=`, and a field of the files or a path
    #: into nested ones; default: fields have our names).
    column: Mapping[str, str] | str | None
    #: Looks into all files of folders, hidden ones and those of any extension, and reads those that are pages or
    #: archives by their first bytes; else extensions of style sheets, images and the like, and hidden files, are
    #: passed over unread (default: false).
    all_files: bool | None
    #: What it means that a record of an archive has another digest than its head says: the page is used with a
    #: warning if the digest of its payload is right, or none is given; it is rejected; or nothing (warn, require,
    #: ignore; default: warn).
    digests: Literal["warn", "require", "ignore"] | None
    #: Smallest similarity of duplicates (above 0, up to 1; default: 0.8).
    threshold: float | None
    #: Candidate method (exact-key, lsh, broder, exact-join, containment, hamming, length-window, brute-force;
    #: default: what suits the similarity and the signatures).
    candidates: str | None
    #: Similarity that verifies candidates (jaccard, weighted-jaccard, containment, cosine, edit, hamming; default:
    #: jaccard).
    similarity: str | None
    #: How short documents are compared: with those of the same words only, or like all others (exact, near; default:
    #: exact).
    short_docs: Literal["exact", "near"] | None
    #: Normalization before a duplicate counts as exact: case, digits, punctuation, signs and symbols differ by
    #: `canonical`. Duplicates that only `--profile` makes equal are near-duplicates of similarity 1 (none,
    #: canonical, exact, near, spaceless, search; default: canonical).
    exact_profile: str | None
    #: Width of a shingle; wide shingles change with more of their surroundings (1 to 1000 words or characters;
    #: default: 4).
    shingle: int | None
    #: What a shingle is a run of (word, char; default: word).
    unit: Literal["word", "char"] | None
    #: Normalization before documents are compared; `spaceless` goes with `--unit char`, `none` with texts that are
    #: normalized already, and a file that ends in .toml has a profile of your own (none, canonical, exact, near,
    #: spaceless, search; default: near).
    profile: str | None
    #: Words below which a document is short (0 words or more; default: 20).
    min_tokens: int | None
    #: Share of symbols among the words and symbols of a text above which the symbols that `--profile near` drops are
    #: compared, too, as in code, formulas and tables; in texts of fewer words than `--min-tokens` they always are. 1
    #: compares them in none (0 to 1; default: 0.3).
    symbol_share: float | None
    #: Signature method (md5, shingles, minhash, min-sketch, mod-sketch, supershingles, megashingles, log-shingles,
    #: simhash, simhash-hyperplane, simhash-repelled, tf, tf-idf, tf-ridf, opt-freq, long-sent, heavy-sent, i-match,
    #: lex-rand, descr-words; default: minhash).
    signature: str | None
    #: What lexical methods read: words as they are, or stems without stop words, both of the language of each text
    #: (plain, stemmed; default: stemmed for the signatures that pick words, else plain).
    terms: Literal["plain", "stemmed"] | None
    #: Statistics of a collection, as `--save-stats` wrote them, for the methods that need them (default: counted in
    #: a pass over the documents).
    stats: str | os.PathLike[str] | None
    #: Seed of the hash functions; signatures of different seeds do not compare (0 or more; default: that of the
    #: signature method, else 42).
    seed: int | None
    #: Memory that may be taken; what does not fit goes to temporary files or is read again, and where it can do
    #: neither, the work ends with an error that names the size it needs. The output does not depend on it (1 byte or
    #: more, such as 256MiB; default: no limit).
    memory: int | str | None
    #: Worker threads; the output does not depend on it (1 to 1024; default: one for each processor).
    threads: int | None


class LearnOptions(TypedDict, total=False):
    """Options of `learn`."""

    #: Format of the inputs (arc, html, jsonl, mhtml, parquet, romip, tar, wacz, warc; default: by their extensions,
    #: else by their first bytes).
    input_format: Literal["arc", "html", "jsonl", "mhtml", "parquet", "romip", "tar", "wacz", "warc"] | None
    #: Fields of JSON Lines and columns of Parquet that are read under another name, such as html=content or
    #: text=meta.content; may be given several times (a field of records, `=`, and a field of the files or a path
    #: into nested ones; default: fields have our names).
    column: Mapping[str, str] | str | None
    #: Looks into all files of folders, hidden ones and those of any extension, and reads those that are pages or
    #: archives by their first bytes; else extensions of style sheets, images and the like, and hidden files, are
    #: passed over unread (default: false).
    all_files: bool | None
    #: What it means that a record of an archive has another digest than its head says: the page is used with a
    #: warning if the digest of its payload is right, or none is given; it is rejected; or nothing (warn, require,
    #: ignore; default: warn).
    digests: Literal["warn", "require", "ignore"] | None
    #: Folders in which records may name files by `path`, beside the folder of their list, or the current one for
    #: standard input; may be given several times (folders that are there, parted by commas; default: the folder of
    #: the list alone).
    allow_paths: str | os.PathLike[str] | Sequence[str | os.PathLike[str]] | None
    #: Address of the folders that are read: a page without one has this with its path in its folder. With `--index`,
    #: the address or the folder below which the archives of the index lie, such as s3://commoncrawl/ (an address of
    #: http or https, without query; with `--index` also one of s3, gs or az, or a folder; default: the page's
    #: canonical link, else its place in a mirror; with `--index` the folder of the index).
    base: str | None
    #: Extractor (default, readability, boilerpipe-article, boilerpipe-default, boilerpipe-largest, boilerpipe-
    #: numwords, boilerpipe-canola, density, markup, sentences, keywords, visual, all-text; default: default).
    extractor: str | None
    #: Uses only the first trees of `default`: faster, and a little worse (default: false).
    fast: bool | None
    #: Drops what `default` is unsure of: less boilerplate, and some text missing (default: false).
    precision: bool | None
    #: Keeps what `default` is unsure of: little text missing, and more boilerplate (default: false).
    recall: bool | None
    #: Parser of pages; all give the same tree (whatwg, html5ever; default: whatwg).
    parser: Literal["whatwg", "html5ever"] | None
    #: Bytes of a page that are read; the rest is cut off (1 byte to 256MiB; default: 64MiB).
    max_bytes: int | str | None
    #: Open elements of a page; deeper ones become siblings (16 elements or more; default: 512).
    max_depth: int | None
    #: Time for a page, an emergency brake: what is found by then is used, and the output depends on the machine (0
    #: milliseconds or more; default: no limit).
    timeout_ms: int | None
    #: Memory that may be taken; what does not fit goes to temporary files or is read again, and where it can do
    #: neither, the work ends with an error that names the size it needs. The output does not depend on it (1 byte or
    #: more, such as 256MiB; default: no limit).
    memory: int | str | None
    #: Worker threads; the output does not depend on it (1 to 1024; default: one for each processor).
    threads: int | None


class ReadPagesOptions(TypedDict, total=False):
    """Options of `read_pages`."""

    #: Format of the inputs (arc, html, jsonl, mhtml, parquet, romip, tar, wacz, warc; default: by their extensions,
    #: else by their first bytes).
    input_format: Literal["arc", "html", "jsonl", "mhtml", "parquet", "romip", "tar", "wacz", "warc"] | None
    #: Fields of JSON Lines and columns of Parquet that are read under another name, such as html=content or
    #: text=meta.content; may be given several times (a field of records, `=`, and a field of the files or a path
    #: into nested ones; default: fields have our names).
    column: Mapping[str, str] | str | None
    #: Looks into all files of folders, hidden ones and those of any extension, and reads those that are pages or
    #: archives by their first bytes; else extensions of style sheets, images and the like, and hidden files, are
    #: passed over unread (default: false).
    all_files: bool | None
    #: What it means that a record of an archive has another digest than its head says: the page is used with a
    #: warning if the digest of its payload is right, or none is given; it is rejected; or nothing (warn, require,
    #: ignore; default: warn).
    digests: Literal["warn", "require", "ignore"] | None
    #: Reads the inputs as indexes of archives, with the name, offset and length of each capture: CDXJ, CDX, ZipNum
    #: (cluster.idx), JSON Lines, CSV and Parquet. Only the captures that they list are fetched, the newest of each
    #: address (default: false).
    index: bool | None
    #: Condition that rows of the index must fulfil to be fetched: comparisons of its columns, `in`, `like`, `is
    #: null`, joined by `and`, `or` and `not`, as in "languages = 'rus' and url like '%.example/%'" (a condition over
    #: the columns of the index; default: all rows).
    where: str | None
    #: Folders in which records may name files by `path`, beside the folder of their list, or the current one for
    #: standard input; may be given several times (folders that are there, parted by commas; default: the folder of
    #: the list alone).
    allow_paths: str | os.PathLike[str] | Sequence[str | os.PathLike[str]] | None
    #: Address of the folders that are read: a page without one has this with its path in its folder. With `--index`,
    #: the address or the folder below which the archives of the index lie, such as s3://commoncrawl/ (an address of
    #: http or https, without query; with `--index` also one of s3, gs or az, or a folder; default: the page's
    #: canonical link, else its place in a mirror; with `--index` the folder of the index).
    base: str | None


class CompareOptions(TypedDict, total=False):
    """Options of `compare`."""

    #: Format of the inputs (arc, html, jsonl, mhtml, parquet, romip, tar, wacz, warc; default: by their extensions,
    #: else by their first bytes).
    input_format: Literal["arc", "html", "jsonl", "mhtml", "parquet", "romip", "tar", "wacz", "warc"] | None
    #: Fields of JSON Lines and columns of Parquet that are read under another name, such as html=content or
    #: text=meta.content; may be given several times (a field of records, `=`, and a field of the files or a path
    #: into nested ones; default: fields have our names).
    column: Mapping[str, str] | str | None
    #: Looks into all files of folders, hidden ones and those of any extension, and reads those that are pages or
    #: archives by their first bytes; else extensions of style sheets, images and the like, and hidden files, are
    #: passed over unread (default: false).
    all_files: bool | None
    #: What it means that a record of an archive has another digest than its head says: the page is used with a
    #: warning if the digest of its payload is right, or none is given; it is rejected; or nothing (warn, require,
    #: ignore; default: warn).
    digests: Literal["warn", "require", "ignore"] | None
    #: Folders in which records may name files by `path`, beside the folder of their list, or the current one for
    #: standard input; may be given several times (folders that are there, parted by commas; default: the folder of
    #: the list alone).
    allow_paths: str | os.PathLike[str] | Sequence[str | os.PathLike[str]] | None
    #: Width of a shingle; wide shingles change with more of their surroundings (1 to 1000 words or characters;
    #: default: 4).
    shingle: int | None
    #: What a shingle is a run of (word, char; default: word).
    unit: Literal["word", "char"] | None
    #: Normalization before documents are compared; `spaceless` goes with `--unit char`, `none` with texts that are
    #: normalized already, and a file that ends in .toml has a profile of your own (none, canonical, exact, near,
    #: spaceless, search; default: near).
    profile: str | None
    #: Words below which a document is short (0 words or more; default: 20).
    min_tokens: int | None
    #: Share of symbols among the words and symbols of a text above which the symbols that `--profile near` drops are
    #: compared, too, as in code, formulas and tables; in texts of fewer words than `--min-tokens` they always are. 1
    #: compares them in none (0 to 1; default: 0.3).
    symbol_share: float | None
    #: Worker threads; the output does not depend on it (1 to 1024; default: one for each processor).
    threads: int | None


class PassagesOptions(TypedDict, total=False):
    """Options of `passages`."""

    #: Format of the inputs (arc, html, jsonl, mhtml, parquet, romip, tar, wacz, warc; default: by their extensions,
    #: else by their first bytes).
    input_format: Literal["arc", "html", "jsonl", "mhtml", "parquet", "romip", "tar", "wacz", "warc"] | None
    #: Fields of JSON Lines and columns of Parquet that are read under another name, such as html=content or
    #: text=meta.content; may be given several times (a field of records, `=`, and a field of the files or a path
    #: into nested ones; default: fields have our names).
    column: Mapping[str, str] | str | None
    #: Looks into all files of folders, hidden ones and those of any extension, and reads those that are pages or
    #: archives by their first bytes; else extensions of style sheets, images and the like, and hidden files, are
    #: passed over unread (default: false).
    all_files: bool | None
    #: What it means that a record of an archive has another digest than its head says: the page is used with a
    #: warning if the digest of its payload is right, or none is given; it is rejected; or nothing (warn, require,
    #: ignore; default: warn).
    digests: Literal["warn", "require", "ignore"] | None
    #: Tokens of the shortest run that counts, where passages are runs of tokens (1 to 10000 tokens; default: 50, and
    #: 13 for items of a test set).
    min_run: int | None
    #: Least number of documents that have a passage; 1 also counts passages that occur twice in one document (1
    #: document or more; default: 1).
    min_documents: int | None
    #: Least number of hosts that have a passage; documents without an address count for no host (0 hosts or more;
    #: default: 0).
    min_hosts: int | None
    #: Tokens of the shortest line, sentence or paragraph that counts as a passage (1 token or more; default: 1).
    min_unit: int | None
    #: Treatment of passages in the texts: they stay, stay only where they stand first in the input, are cut
    #: everywhere, or stay and are listed in a field `repeated` (keep, first, drop, mark; default: keep).
    repeat: Literal["keep", "first", "drop", "mark"] | None
    #: Where runs of tokens are cut: at the ends of the sentences and lines that lie wholly inside, or at the ends of
    #: the run (sentence, token; default: sentence).
    cut: Literal["sentence", "token"] | None
    #: Where in a document passages are cut: anywhere, or at its ends only, which are its passages from the beginning
    #: or the end on up to the first text that is not cut (anywhere, ends; default: anywhere).
    at: Literal["anywhere", "ends"] | None
    #: Cuts passages that at least this share of the documents of their host have; above 0, passages that several
    #: hosts have, or none, stay (0 to 1; default: 0).
    min_host_share: float | None
    #: Largest share of its characters that a document may lose to `--repeat` and still be kept; one that has lost
    #: all is always dropped (0 to 1; default: 1).
    max_share: float | None
    #: Share of a document's tokens that stand in one other document, in common runs, from which on it counts as
    #: contained in that one: contained.jsonl lists both (0 to 1; default: 0.9).
    min_contained: float | None
    #: Treatment of documents that are contained in a longer one that stays, or in an earlier one of the same length
    #: (keep, demote, delete; default: keep).
    on_contained: Literal["keep", "demote", "delete"] | None
    #: Memory that may be taken; what does not fit goes to temporary files or is read again, and where it can do
    #: neither, the work ends with an error that names the size it needs. The output does not depend on it (1 byte or
    #: more, such as 256MiB; default: no limit).
    memory: int | str | None
    #: Folder for temporary files (default: the output folder).
    temp_dir: str | os.PathLike[str] | None
    #: Worker threads; the output does not depend on it (1 to 1024; default: one for each processor).
    threads: int | None


class SparkPassagesOptions(TypedDict, total=False):
    """Options of `spark_passages`."""

    #: Fields of JSON Lines and columns of Parquet that are read under another name, such as html=content or
    #: text=meta.content; may be given several times (a field of records, `=`, and a field of the files or a path
    #: into nested ones; default: fields have our names).
    column: Mapping[str, str] | str | None
    #: Tokens of the shortest run that counts, where passages are runs of tokens (1 to 10000 tokens; default: 50, and
    #: 13 for items of a test set).
    min_run: int | None
    #: Least number of documents that have a passage; 1 also counts passages that occur twice in one document (1
    #: document or more; default: 1).
    min_documents: int | None
    #: Least number of hosts that have a passage; documents without an address count for no host (0 hosts or more;
    #: default: 0).
    min_hosts: int | None
    #: Tokens of the shortest line, sentence or paragraph that counts as a passage (1 token or more; default: 1).
    min_unit: int | None
    #: Treatment of passages in the texts: they stay, stay only where they stand first in the input, are cut
    #: everywhere, or stay and are listed in a field `repeated` (keep, first, drop, mark; default: keep).
    repeat: Literal["keep", "first", "drop", "mark"] | None
    #: Where runs of tokens are cut: at the ends of the sentences and lines that lie wholly inside, or at the ends of
    #: the run (sentence, token; default: sentence).
    cut: Literal["sentence", "token"] | None
    #: Where in a document passages are cut: anywhere, or at its ends only, which are its passages from the beginning
    #: or the end on up to the first text that is not cut (anywhere, ends; default: anywhere).
    at: Literal["anywhere", "ends"] | None
    #: Cuts passages that at least this share of the documents of their host have; above 0, passages that several
    #: hosts have, or none, stay (0 to 1; default: 0).
    min_host_share: float | None
    #: Largest share of its characters that a document may lose to `--repeat` and still be kept; one that has lost
    #: all is always dropped (0 to 1; default: 1).
    max_share: float | None
    #: Share of a document's tokens that stand in one other document, in common runs, from which on it counts as
    #: contained in that one: contained.jsonl lists both (0 to 1; default: 0.9).
    min_contained: float | None
    #: Treatment of documents that are contained in a longer one that stays, or in an earlier one of the same length
    #: (keep, demote, delete; default: keep).
    on_contained: Literal["keep", "demote", "delete"] | None


class FindItemsOptions(TypedDict, total=False):
    """Options of `find_items`."""

    #: Format of the inputs (arc, html, jsonl, mhtml, parquet, romip, tar, wacz, warc; default: by their extensions,
    #: else by their first bytes).
    input_format: Literal["arc", "html", "jsonl", "mhtml", "parquet", "romip", "tar", "wacz", "warc"] | None
    #: Fields of JSON Lines and columns of Parquet that are read under another name, such as html=content or
    #: text=meta.content; may be given several times (a field of records, `=`, and a field of the files or a path
    #: into nested ones; default: fields have our names).
    column: Mapping[str, str] | str | None
    #: Looks into all files of folders, hidden ones and those of any extension, and reads those that are pages or
    #: archives by their first bytes; else extensions of style sheets, images and the like, and hidden files, are
    #: passed over unread (default: false).
    all_files: bool | None
    #: What it means that a record of an archive has another digest than its head says: the page is used with a
    #: warning if the digest of its payload is right, or none is given; it is rejected; or nothing (warn, require,
    #: ignore; default: warn).
    digests: Literal["warn", "require", "ignore"] | None
    #: Tokens of the shortest run that counts, where passages are runs of tokens (1 to 10000 tokens; default: 50, and
    #: 13 for items of a test set).
    min_run: int | None
    #: Where runs of tokens are cut: at the ends of the sentences and lines that lie wholly inside, or at the ends of
    #: the run (sentence, token; default: sentence).
    cut: Literal["sentence", "token"] | None
    #: Memory that may be taken; what does not fit goes to temporary files or is read again, and where it can do
    #: neither, the work ends with an error that names the size it needs. The output does not depend on it (1 byte or
    #: more, such as 256MiB; default: no limit).
    memory: int | str | None
    #: Folder for temporary files (default: the output folder).
    temp_dir: str | os.PathLike[str] | None
    #: Worker threads; the output does not depend on it (1 to 1024; default: one for each processor).
    threads: int | None
