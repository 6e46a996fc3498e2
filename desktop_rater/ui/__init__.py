"""The window. This floor and `app` alone know Qt; nothing here touches the store but through `perform`."""
