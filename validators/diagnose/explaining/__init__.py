"""Which case explains a finding, and what follows from another finding."""
