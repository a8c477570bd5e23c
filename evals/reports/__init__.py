"""Reports: results as intervals, tables, plots and pages (``report.py``)."""
