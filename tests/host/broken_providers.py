"""Broken entries of providers, each with the one line that it gets."""

import pytest

from host.broken_files import PROVIDER

BROKEN_PROVIDERS = [
    pytest.param(
        "providers: {shelf: {folder: docs}}\n",
        "1: providers.shelf.kind",
        "is missing: one of lightrag, local, ragflow, retriever",
        id="kind is missing",
    ),
    pytest.param(
        "providers:\n  shelf:\n    kind: locl\n",
        "3: providers.shelf.kind",
        "must be one of lightrag, local, ragflow, retriever; did you mean `local`?",
        id="unknown kind",
    ),
    pytest.param(
        "providers: {shelf: {kind: local, foldr: docs}}\n",
        "1: providers.shelf.foldr",
        "unknown key; did you mean `folder`?",
        id="misspelt key of a provider",
    ),
    pytest.param(
        "providers: {shelf: {kind: local, folder: sk-value-of-the-operator}}\n",
        "1: providers.shelf",
        "the folder of documents does not exist",
        id="no such folder",
    ),
    pytest.param(
        "providers: {shelf: {kind: local, folder: ., hit_limit: 0}}\n",
        "1: providers.shelf.hit_limit",
        "must be at least 1",
        id="no hits",
    ),
    pytest.param(
        "providers: {shelf: {kind: local, api_key: sk-value-of-the-operator}}\n",
        "1: providers.shelf.api_key",
        "keys stand in the environment: name the variable as `api_key_env`",
        id="key in the file",
    ),
    pytest.param(
        PROVIDER.replace(":retriever", ":other"),
        "1: providers.shelf.use",
        "names no retriever, nor what makes one",
        id="no retriever",
    ),
    pytest.param(
        PROVIDER.replace(":retriever", ":broken"),
        "1: providers.shelf.use",
        "making the retriever failed with KeyError",
        id="failing retriever",
    ),
    pytest.param(
        PROVIDER.replace(":retriever", ":ends"),
        "1: providers.shelf.use",
        "making the retriever failed with SystemExit",
        id="retriever that ends the process",
    ),
    pytest.param(
        PROVIDER.replace(":retriever", ":odd"),
        "1: providers.shelf.use",
        "making the retriever failed with Odd",
        id="retriever with a strange error",
    ),
    pytest.param(
        PROVIDER.replace(":retriever", ":hollow"),
        "1: providers.shelf.use",
        "making the retriever failed with LookupError",
        id="retriever whose method fails",
    ),
    pytest.param(
        PROVIDER.replace("kind", 'user_ids: ["\\u200b"], kind'),
        "1: providers.shelf",
        "user_ids must be a list of names, none of them blank",
        id="invisible user",
    ),
    pytest.param(
        "providers: {shelf: {kind: ragflow, api_key_env: sk-value-of-the-operator}}\n",
        "1: providers.shelf.api_key_env",
        "must be the name of an environment variable that is set",
        id="key in the place of its name",
    ),
    pytest.param(
        f"providers: {{shelf: {{kind: ragflow, api_key_env: {'AB12' * 8}}}}}\n",
        "1: providers.shelf.api_key_env",
        "must be the name of an environment variable that is set",
        id="key of capitals",
    ),
    pytest.param(
        PROVIDER.replace("kind", "page_base: true, kind"),
        "1: providers.shelf.page_base",
        "must be a whole number",
        id="page base",
    ),
    pytest.param(
        PROVIDER.replace("kind", "user_ids: [' '], kind"),
        "1: providers.shelf",
        "user_ids must be a list of names, none of them blank",
        id="blank user",
    ),
    pytest.param(
        PROVIDER.replace("kind", "agent_names: [a], kind"),
        "1: providers.shelf.user_ids",
        "is missing: agents are bound together with users",
        id="agents without users",
    ),
]
