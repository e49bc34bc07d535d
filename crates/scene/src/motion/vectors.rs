//! The published numbers, checked against every function of this folder.
