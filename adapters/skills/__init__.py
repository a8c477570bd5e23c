"""Skills, folders with a ``SKILL.md`` (agentskills.io): what was learned, for any agent to read."""

from __future__ import annotations

from .skill import DOCUMENT, Skill, skill_of
from .skill_exchange import Imported, export_skills, import_skills, skills_in

__all__ = [
    "DOCUMENT",
    "Imported",
    "Skill",
    "export_skills",
    "import_skills",
    "skill_of",
    "skills_in",
]
