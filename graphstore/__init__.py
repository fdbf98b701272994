"""Recorded work of AI agents: tasks, events, decisions with their evidence, and their review.

Opens a graph with `connect` and works on it through four classes, which share
it with the reference library. No Django in here: a Python program without the
console is a first-class writer.
"""

from graphstore.connecting import connect
from graphstore.decisions import DecisionTraces
from graphstore.documents import Documents
from graphstore.history import ConversationHistory
from graphstore.operations.record_events import NewEvent
from graphstore.retention import HistoryRetention
from graphstore.settings import Settings
from graphstore.store import GraphStore, counting

__all__ = [
    "ConversationHistory",
    "DecisionTraces",
    "Documents",
    "GraphStore",
    "HistoryRetention",
    "NewEvent",
    "Settings",
    "connect",
    "counting",
]
