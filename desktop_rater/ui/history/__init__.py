"""What was done in a task: undo, redo, and its revisions."""
