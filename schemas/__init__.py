"""JSON Schemas (draft 2020-12): the contract of every file that macla reads or writes."""
