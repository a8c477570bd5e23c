"""Procedural memory inside LangChain and LangGraph agents.

Needs the extra ``langchain`` for the middleware; the rest needs ``langchain-core`` alone.
"""
