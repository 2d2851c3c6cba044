"""Stands in for the published Python package of the same name where that is not installed.

It reads and writes `ledger_<id>.json` in the same form: what it does not know it keeps, an entry
that is added goes to the end, whatever cannot be read counts as empty. Only what the tests call is
here.
"""

import json
import re
from pathlib import Path

KNOWN_FOR_TURNS = 30


def normalize(concept):
    return re.sub(r"^(the|a|an|that|this|our|their|its)\s+", "", concept.lower().strip())


class Ledger:
    def __init__(self, session_id, ledger_dir):
        self.session_id = session_id
        self.path = Path(ledger_dir) / f"ledger_{session_id}.json"
        self.path.parent.mkdir(parents=True, exist_ok=True)
        try:
            self._data = json.loads(self.path.read_text())
        except (OSError, ValueError):
            self._data = {"session_id": session_id, "turn": 0, "entries": []}

    def save(self):
        self.path.write_text(json.dumps(self._data, indent=2))

    @property
    def turn(self):
        return self._data.get("turn", 0)

    @property
    def entries(self):
        return self._data.get("entries", [])

    def advance_turn(self):
        self._data["turn"] = self.turn + 1

    def stale_entries(self):
        return [entry for entry in self.entries if entry.get("stale")]

    def mark_all_stale(self):
        for entry in self.entries:
            entry["stale"] = True

    def add(self, concept, text, source="gap", score=1.0):
        canonical = normalize(concept)
        before = [entry for entry in self.entries if entry["canonical"] == canonical]
        self._data["entries"] = [entry for entry in self.entries if entry["canonical"] != canonical]
        self._data["entries"].append(
            {
                "concept": concept,
                "canonical": canonical,
                "text": text[:300],
                "source": source,
                "turn_injected": self.turn,
                "score": score,
                "reference_count": before[0]["reference_count"] + 1 if before else 1,
                "stale": False,
            }
        )

    def is_known(self, concept):
        """By the exact name alone: the package also compares words and trigrams."""
        fresh = (entry for entry in self.entries if self.turn - entry["turn_injected"] < KNOWN_FOR_TURNS)
        return any(entry["canonical"] == normalize(concept) for entry in fresh if not entry["stale"])

    def summary(self):
        stale = len(self.stale_entries())
        return {"turn": self.turn, "live": len(self.entries) - stale, "stale": stale, "total": len(self.entries)}
