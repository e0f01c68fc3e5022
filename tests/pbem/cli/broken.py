"""A package of rules that cannot be imported."""

raise RuntimeError("half installed")
