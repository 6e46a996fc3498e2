"""The claims of a target: proposals, the list, and the label that they give the target."""
