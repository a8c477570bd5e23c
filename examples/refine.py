"""Refinement in your own loop: what failed is contrasted with what worked, and plans are formed."""

from pathlib import Path
from tempfile import mkdtemp

from macla.adapters.session import LibrarySession
from macla.procedures.library.library import Library
from macla.procedures.proposals.policy import submit
from macla.procedures.refinement.refinery import Refinery

folder = Path(mkdtemp()) / "library"
Library.create(folder, domain="mill", embedding="static")
with LibrarySession.open(folder) as session:

    def put_forward(proposal):
        return submit(session.library, session.ledger, proposal, "auto")

    refinery = Refinery.of(session.library, session.ledger, put_forward)
    # Play with MaclaContext(..., ledger=session.ledger, refinery=refinery).
    print("proposed:", refinery.propose([]), "new plans:", refinery.form())
