"""What the site shows of the experiment log: its entries, the timeline and the feed."""
