//! Accounts, keys, credits, projects, templates, renders, tasks, uploads, previews and webhooks: SQL on SQLite and PostgreSQL. Knows nothing of HTTP.
