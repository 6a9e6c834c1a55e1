"""The one reader of what torch prints: traces and logs become events, and events what broke."""
