//! The languages known, one row each.

use super::lexer::{Dialect, Hole, Quote, Syntax};
use super::{Kind, Tokens, css, lexer, lines, markup};
use crate::nearest::{Lookup, look_up};

/// One row of the registry.
pub(crate) struct Language {
    pub name: &'static str,
    aliases: &'static [&'static str],
    family: Family,
}

/// How a language is read.
enum Family {
    Plain,
    Code(&'static Syntax),
    Html,
    Css,
    Yaml,
    Markdown,
    Diff,
}

impl Language {
    /// Adds the tokens of `code`, which starts at `at` of the whole text.
    pub(super) fn highlight(&self, code: &str, at: usize, tokens: &mut Tokens) {
        match self.family {
            Family::Plain => {}
            Family::Code(syntax) => lexer::highlight(code, at, syntax, tokens),
            Family::Html => markup::highlight(code, at, tokens),
            Family::Css => css::highlight(code, at, tokens),
            Family::Yaml => lines::yaml(code, at, tokens),
            Family::Markdown => lines::markdown(code, at, tokens),
            Family::Diff => lines::diff(code, at, tokens),
        }
    }
}

/// The language called `name`.
pub(crate) fn find(name: &str) -> Lookup<&'static Language> {
    look_up(name, LANGUAGES, |row, same| same(row.name) || row.aliases.iter().any(|alias| same(alias)))
}

/// Names of all languages, without aliases.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    LANGUAGES.iter().map(|l| l.name)
}

const fn code(name: &'static str, aliases: &'static [&'static str], syntax: &'static Syntax) -> Language {
    Language { name, aliases, family: Family::Code(syntax) }
}

const fn other(name: &'static str, aliases: &'static [&'static str], family: Family) -> Language {
    Language { name, aliases, family }
}

static LANGUAGES: &[Language] = &[
    code("tsx", &[], &TSX),
    code("jsx", &[], &JSX),
    code("ts", &["typescript", "mts", "cts"], &TS),
    code("js", &["javascript", "mjs", "cjs", "node"], &JSX),
    code("json", &["jsonc", "json5"], &JSON),
    other("html", &["xml", "svg", "markup", "xhtml"], Family::Html),
    other("css", &["scss", "less"], Family::Css),
    code("python", &["py", "python3"], &PYTHON),
    code("rust", &["rs"], &RUST),
    code("go", &["golang"], &GO),
    code("java", &[], &JAVA),
    code("kotlin", &["kt", "kts"], &KOTLIN),
    code("swift", &[], &SWIFT),
    code("c", &["h"], &C),
    code("cpp", &["c++", "cc", "cxx", "hpp"], &CPP),
    code("csharp", &["c#", "cs", "dotnet"], &CSHARP),
    code("php", &[], &PHP),
    code("ruby", &["rb"], &RUBY),
    code("sql", &["mysql", "postgresql", "sqlite"], &SQL),
    code("bash", &["sh", "shell", "zsh", "shellscript"], &BASH),
    other("yaml", &["yml"], Family::Yaml),
    code("toml", &["ini"], &TOML),
    other("markdown", &["md", "mdx"], Family::Markdown),
    code("graphql", &["gql"], &GRAPHQL),
    other("diff", &["patch"], Family::Diff),
    other("text", &["plain", "plaintext", "txt"], Family::Plain),
];

const SLASHES: &[&str] = &["//"];
const C_COMMENT: &[(&str, &str)] = &[("/*", "*/")];
const DOUBLE: Quote = Quote::line("\"", "\"");
const SINGLE: Quote = Quote::line("'", "'");
const CHAR: Quote = SINGLE.of(Kind::Char);
const TEMPLATE: Quote = Quote::block("`", "`").with(Hole::until("${", b'}'));
const TEXT_BLOCK: Quote = Quote::block("\"\"\"", "\"\"\"");

pub(super) const JSX: Syntax = Syntax {
    line_comments: SLASHES,
    block_comments: C_COMMENT,
    quotes: &[DOUBLE, SINGLE, TEMPLATE],
    keywords: "as async await break case catch class const continue debugger default delete do else export extends \
        false finally for from function get if import in instanceof let new null of return set static super switch \
        this throw true try typeof undefined var void while with yield",
    identifier: "$",
    types_are_capital: true,
    decorators: true,
    regex: true,
    dialect: Dialect::Jsx,
    ..Syntax::NONE
};

const TS_WORDS: &str = "abstract as asserts async await break case catch class const continue debugger declare default \
    delete do else enum export extends false finally for from function get if implements import in infer instanceof \
    interface is keyof let namespace new null of override private protected public readonly return satisfies set \
    static super switch this throw true try type typeof undefined var void while with yield";

const TSX: Syntax = Syntax {
    keywords: TS_WORDS,
    builtins: "any bigint boolean never number object string symbol unknown",
    ..JSX
};

const TS: Syntax = Syntax { dialect: Dialect::Common, ..TSX };

const JSON: Syntax = Syntax {
    line_comments: SLASHES,
    block_comments: C_COMMENT,
    quotes: &[DOUBLE],
    keywords: "true false null",
    dialect: Dialect::Json,
    ..Syntax::NONE
};

const PY_HOLE: Hole = Hole::until("{", b'}');
const PYTHON: Syntax = Syntax {
    line_comments: &["#"],
    quotes: &[
        TEXT_BLOCK.opening("f\"\"\"").with(PY_HOLE),
        Quote::block("'''", "'''").opening("f'''").with(PY_HOLE),
        DOUBLE.opening("f\"").with(PY_HOLE),
        SINGLE.opening("f'").with(PY_HOLE),
        TEXT_BLOCK.opening("r\"\"\""),
        DOUBLE.opening("rb\""),
        DOUBLE.opening("r\""),
        SINGLE.opening("r'"),
        DOUBLE.opening("b\""),
        SINGLE.opening("b'"),
        TEXT_BLOCK,
        Quote::block("'''", "'''"),
        DOUBLE,
        SINGLE,
    ],
    keywords: "and as assert async await break case class continue def del elif else except False finally for from \
        global if import in is lambda match None nonlocal not or pass raise return True try while with yield",
    builtins: "abs all any bool bytes callable chr dict dir divmod enumerate filter float format frozenset getattr \
        hasattr hash id input int isinstance issubclass iter len list map max min next object open ord pow print \
        property range repr reversed round self set setattr slice sorted staticmethod str sum super tuple \
        type vars zip",
    types_are_capital: true,
    decorators: true,
    ..Syntax::NONE
};

const RUST: Syntax = Syntax {
    line_comments: SLASHES,
    block_comments: C_COMMENT,
    quotes: &[
        Quote::block("br##\"", "\"##").raw(),
        Quote::block("br#\"", "\"#").raw(),
        Quote::block("r##\"", "\"##").raw(),
        Quote::block("r#\"", "\"#").raw(),
        Quote::block("r\"", "\"").raw(),
        Quote::block("b\"", "\""),
        Quote::block("\"", "\""),
    ],
    keywords: "as async await break const continue crate dyn else enum extern false fn for if impl in let loop match \
        mod move mut pub ref return self Self static struct super trait true type union unsafe use where while",
    builtins: "bool char f32 f64 i8 i16 i32 i64 i128 isize str u8 u16 u32 u64 u128 usize",
    types_are_capital: true,
    nested_comments: true,
    dialect: Dialect::Rust,
    ..Syntax::NONE
};

const GO: Syntax = Syntax {
    line_comments: SLASHES,
    block_comments: C_COMMENT,
    quotes: &[DOUBLE, CHAR, Quote::block("`", "`").raw()],
    keywords: "break case chan const continue default defer else fallthrough false for func go goto if import \
        interface iota map nil package range return select struct switch true type var",
    builtins: "any append bool byte cap clear close comparable complex64 complex128 copy delete error float32 float64 \
        int int8 int16 int32 int64 len make max min new panic print println recover rune string uint uint8 uint16 \
        uint32 uint64 uintptr",
    ..Syntax::NONE
};

const JAVA: Syntax = Syntax {
    line_comments: SLASHES,
    block_comments: C_COMMENT,
    quotes: &[TEXT_BLOCK, DOUBLE, CHAR],
    keywords: "abstract assert boolean break byte case catch char class const continue default do double else enum \
        extends false final finally float for if implements import instanceof int interface long native new null \
        package permits private protected public record return sealed short static strictfp super switch \
        synchronized this throw throws transient true try var void volatile while yield",
    types_are_capital: true,
    decorators: true,
    ..Syntax::NONE
};

const KOTLIN: Syntax = Syntax {
    line_comments: SLASHES,
    block_comments: C_COMMENT,
    quotes: &[
        TEXT_BLOCK.with(Hole::until("${", b'}')).variables(),
        DOUBLE.with(Hole::until("${", b'}')).variables(),
        CHAR,
    ],
    keywords: "abstract actual annotation as break by catch class companion const constructor continue crossinline \
        data do else enum expect external false final finally for fun get if import in infix init inline inner \
        interface internal is it lateinit noinline null object open operator out override package private protected \
        public reified return sealed set super suspend tailrec this throw true try typealias val value var vararg \
        when where while",
    types_are_capital: true,
    nested_comments: true,
    decorators: true,
    ..Syntax::NONE
};

const SWIFT: Syntax = Syntax {
    line_comments: SLASHES,
    block_comments: C_COMMENT,
    quotes: &[TEXT_BLOCK.with(Hole::until("\\(", b')')), DOUBLE.with(Hole::until("\\(", b')'))],
    keywords: "actor any as associatedtype async await break case catch class continue convenience default defer \
        deinit didSet do dynamic else enum extension fallthrough false fileprivate final for func get guard if import \
        in indirect init inout internal is lazy let mutating nil nonmutating open operator optional override private \
        protocol public repeat required rethrows return self Self set some static struct subscript super switch throw \
        throws true try typealias unowned var weak where while willSet",
    types_are_capital: true,
    nested_comments: true,
    decorators: true,
    preprocessor: true,
    ..Syntax::NONE
};

const C: Syntax = Syntax {
    line_comments: SLASHES,
    block_comments: C_COMMENT,
    quotes: &[DOUBLE, CHAR],
    keywords: "auto bool break case char const continue default do double else enum extern false float for goto if \
        inline int long register restrict return short signed sizeof static struct switch true typedef union \
        unsigned void volatile while NULL",
    builtins: "FILE int8_t int16_t int32_t int64_t intptr_t ptrdiff_t size_t ssize_t uint8_t uint16_t uint32_t \
        uint64_t uintptr_t",
    preprocessor: true,
    ..Syntax::NONE
};

const CPP: Syntax = Syntax {
    quotes: &[Quote::block("R\"(", ")\"").raw(), DOUBLE, CHAR],
    keywords: "alignas alignof auto bool break case catch char class co_await co_return co_yield concept const \
        consteval constexpr constinit const_cast continue decltype default delete do double dynamic_cast else enum \
        explicit export extern false final float for friend goto if inline int long mutable namespace new noexcept \
        nullptr operator override private protected public register reinterpret_cast requires return short signed \
        sizeof static static_assert static_cast struct switch template this thread_local throw true try typedef \
        typeid typename union unsigned using virtual void volatile wchar_t while",
    types_are_capital: true,
    ..C
};

const CSHARP: Syntax = Syntax {
    line_comments: SLASHES,
    block_comments: C_COMMENT,
    quotes: &[
        TEXT_BLOCK,
        Quote::block("$@\"", "\"").raw().with(Hole::until("{", b'}')),
        DOUBLE.opening("$\"").with(Hole::until("{", b'}')),
        Quote::block("@\"", "\"").raw(),
        DOUBLE,
        CHAR,
    ],
    keywords: "abstract as async await base bool break byte case catch char checked class const continue decimal \
        default delegate do double else enum event explicit extern false finally fixed float for foreach get global \
        goto if implicit in init int interface internal is lock long namespace new null object operator out override \
        params partial private protected public readonly record ref required return sbyte sealed set short sizeof \
        stackalloc static string struct switch this throw true try typeof uint ulong unchecked unsafe ushort using \
        var virtual void volatile when where while with yield",
    types_are_capital: true,
    functions_are_capital: true,
    preprocessor: true,
    ..Syntax::NONE
};

const PHP: Syntax = Syntax {
    line_comments: &["//", "#"],
    block_comments: C_COMMENT,
    quotes: &[DOUBLE.with(Hole::until("{$", b'}')).variables(), Quote::block("'", "'")],
    keywords: "abstract and array as bool break callable case catch class clone const continue declare default do \
        echo else elseif empty enum extends false final finally float fn for foreach function global goto if \
        implements include include_once instanceof insteadof int interface isset iterable list match mixed namespace \
        never new null object or parent print private protected public readonly require require_once return self \
        static string switch this throw trait true try unset use var void while xor yield",
    variables: true,
    types_are_capital: true,
    ignores_case: true,
    marks: &["<?php", "<?=", "?>"],
    ..Syntax::NONE
};

const RUBY: Syntax = Syntax {
    line_comments: &["#"],
    block_comments: &[("=begin", "=end")],
    quotes: &[
        Quote::block("\"", "\"").with(Hole::until("#{", b'}')),
        Quote::block("'", "'"),
        TEMPLATE.with(Hole::until("#{", b'}')),
    ],
    keywords: "alias and BEGIN begin break case class def defined do else elsif END end ensure extend false for if in \
        include module next nil not or private protected public raise redo require require_relative rescue retry \
        return self super then true undef unless until when while yield attr_accessor attr_reader attr_writer",
    identifier: "?!",
    types_are_capital: true,
    regex: true,
    dialect: Dialect::Ruby,
    ..Syntax::NONE
};

const SQL: Syntax = Syntax {
    line_comments: &["--"],
    block_comments: C_COMMENT,
    quotes: &[
        Quote::block("'", "'").raw(),
        Quote::block("\"", "\"").raw().of(Kind::Property),
        Quote::line("`", "`").raw().of(Kind::Property),
    ],
    keywords: "add after all alter analyze and any as asc auto_increment begin between by cascade case check collate \
        column commit conflict constraint create cross cube current database declare default delete desc distinct do \
        drop else end escape except exists explain extension false fetch first for foreign from full function grant \
        group having if ilike in index inner insert intersect interval into is join key last lateral left like limit \
        materialized natural next not nothing null nulls of offset on only or order outer over partition primary \
        procedure range recursive references replace returning revoke right rollback row rows schema select set some \
        table temporary then to transaction trigger true truncate union unique update using values view when where \
        window with without",
    builtins: "bigint bigserial binary bit blob bool boolean bytea char date datetime decimal double enum float int \
        integer json jsonb numeric precision real serial smallint text time timestamp timestamptz tinyint uuid varchar",
    ignores_case: true,
    ..Syntax::NONE
};

const BASH: Syntax = Syntax {
    line_comments: &["#"],
    quotes: &[
        Quote::block("$'", "'"),
        Quote::block("\"", "\"").with(Hole::until("$(", b')')).variables(),
        Quote::block("'", "'").raw(),
    ],
    keywords: "case do done elif else esac export fi for function if in local readonly return select then until while",
    builtins: "alias break cd continue declare echo eval exec exit false printf pwd read set shift source test trap \
        true type ulimit umask unset wait",
    identifier: "-./",
    variables: true,
    dialect: Dialect::Shell,
    ..Syntax::NONE
};

const TOML: Syntax = Syntax {
    line_comments: &["#"],
    quotes: &[TEXT_BLOCK, Quote::block("'''", "'''").raw(), DOUBLE, SINGLE.raw()],
    keywords: "true false inf nan",
    identifier: "-",
    dialect: Dialect::Toml,
    ..Syntax::NONE
};

const GRAPHQL: Syntax = Syntax {
    line_comments: &["#"],
    quotes: &[TEXT_BLOCK, DOUBLE],
    keywords: "directive enum extend false fragment implements input interface mutation null on query repeatable \
        scalar schema subscription true type union",
    builtins: "Boolean Float ID Int String",
    types_are_capital: true,
    variables: true,
    decorators: true,
    ..Syntax::NONE
};
