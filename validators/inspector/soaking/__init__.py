"""Soaks: what a program compiles is called again, often and with other arguments."""
