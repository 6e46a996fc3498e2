"""A team's hub: where bundles come from and results go. A folder, a WebDAV server, or an object store."""
