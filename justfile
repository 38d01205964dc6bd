# Run as `uv run just RECIPE`: uv installs the Python side, the recipes do the rest.

set positional-arguments

# List the recipes.
[private]
default:
    @just --list --unsorted

# Install and build everything; costs nothing when nothing changed.
setup:
    @python scripts/web_build.py

# Show the main job on packaged documents, offline.
demo *ARGS: setup
    @knowledge-contract demo "$@"

# Run every check that this machine can; ARGS go to pytest.
test *ARGS:
    @python scripts/run_tests.py "$@"

# Find bugs and style slips.
lint:
    ruff check
    ruff format --check

# Mend style slips.
format:
    ruff check --fix
    ruff format

# Check types.
types:
    mypy

# Write everything that is generated from the contract.
generate:
    @knowledge-contract generate

# Compare the generated files with the contract.
check:
    @knowledge-contract check

# Judge N sampled documents with the Python and TypeScript readers.
fuzz N="100000": setup
    @python tests/conformance/fuzz.py "$@"

# Check a real RAGFlow server, read-only; says which environment variables it needs.
live-ragflow *ARGS:
    @pytest -m live tests/live/ragflow_server.py "$@"

# Check a real LightRAG server, read-only; says which environment variables it needs.
live-lightrag *ARGS:
    @pytest -m live tests/test_knowledge_contract_live.py "$@"

# Run one benchmark, side by side with its peers.
bench NAME *ARGS: setup
    @name=$1; shift; python "benchmarks/$name.py" "$@"

# Install a plugin from its folder, and print what to add to the host's configuration.
extension-install SOURCE:
    @EXTENSION_CALLED_FROM={{ quote(invocation_directory()) }} python scripts/install_extension.py "$@"

# Change the reader and the boundary in hundreds of ways, and see that a test notices each.
mutate:
    @uv run --no-sync --with mutmut==3.8.1 python scripts/mutate.py

# Build the source distribution and the wheel into dist/.
build: setup
    python -m build --no-isolation

# Remove everything that was installed, built or cached, but for the Python environment.
clean:
    rm -rf dist src/web/node_modules src/knowledge_contract/_web
    rm -rf .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache .servers
