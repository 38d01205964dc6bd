"""Only the bound users and agents get through; the match is exact, and nobody is named."""

import asyncio
from typing import Any

import pytest

from counting_provider import RELATING, CountingProvider
from knowledge_contract.errors import ProviderError
from knowledge_contract.providers.binding import BoundProvider, build_binding, require_bound
from knowledge_contract.retrieval import RetrievalContext

BINDING = build_binding(["Ada", " Bo "], ["lead_agent", "researcher"])


@pytest.mark.parametrize(
    ("user", "agent"),
    [("Ada", "lead_agent"), ("Ada", "researcher"), (" Bo ", "lead_agent")],
    ids=["lead", "researcher", "spaces"],
)
def test_bound_user_and_agent_search(user: str, agent: str) -> None:
    require_bound("shelf", BINDING, RetrievalContext(user, agent))


@pytest.mark.parametrize(
    ("context", "reason"),
    [
        pytest.param(None, "names no user", id="no context"),
        pytest.param(("Ada", "lead_agent"), "names no user", id="tuple"),
        pytest.param({"user_id": "Ada"}, "names no user", id="dict"),
        pytest.param(RetrievalContext(agent_name="lead_agent"), "names no user", id="no user"),
        pytest.param(RetrievalContext("ada", "lead_agent"), "this user", id="other case"),
        pytest.param(RetrievalContext("Ada ", "lead_agent"), "this user", id="blank behind"),
        pytest.param(RetrievalContext("Bo", "lead_agent"), "this user", id="trimmed"),
        pytest.param(RetrievalContext("", "lead_agent"), "this user", id="empty"),
        pytest.param(RetrievalContext("Ada"), "this agent", id="no agent"),
        pytest.param(RetrievalContext("Ada", "Lead_agent"), "this agent", id="agent's case"),
    ],
)
def test_others_are_refused_without_being_named(context: object, reason: str) -> None:
    with pytest.raises(ProviderError, match=f"^shelf: .*{reason}") as caught:
        require_bound("shelf", BINDING, context)

    assert "Ada" not in str(caught.value)


def test_without_a_list_every_agent_may_search() -> None:
    require_bound("shelf", build_binding(["Ada"]), RetrievalContext("Ada", "anyone"))


@pytest.mark.parametrize(
    ("users", "agents"),
    [([], None), (["Ada", " "], None), ("Ada", None), ([7], None), (["Ada"], []), (["Ada"], [""])],
    ids=["no user", "blank", "text", "number", "no agent", "blank agent"],
)
def test_binding_of_nobody_is_refused(users: Any, agents: Any) -> None:
    with pytest.raises(ValueError, match=r"must be a list of names") as caught:
        build_binding(users, agents)

    assert "Ada" not in str(caught.value)


@pytest.mark.parametrize("method", ["search", "search_relations"])
def test_nothing_reaches_the_provider_inside_before_the_binding_agrees(method: str) -> None:
    inside = CountingProvider(operations=RELATING)
    provider = BoundProvider(provider=inside, binding=BINDING)

    with pytest.raises(ProviderError):
        asyncio.run(getattr(provider, method)("tea", context=RetrievalContext("Eve")))
    refused = len(inside.requests)
    asyncio.run(getattr(provider, method)("tea", context=RetrievalContext("Ada", "researcher")))

    assert (refused, len(inside.requests)) == (0, 1)
    assert (provider.name, provider.capabilities) == ("shelf", inside.capabilities)


def test_representation_names_nobody() -> None:
    assert repr(BINDING) == "Binding(users=2, agents=2)"
