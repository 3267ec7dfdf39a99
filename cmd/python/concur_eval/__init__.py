"""concur: self-consistency evaluation and a regression gate for agents.

Examples write `import concur_eval as concur`, because another package on PyPI has the name concur.
"""

from ._binary import ConcurError, binary

__all__ = ["ConcurError", "binary"]
