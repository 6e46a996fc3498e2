"""Help with writing: earlier texts, text blocks and spelling."""
