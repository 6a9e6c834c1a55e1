"""What a diagnosis finds, as data, with words for it, and by what it is known again.

In: nothing, as these are the types. Out: findings, places, and words for them.
Imports: no other room.
"""
