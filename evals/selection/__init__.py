"""Choosing among rivals: libraries with several procedures for one goal, some good, some not."""
