"""Fixes: verified call by call, judged by what was measured, and tried on the target itself."""
