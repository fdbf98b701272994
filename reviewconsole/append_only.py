"""Tables that take new rows and nothing else: the database itself refuses the rest.

A migration that rebuilds such a table on SQLite, as altering a column does there, drops
its triggers: it must `protect` the table again.
"""

from collections.abc import Mapping

__all__ = ["protect", "release"]

REFUSAL = "the mirror of the ledger is append-only"

_TRIGGERS: Mapping[str, Mapping[str, str]] = {
    "sqlite": {
        "no_update": """
            CREATE TRIGGER <table>_no_update BEFORE UPDATE ON <table>
            BEGIN SELECT RAISE(ABORT, '<refusal>'); END""",
        "no_delete": """
            CREATE TRIGGER <table>_no_delete BEFORE DELETE ON <table>
            BEGIN SELECT RAISE(ABORT, '<refusal>'); END""",
        # `INSERT OR REPLACE` deletes without asking a trigger, so a row that is there stays.
        "no_replace": """
            CREATE TRIGGER <table>_no_replace BEFORE INSERT ON <table>
            WHEN EXISTS (SELECT 1 FROM <table> t WHERE t.id = NEW.id OR <same>)
            BEGIN SELECT RAISE(IGNORE); END""",
    },
    "postgresql": {
        "no_change": """
            CREATE TRIGGER <table>_no_change BEFORE UPDATE OR DELETE ON <table>
            FOR EACH ROW EXECUTE FUNCTION reviewconsole_append_only()""",
        # Truncating asks no trigger of rows.
        "no_truncate": """
            CREATE TRIGGER <table>_no_truncate BEFORE TRUNCATE ON <table>
            FOR EACH STATEMENT EXECUTE FUNCTION reviewconsole_append_only()""",
    },
}

_FIRST: Mapping[str, list[str]] = {
    "sqlite": [],
    "postgresql": [
        """
            CREATE OR REPLACE FUNCTION reviewconsole_append_only() RETURNS trigger
            LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION '<refusal>'; END $$"""
    ],
}


def protect(vendor: str, table: str, *keys: tuple[str, ...]) -> list[str]:
    """The statements that make a table append-only; `keys` are its unique sets of columns.

    Raises `KeyError` for a database that nobody wrote triggers for: better no table than
    one that anybody may change.
    """
    same = " OR ".join(
        "(" + " AND ".join(f"t.{column} = NEW.{column}" for column in key) + ")" for key in keys
    )
    return [
        text.replace("<table>", table).replace("<refusal>", REFUSAL).replace("<same>", same).strip()
        for text in [*_FIRST[vendor], *_TRIGGERS[vendor].values()]
    ]


def release(vendor: str, table: str) -> list[str]:
    """The statements that take the triggers off again, as undoing the migration does."""
    on = f" ON {table}" if vendor == "postgresql" else ""
    return [f"DROP TRIGGER IF EXISTS {table}_{name}{on}" for name in _TRIGGERS[vendor]]
