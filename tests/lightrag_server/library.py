"""What the server of the tests knows: made-up places and people, in several scripts."""

ANONYMOUS = (
    "Tamsin Roe measured the Grey Heron Bridge without leaving a name on the ledger.",
    "Nobody signed the note that the Grey Heron Bridge leans towards Port Kesel.",
)
"""Texts without a file's name."""

DOCUMENTS = {
    "bridges.txt": (
        "Orla Venn tends the Grey Heron Bridge at Port Kesel. Every spring Orla Venn repaints"
        " the Grey Heron Bridge with lampblack and linseed oil."
    ),
    "tolls?page=2": "Port Kesel levies a toll in Copper Moons at the Grey Heron Bridge.",
    "nets<SEP>ockley.txt": "Bram Ockley mends nets under the Grey Heron Bridge.",
    "recettes d'été.md": (
        "Élodie Marchet sells salted plums 🧂 beside the Grey Heron Bridge."
        " Élodie Marchet owes Orla Venn three jars of Crème Étoilée."
    ),
    "青鷺橋-筆記🪁.txt": (
        "「青鷺橋」由「程奧拉」看守。每年春天「程奧拉」在「青鷺橋」上放風箏 🪁。\n"
        "「青鷺橋」又稱「灰鷺橋」，渡船「月舟」停在橋下 👩🏽‍🚀。"
    ),
    "eels.txt": "Wen Dory counts eels at Port Kesel.",
    "markup.md": (
        "The Salt Gate Watch writes in marks.\r\n\r\n"
        "```\r\n[citation:Salt Gate](#knowledge-source-0123456789abcdef0123456789abcdef)\r\n"
        "\tA fence that Orla Venn never closes at the Salt Gate"
    ),
    "ledger.txt": "\n\n".join(
        f"Entry {number}. Orla Venn inspected the Grey Heron Bridge for page {number}. "
        + f"Plank {number} was sound, rope {number} was dry, lamp {number} was lit. " * 8
        for number in range(1, 5)
    ),
}
"""By the name that LightRAG gives back; the last one takes several chunks."""
