"""What DeerFlow's plugin tells operators to write."""

# Byte for byte what the plugin's page says.
BLOCK = """\
plugins:
  - use: deerflow_extension_lightrag:install
    enabled: true
    required: true
    config:
      base_url: https://lightrag.example.com
      api_key_env: LIGHTRAG_API_KEY
      user_ids: ["YOUR_DEERFLOW_USER_ID"]
      # Optional exact current executors, including allowed subagents:
      agent_names: ["lead_agent", "researcher"]
      top_k: 20
      timeout: 30
knowledge_base:
  enabled: true
tool_groups:
  - name: knowledge
tools:
  - name: entity_relations_search
    group: knowledge
    use: deerflow.knowledge.tools:entity_relations_search_tool
    provider: lightrag-relations
  # Optional document search using the same authorized connection:
  - name: knowledge_search
    group: knowledge
    use: deerflow.knowledge.tools:knowledge_search_tool
    provider: lightrag-relations
"""
