//! The service: HTTP, pages, render workers, webhook deliveries and the guarded outgoing client. Knows nothing of SQL and pixels.
