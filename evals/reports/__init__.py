"""Reports: results as intervals, tables, plots and pages.

Begin with :mod:`.report`.
"""
