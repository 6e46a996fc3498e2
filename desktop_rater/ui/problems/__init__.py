"""What the rules say of the rating at hand, and the ways out."""
