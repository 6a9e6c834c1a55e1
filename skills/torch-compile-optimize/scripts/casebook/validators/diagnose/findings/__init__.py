"""What a diagnosis finds, as data, with words for it, and by what it is known again."""
