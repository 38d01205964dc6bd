"""Run the command line as `python -m knowledge_contract.cli`."""

from knowledge_contract.cli.entry import main

if __name__ == "__main__":
    main()
