"""Runs in the server's own environment: LightRAG unmodified, but without a tokenizer's download.

    offline.py serve                 the API server, until it is told to end or its parent ends
    offline.py seed < texts.json     store texts; a JSON list of them

LightRAG builds two of tiktoken's encodings, which tiktoken downloads. Here both names stand for
one of 256 tokens, a byte each, so that a limit in tokens is one in bytes of UTF-8. `seed` stores
what the API refuses, but workspaces of older releases hold: texts without a file's name.

Everything comes from environment variables, those of `lightrag-server`. What this environment
holds is imported by its name, after the tokenizer, because other environments read this file too.
"""

import asyncio
import json
import os
import sys
import threading
from functools import partial
from importlib import import_module

ENCODINGS = ("o200k_base", "cl100k_base")


def install_byte_tokenizer() -> None:
    """Fill tiktoken's own registry before LightRAG asks for an encoding."""
    tiktoken, registry = map(import_module, ("tiktoken", "tiktoken.registry"))
    ranks = {bytes([value]): value for value in range(256)}
    for name in ENCODINGS:
        registry.ENCODINGS[name] = tiktoken.Encoding(
            name=name,
            pat_str=r"\s?\S+|\s+",
            mergeable_ranks=ranks,
            special_tokens={"<|endoftext|>": len(ranks)},
        )


def end_with_parent() -> None:
    """End this process when its standard input ends: when its parent is gone, however it went."""

    def wait() -> None:
        sys.stdin.buffer.read()
        os._exit(0)

    threading.Thread(target=wait, daemon=True).start()


def serve() -> None:
    """Run the server as its own command does."""
    import_module("lightrag.api.lightrag_server").main()


async def seed(texts: list[str]) -> None:
    """Store texts without a name in the workspace."""
    lightrag, openai, utils = map(
        import_module, ("lightrag", "lightrag.llm.openai", "lightrag.utils")
    )
    env = os.environ
    models = {"base_url": env["LLM_BINDING_HOST"], "api_key": env["LLM_BINDING_API_KEY"]}
    embedder = env["EMBEDDING_MODEL"]
    rag = lightrag.LightRAG(
        working_dir=env["WORKING_DIR"],
        llm_model_func=partial(openai.openai_complete_if_cache, env["LLM_MODEL"], **models),
        llm_model_name=env["LLM_MODEL"],
        embedding_func=utils.EmbeddingFunc(
            embedding_dim=int(env["EMBEDDING_DIM"]),
            max_token_size=8192,
            func=partial(openai.openai_embed.func, model=embedder, **models),
            model_name=embedder,
        ),
        enable_llm_cache=False,
    )
    await rag.initialize_storages()
    try:
        await rag.ainsert(texts)
    finally:
        await rag.finalize_storages()


def main(command: str) -> None:
    """Do what was asked."""
    install_byte_tokenizer()
    if command == "serve":
        end_with_parent()
        serve()
    else:
        asyncio.run(seed(json.load(sys.stdin)))


if __name__ == "__main__":
    main(sys.argv.pop(1))
