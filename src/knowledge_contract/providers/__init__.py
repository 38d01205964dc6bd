"""Where hits come from: each provider turns a search into a `RetrievalResult`."""
