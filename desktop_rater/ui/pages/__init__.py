"""Web pages beside the task: link list, reader, live view, evidence and context documents."""
