//! Calls the tools of the MCP server with any arguments.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| rondo_fuzz::call_tool(bytes));
