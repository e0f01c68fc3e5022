"""The referee's word: rulings, appeals, resignations, and the notices that tell of them."""
