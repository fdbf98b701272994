"""An agent that records through the record system and is killed before it does anything else.

    python tests/browser/dies.py PROJECT

The environment names the graph. It records a document and a decision on it, changes
the document, and is gone.
"""

import os
import signal
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from graphstore import ConversationHistory, DecisionTraces, Documents, Settings, connect
from graphstore.ids import evidence_id, named_id, sha256
from graphstore.records import DocumentSupportInput

TEXT = "A parcel above 30 kg travels on a pallet."


def main() -> None:
    """Record, change, die."""
    project = sys.argv[1]
    store = connect(Settings.from_env(os.environ))
    key = f"{project}-parcels"
    documents = Documents(store, project_id=project, agent_id="doomed-agent")
    documents.put_document(key, TEXT, title="Parcels")
    history = ConversationHistory(store, project_id=project, agent_id="doomed-agent")
    history.create_task("parcels", "Find out what travels on a pallet.")
    cited = evidence_id(named_id("Document", key), sha256(TEXT), 0, len(TEXT))
    traces = DecisionTraces(store, project_id=project, agent_id="doomed-agent")
    traces.record_decision(
        "parcels",
        "pallet",
        "Pallets above 30 kg.",
        "The rule says so.",
        supports=[DocumentSupportInput(evidence_id=cited)],
        fetched_evidence=documents.fetch_evidence([cited], scope=frozenset({key})),
    )
    documents.put_document(key, TEXT.replace("30", "25"), title="Parcels")
    os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    main()
