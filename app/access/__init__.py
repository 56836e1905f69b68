"""Who may do what: keys, their scopes, and how often each may ask."""
