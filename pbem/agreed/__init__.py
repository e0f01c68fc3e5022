"""What all must agree to: to take the game back, to call it a draw."""
