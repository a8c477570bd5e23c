"""Contrastive refinement: from executions that worked and failed to changes of what is known."""
