"""Tests of the packages on a fake Triton, without any wheel.

`python3 -m unittest discover -s scripts/tests -t scripts` runs them.
"""
