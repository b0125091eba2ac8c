"""`python -m hotdice` is `hotdice`."""

import sys

from hotdice.cli import main

sys.exit(main())
