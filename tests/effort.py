"""How much the tests try: little by default, all of it with MACLA_MANY=1."""

from __future__ import annotations

import os

MANY = bool(os.environ.get("MACLA_MANY"))
