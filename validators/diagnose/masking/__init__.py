"""What must not leave a machine: folders, names and secrets in any text that goes out.

In: any text that goes out. Out: the same without folders, names and secrets.
Imports: no other room.
"""
