//! Families, faces and files.
#![allow(clippy::unwrap_used, reason = "test data is there")]

mod common;

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use common::{catalog, font, style};
use rondo_text::{Catalog, FaceFile, FontFile, FontFiles, Origin, Resolved, TextEngine, TextError, WrapMode};

#[test]
fn families_are_listed_with_their_weights() {
    let families = catalog().families();
    let inter = families.iter().find(|family| family.name == "Inter").unwrap();
    assert_eq!(inter.weights, [400, 500, 600, 700, 900]);
    assert_eq!(inter.italic_weights, [400, 700]);
    let names: Vec<_> = families.iter().map(|family| family.name.as_str()).collect();
    assert!(names.contains(&"Rubik Mono One") && names.is_sorted());
}

#[test]
fn a_missing_weight_takes_the_nearest_and_says_so() {
    let found = catalog().resolve("'space grotesk', sans-serif", 900, false);
    assert_eq!(
        found,
        Resolved {
            missing: None,
            family: "Space Grotesk".into(),
            weight: 700,
            italic: false,
            exact: false,
            available: ["400", "500", "600", "700"].map(String::from).into(),
        }
    );
    let italic = catalog().resolve("Inter", 900, true);
    assert_eq!((italic.weight, italic.italic, italic.exact), (700, true, false));
    assert!(catalog().resolve("Inter", 600, false).exact);
}

#[test]
fn an_unknown_family_falls_back_to_inter_and_is_named() {
    let found = catalog().resolve("Comic Neue, 'Papyrus'", 400, false);
    assert_eq!((found.missing.as_deref(), found.family.as_str()), (Some("Comic Neue"), "Inter"));
    let second = catalog().resolve("Comic Neue, Roboto", 400, false);
    assert_eq!((second.missing, second.family.as_str()), (None, "Roboto"));
    assert_eq!(catalog().resolve("font-mono", 400, false).family, "Roboto Mono");
    assert_eq!(catalog().resolve("", 400, false).missing, None);
}

#[test]
fn a_users_family_wins_over_the_bundled_one() {
    let mut catalog = Catalog::default();
    catalog.add(font("Inter-400.ttf"), Origin::Bundled).unwrap();
    catalog.add(font("Inter-700.ttf"), Origin::User).unwrap();
    assert_eq!(catalog.resolve("Inter", 400, false).weight, 700);
    let families = catalog.families();
    assert_eq!((families.len(), families[0].origin, &families[0].weights[..]), (1, Origin::User, &[700][..]));
}

#[test]
fn a_users_family_wins_over_the_one_that_stands_for_it() {
    let index = |family: &str| format!("face\t{family}\t400\tnormal\t-\t{family}.woff2\n");
    let mut catalog = Catalog::default();
    assert_eq!(catalog.resolve("Arial", 400, false).missing.as_deref(), Some("Arial"));
    catalog.add_index(&index("Arimo"), Origin::Bundled).unwrap();
    let found = catalog.resolve("Arial, Inter", 400, false);
    assert_eq!((found.missing, found.family.as_str()), (None, "Arimo"));
    assert_eq!(catalog.families()[0].aliases[..2], ["Arial", "Helvetica"]);
    catalog.add_index(&index("Arial"), Origin::User).unwrap();
    assert_eq!(catalog.resolve("ARIAL", 400, false).family, "Arial");
    let families = catalog.families();
    let arimo = families.iter().find(|family| family.name == "Arimo").unwrap();
    assert!(!arimo.aliases.contains(&"Arial") && arimo.aliases.contains(&"Helvetica"));
}

#[test]
fn a_family_that_can_be_installed_is_known_by_its_package() {
    let mut catalog = Catalog::default();
    catalog.add_installable(["alex-brush"]);
    assert!(catalog.is_installable("Alex Brush") && !catalog.is_installable("Alex"));
}

#[test]
fn a_list_lacks_what_can_be_installed_before_its_first_family() {
    let mut catalog = Catalog::default();
    catalog.add_installable(["alex-brush", "abel"]);
    catalog.add_index("face\tInter\t400\tnormal\t-\ta.woff2\n", Origin::Bundled).unwrap();
    for (families, lacking) in [
        ("Alex Brush, Unknown, 'Abel'", &["alex-brush", "abel"][..]),
        ("Unknown, abel, Inter, Alex Brush", &["abel"]),
        ("Inter, Alex Brush", &[]),
        ("sans-serif, Alex Brush", &[]),
    ] {
        assert_eq!(catalog.lacking(families), lacking, "{families}");
    }
}

#[test]
fn what_is_no_font_is_refused() {
    let mut catalog = Catalog::default();
    for bytes in [&b"hello, this is text"[..], b"", b"wOF2", b"wOFFxxxxxxxxxxxx"] {
        assert!(matches!(catalog.add(bytes.to_vec(), Origin::User), Err(TextError::NotAFont(_))));
    }
    let mut cut = font("Inter-400.ttf");
    cut.truncate(300);
    let _ = catalog.add(cut, Origin::User);
}

#[test]
fn a_small_woff_file_that_claims_large_tables_is_refused() {
    let mut woff = b"wOFF\0\x01\0\0".to_vec();
    woff.extend([0, 0, 0, 84, 0, 1, 0, 0]);
    woff.resize(44, 0);
    woff.extend(b"GSUB\0\0\0\x40\0\0\0\x14\xd3\xff\x17\xfc\0\0\0\0");
    woff.extend([0; 20]);
    let refused = Catalog::default().add(woff, Origin::User).unwrap_err();
    assert!(refused.to_string().contains("too large"), "{refused}");
}

#[test]
fn an_axis_whose_least_is_more_than_its_most_is_read_the_right_way_round() {
    let mut bytes = font("Archivo.ttf");
    let at = bytes.windows(8).position(|part| part == b"wght\0\x64\0\0").unwrap();
    let (least, most) = (100i32 << 16, 900i32 << 16);
    bytes[at + 4..at + 8].copy_from_slice(&most.to_be_bytes());
    bytes[at + 12..at + 16].copy_from_slice(&least.to_be_bytes());
    let mut catalog = Catalog::default();
    catalog.add(bytes, Origin::User).unwrap();
    let found = catalog.resolve("Archivo", 600, false);
    assert_eq!((found.weight, found.exact), (600, true));
}

/// Serves test fonts under index names and remembers what was asked for.
#[derive(Default)]
struct Shelf {
    asked: Mutex<Vec<String>>,
    count: AtomicUsize,
}

impl FontFiles for Shelf {
    fn load(&self, file: &str) -> FontFile {
        self.asked.lock().unwrap().push(file.into());
        self.count.fetch_add(1, Ordering::Relaxed);
        std::fs::read(common::testdata().join("fonts").join(file)).ok().into()
    }
}

const INDEX: &str = "range\tlatin\tU+0000-00FF\nrange\thebrew\tU+0590-05FF\nrange\tgreek\tU+0370-03FF\n\
    face\tInter\t400\tnormal\tlatin\tInter-400.ttf\n\
    face\tInter\t400\tnormal\thebrew\tNotoSansHebrew-400.ttf\n\
    face\tInter\t400\tnormal\tgreek\tabsent.ttf\n\
    face\tInter\t700\tnormal\tlatin\tInter-700.ttf\n";

#[test]
fn indexed_files_are_read_when_a_text_needs_them_and_once() {
    let shelf = Arc::new(Shelf::default());
    let mut catalog = Catalog::new(Some(shelf.clone()));
    catalog.add_index(INDEX, Origin::Bundled).unwrap();
    assert_eq!(catalog.families()[0].weights, [400, 700]);
    assert_eq!(shelf.count.load(Ordering::Relaxed), 0);
    let mut engine = TextEngine::new(Arc::new(catalog));
    engine.layout("abc", &style("Inter", 20.0), None, WrapMode::Wrap);
    engine.layout("abcd", &style("Inter", 30.0), None, WrapMode::Wrap);
    assert_eq!(*shelf.asked.lock().unwrap(), ["Inter-400.ttf"]);
}

#[test]
fn files_of_one_face_complete_each_other() {
    let mut catalog = Catalog::new(Some(Arc::new(Shelf::default())));
    catalog.add_index(INDEX, Origin::Bundled).unwrap();
    let mut engine = TextEngine::new(Arc::new(catalog));
    let layout = engine.layout("abc אבג", &style("Inter", 20.0), None, WrapMode::Wrap);
    let runs = &layout.lines[0].runs;
    assert!(runs.iter().flat_map(|run| &run.glyphs.glyphs).all(|glyph| glyph.id != 0));
    assert_ne!(runs[0].glyphs.font.key, runs.last().unwrap().glyphs.font.key);
    // A file that cannot be read leaves the box for missing glyphs, not nothing.
    let layout = engine.layout("α", &style("Inter", 20.0), None, WrapMode::Wrap);
    assert_eq!(layout.lines[0].runs[0].glyphs.glyphs[0].id, 0);
}

#[test]
fn the_core_set_has_inter_in_every_weight_from_regular_to_black() {
    let mut catalog = Catalog::default();
    let folder = common::testdata().join("../assets/fonts/core");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    for file in files.filter(|file| file.extension().is_some_and(|ext| ext == "woff2")) {
        catalog.add(std::fs::read(&file).unwrap(), Origin::Bundled).unwrap();
    }
    let families = catalog.families();
    let names: Vec<_> = families.iter().map(|family| family.name.as_str()).collect();
    assert_eq!(names, ["Inter", "Roboto Mono"]);
    assert_eq!(families[0].weights, [400, 500, 600, 700, 800, 900]);
    assert_eq!(families[0].italic_weights, families[0].weights);
}

#[test]
fn shared_han_characters_follow_the_language_of_the_whole_text() {
    let mut catalog = Catalog::new(Some(Arc::new(Shelf::default())));
    // Two weights of one file tell which family was taken.
    let index = "face\tNoto Sans JP\t400\tnormal\t-\tNotoSansJP-400.ttf\n\
        face\tNoto Sans SC\t400\tnormal\t-\tNotoSansJP-700.ttf\n";
    catalog.add_index(index, Origin::Bundled).unwrap();
    let mut engine = TextEngine::new(Arc::new(catalog));
    let mut font = |text: &str, part: std::ops::Range<usize>| {
        let layout = engine.layout_part(text, part, &style("Inter", 20.0));
        layout.lines[0].runs[0].glyphs.font.key
    };
    let (chinese, japanese) = (font("日本", 0..3), font("日本の", 0..3));
    assert_ne!(chinese, japanese);
    assert_eq!(japanese, font("日本の", 6..9));
}

#[test]
fn a_written_index_makes_the_same_catalogue() {
    let index = "origin\tbundled\nrange\t0\tU+0000-00FF,U+0131\nface\tInter\t400\tnormal\t0\ta.woff2\n\
        face\tInter\t100-900\titalic\t-\tb.woff2\nface\tInter\t700\tnormal\t0\tc.woff2\n\
        origin\tuser\nface\tInter\t400\tnormal\t-\td.ttc\t75-125\t2\n\
        face\tInter\t400\tnormal\t-\te.ttf\t75\t0\n";
    let name = |file: FaceFile<'_>| match file {
        FaceFile::Named(name, _) => name.to_owned(),
        FaceFile::Bytes(bytes) => format!("{} bytes", bytes.len()),
    };
    let mut catalog = Catalog::default();
    // An origin in the index wins over the one it is added with.
    catalog.add_index(index, Origin::User).unwrap();
    assert_eq!(catalog.write_index(name), index);
    let families = catalog.families();
    assert_eq!((families.len(), families[0].origin), (1, Origin::User));
    assert_eq!(families[0].weights, [400]);

    let mut catalog = Catalog::default();
    catalog.add(font("Inter-700.ttf"), Origin::User).unwrap();
    let size = font("Inter-700.ttf").len();
    let written = format!("origin\tuser\nface\tInter\t700\tnormal\t-\t{size} bytes\n");
    assert_eq!(catalog.write_index(name), written);
}

#[test]
fn a_browser_sets_text_with_the_faces_that_an_index_sends_it() {
    struct Sent(HashMap<String, Vec<u8>>);
    impl FontFiles for Sent {
        fn load(&self, file: &str) -> FontFile {
            self.0.get(file).cloned().into()
        }
    }
    let mut here = Catalog::new(Some(Arc::new(Shelf::default())));
    here.add_index(INDEX, Origin::Bundled).unwrap();
    here.add(font("Inter-700.ttf"), Origin::User).unwrap();
    let mut files = HashMap::new();
    let index = here.write_index(|file| {
        let bytes = match file {
            FaceFile::Named(name, _) => Shelf::default().load(name),
            FaceFile::Bytes(bytes) => FontFile::Bytes(bytes.to_vec()),
        };
        let name = format!("file-{}", files.len());
        if let FontFile::Bytes(bytes) = bytes {
            files.insert(name.clone(), bytes);
        }
        name
    });
    let mut there = Catalog::new(Some(Arc::new(Sent(files))));
    there.add_index(&index, Origin::Bundled).unwrap();
    assert_eq!(there.families(), here.families());
    let [mut here, mut there] = [here, there].map(|catalog| TextEngine::new(Arc::new(catalog)));
    for text in ["abc", "abc אבג", "α"] {
        let [here, there] = [&mut here, &mut there].map(|engine| {
            let layout = engine.layout(text, &style("Inter", 20.0), None, WrapMode::Wrap);
            let runs =
                layout.lines[0].runs.iter().map(|run| (run.glyphs.font.key, run.glyphs.glyphs.clone()));
            runs.collect::<Vec<_>>()
        });
        assert_eq!(here, there, "{text}");
    }
}
