//! What tokens of ordinary code are taken for, and that any input is read.
#![allow(clippy::unwrap_used, reason = "what the tests build is there")]

use super::*;

/// Asserts the kind of the first place where each stretch appears.
#[track_caller]
fn reads(language: &str, code: &str, expected: &[(&str, Kind)]) {
    let tokens = highlight(code, find(language).known().unwrap());
    for (stretch, kind) in expected {
        let at = code.find(stretch).unwrap();
        let found = tokens.iter().find(|t| t.range.contains(&at)).map_or(Kind::Plain, |t| t.kind);
        assert_eq!(found, *kind, "{stretch} in {code}");
    }
}

#[test]
fn words_strings_numbers_and_calls_are_distinguished() {
    let code = "// note\nconst total = sum(0x1F, \"a\\\"b\") + PRICE; class Cart extends Base {}";
    reads(
        "js",
        code,
        &[
            ("// note", Kind::Comment),
            ("const", Kind::Keyword),
            ("total", Kind::Plain),
            ("sum", Kind::Function),
            ("0x1F", Kind::Number),
            ("b\")", Kind::String),
            ("+", Kind::Operator),
            ("PRICE", Kind::Constant),
            (";", Kind::Punctuation),
            ("Cart", Kind::ClassName),
            ("Base", Kind::ClassName),
        ],
    );
}

#[test]
fn elements_in_code_have_tags_attributes_text_and_code() {
    let code =
        "return <Card title={`Hi ${name}`} big>if <b class=\"x\">so</b> {a < b && <i/>}</Card>;\nlet x;";
    reads(
        "tsx",
        code,
        &[
            ("Card", Kind::ClassName),
            ("title", Kind::AttrName),
            ("Hi", Kind::String),
            ("name", Kind::Plain),
            ("big", Kind::AttrName),
            ("if", Kind::Plain),
            ("b class", Kind::Tag),
            ("\"x\"", Kind::AttrValue),
            ("< b", Kind::Operator),
            ("i/", Kind::Tag),
            ("let", Kind::Keyword),
        ],
    );
}

#[test]
fn a_slash_divides_after_a_value_and_opens_a_regular_expression_elsewhere() {
    reads("js", "a / b / c", &[("/ b", Kind::Operator)]);
    reads("js", "x = /a[/]b/g", &[("/a", Kind::Char), ("]b", Kind::Char)]);
}

#[test]
fn holes_in_strings_are_code() {
    reads(
        "python",
        "f\"a {len(x)} {{b}}\"",
        &[("a ", Kind::String), ("len", Kind::Builtin), ("b}", Kind::String)],
    );
    reads("swift", "\"n \\(a + 1) m\"", &[("1", Kind::Number), ("m", Kind::String)]);
    reads("kotlin", "\"$name is ${a.size}\"", &[("$name", Kind::Variable), ("is", Kind::String)]);
    reads("ruby", "\"a #{:b} c\"", &[(":b", Kind::String), ("#{", Kind::Punctuation), ("c\"", Kind::String)]);
}

#[test]
fn rust_has_lifetimes_attributes_macros_and_raw_strings() {
    let code = "#[derive(Debug)]\nfn f<'a>(x: &'a str) { /* a /* b */ c */ dbg!('x', r#\"q\"q\"#); }";
    reads(
        "rust",
        code,
        &[
            ("derive", Kind::AttrName),
            ("f<", Kind::Function),
            ("'a", Kind::Keyword),
            ("str", Kind::Builtin),
            ("c */", Kind::Comment),
            ("dbg!", Kind::Function),
            ("'x'", Kind::Char),
            ("q\"#", Kind::String),
        ],
    );
}

#[test]
fn sql_does_not_mind_case_and_doubles_quotes() {
    let code = "select Count(*) FROM t WHERE a = 'it''s' -- x";
    reads(
        "sql",
        code,
        &[
            ("select", Kind::Keyword),
            ("Count", Kind::Function),
            ("FROM", Kind::Keyword),
            ("s' ", Kind::String),
            ("-- x", Kind::Comment),
        ],
    );
}

#[test]
fn a_shell_has_commands_options_and_variables() {
    let code = "NAME=${1:-x}\nfor f in a; do grep -v \"$f\" | ./run.sh; done # end";
    reads(
        "bash",
        code,
        &[
            ("NAME", Kind::Variable),
            ("${1", Kind::Variable),
            ("f in", Kind::Plain),
            ("grep", Kind::Function),
            ("-v", Kind::Variable),
            ("$f", Kind::Variable),
            ("./run", Kind::Function),
            ("# end", Kind::Comment),
        ],
    );
}

#[test]
fn documents_hold_scripts_and_styles() {
    let code = "<!-- c --><style>p { color: red }</style><script>let a</script><p id=\"q\">let &amp;</p>";
    reads(
        "html",
        code,
        &[
            ("<!--", Kind::Comment),
            ("style", Kind::Tag),
            ("p {", Kind::Selector),
            ("color", Kind::AttrName),
            ("let a", Kind::Keyword),
            ("id", Kind::AttrName),
            ("\"q\"", Kind::AttrValue),
            ("let &", Kind::Plain),
            ("&amp;", Kind::Char),
        ],
    );
}

#[test]
fn style_sheets_have_selectors_properties_and_values() {
    let code = "@media (max-width: 9px) { .a:hover { margin: -2em auto; color: rgb(1, 2, 3) !important } }";
    reads(
        "css",
        code,
        &[
            ("@media", Kind::Keyword),
            ("9px", Kind::Number),
            (".a:hover", Kind::Selector),
            ("margin", Kind::AttrName),
            ("-2em", Kind::Number),
            ("auto", Kind::String),
            ("rgb", Kind::Function),
            ("!important", Kind::Keyword),
        ],
    );
}

#[test]
fn data_has_keys_and_values() {
    reads(
        "json",
        "{\"a\": \"b\", \"c\": null}",
        &[("\"a\"", Kind::Property), ("\"b\"", Kind::String), ("null", Kind::Keyword)],
    );
    reads(
        "toml",
        "[t.u]\nk-1 = '''x'''\nd = 1979-05-27",
        &[("t.u", Kind::ClassName), ("k-1", Kind::Property), ("x", Kind::String), ("-27", Kind::Number)],
    );
    let yaml = "# c\na: 1.5\nb: |\n  key: no\nd: [yes, e]\n- f: g # h";
    reads(
        "yaml",
        yaml,
        &[
            ("# c", Kind::Comment),
            ("a:", Kind::Property),
            ("1.5", Kind::Number),
            ("key", Kind::String),
            ("yes", Kind::Keyword),
            ("f:", Kind::Property),
            ("# h", Kind::Comment),
        ],
    );
}

#[test]
fn prose_queries_and_differences_are_read() {
    let text = "# Title\na `code` **b**\n```rust\nfn x() {}\n```\n";
    reads(
        "markdown",
        text,
        &[
            ("# T", Kind::Keyword),
            ("`code", Kind::String),
            ("**b", Kind::Keyword),
            ("fn", Kind::Keyword),
            ("a ", Kind::Plain),
        ],
    );
    reads(
        "graphql",
        "query Q($id: ID!) @x { a }",
        &[("query", Kind::Keyword), ("$id", Kind::Variable), ("@x", Kind::Function)],
    );
    reads(
        "diff",
        "--- a\n+++ b\n@@ 1 @@\n-old\n+new\n same",
        &[
            ("---", Kind::Keyword),
            ("@@", Kind::Changed),
            ("-old", Kind::Deleted),
            ("+new", Kind::Inserted),
            (" same", Kind::Plain),
        ],
    );
}

#[test]
fn any_text_is_read_in_every_language_with_tokens_in_order() {
    let odd = [
        "<",
        "/*",
        "/[",
        "`${",
        "f\"{",
        "\"",
        "'",
        "[[",
        "[",
        "](",
        "<a ",
        "{{",
        "#[",
        "$",
        "@",
        "é\u{301}",
        "\\",
        "&",
        "- ",
        "a: ",
        "\n",
        " #",
        "'\\",
        "r#\"",
        "```",
        ":",
        "=begin",
    ];
    let mixed: String = (0..6000).map(|i: usize| odd[(i * i + i / 7) % odd.len()]).collect();
    let repeated = odd.iter().map(|o| o.repeat(20_000 / o.len()));
    for code in repeated.chain([mixed]) {
        for name in names() {
            let tokens = highlight(&code, find(name).known().unwrap());
            let mut end = 0;
            for token in tokens {
                assert!(token.range.start >= end && token.range.end <= code.len(), "{name}");
                assert!(code.get(token.range.clone()).is_some(), "{name} cuts a character");
                end = token.range.end;
            }
        }
    }
}

#[test]
fn languages_are_found_by_their_common_names() {
    for (alias, name) in [
        ("TypeScript", "ts"),
        ("py", "python"),
        ("C++", "cpp"),
        ("c#", "csharp"),
        ("sh", "bash"),
        ("yml", "yaml"),
    ] {
        assert_eq!(find(alias).known().unwrap().name, name);
    }
    assert!(find("klingon").known().is_none());
}
