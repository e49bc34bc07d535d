//! SVG files: parsed once, rasterised at the size they are shown at. Nothing outside the file is read.

use std::iter::successors;
use std::sync::Arc;

use resvg::tiny_skia::{Pixmap, Point, Transform};
use resvg::usvg::fontdb::{Database, Source};
use resvg::usvg::{
    self, Group, ImageHrefResolver, Node, Options, Paint, Path, Rect, Size, Tree, filter, roxmltree,
};
use rondo_pixels::{Bitmap, Picture};

use super::bitmap::check_size;
use super::{ImageKind, sniff_image, unusable};
use crate::ImageError;

/// Elements a file may have, and how deep they may nest.
const MAX_NODES: u32 = 250_000;
const MAX_DEPTH: usize = 256;

/// Farthest coordinate of a path in pixels of the drawn picture. The rasterizer computes in fixed point: beyond 10 million, paths take
/// minutes, or end the process by a panic within a panic.
const FARTHEST: f32 = 1e6;

/// How deep SVG files may be embedded in one another.
const MAX_EMBEDDING: u32 = 2;

/// Stack size for the deepest document that `use` elements can build within [`MAX_DEPTH`].
#[cfg(not(target_family = "wasm"))]
const STACK_BYTES: usize = 128 << 20;

/// Font files that text inside SVG pictures may use; without any, such text is not drawn.
#[derive(Clone, Debug, Default)]
pub struct SvgFonts {
    database: Arc<Database>,
}

impl SvgFonts {
    /// `files` are whole TrueType/OpenType files; the first one serves text whose family is missing.
    pub fn new(files: impl IntoIterator<Item = Arc<[u8]>>) -> Self {
        let mut database = Database::new();
        for file in files {
            database.load_font_source(Source::Binary(Arc::new(file)));
        }
        let first =
            database.faces().next().and_then(|face| face.families.first()).map(|(name, _)| name.clone());
        if let Some(family) = first {
            database.set_serif_family(&family);
            database.set_sans_serif_family(&family);
            database.set_monospace_family(&family);
            database.set_cursive_family(&family);
            database.set_fantasy_family(&family);
        }
        Self { database: Arc::new(database) }
    }
}

/// A parsed SVG file.
#[derive(Clone, Debug)]
pub struct SvgImage {
    /// Intrinsic size in whole pixels.
    pub width: u32,
    pub height: u32,
    name: String,
    tree: Arc<Tree>,
}

impl SvgImage {
    /// Rasterises the picture stretched to `width` × `height`.
    pub fn render(&self, width: u32, height: u32) -> Result<Picture, ImageError> {
        self.rasterise(width, height).map_err(|reason| unusable(&self.name, reason))
    }

    fn rasterise(&self, width: u32, height: u32) -> Result<Picture, String> {
        check_size(width, height)?;
        let intrinsic = self.tree.size();
        let stretch =
            Transform::from_scale(width as f32 / intrinsic.width(), height as f32 / intrinsic.height());
        let pixels = on_deep_stack(|| {
            if !are_near(self.tree.root(), stretch) {
                return Err("coordinates of the SVG are too large");
            }
            let mut pixmap = Pixmap::new(width, height).ok_or("there is not enough memory to draw it")?;
            resvg::render(&self.tree, stretch, &mut pixmap.as_mut());
            Ok(pixmap.take())
        })??;
        let bitmap = Bitmap { width, height, pixels };
        let opaque = bitmap.is_opaque();
        Ok(Picture::new(bitmap, opaque))
    }
}

pub(super) fn parse(bytes: &[u8], name: &str, fonts: &SvgFonts) -> Result<SvgImage, String> {
    let tree = on_deep_stack(|| parse_tree(bytes, fonts, 0))??;
    let width = tree.size().width().round().max(1.0) as u32;
    let height = tree.size().height().round().max(1.0) as u32;
    check_size(width, height)?;
    Ok(SvgImage { width, height, name: name.to_owned(), tree: Arc::new(tree) })
}

fn parse_tree(bytes: &[u8], fonts: &SvgFonts, embedding: u32) -> Result<Tree, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| "the SVG is not written in UTF-8")?;
    let limits = roxmltree::ParsingOptions {
        allow_dtd: true,
        nodes_limit: MAX_NODES,
        ..roxmltree::ParsingOptions::default()
    };
    let document = roxmltree::Document::parse_with_options(text, limits).map_err(|error| match error {
        roxmltree::Error::NodesLimitReached => format!("the SVG has more than {MAX_NODES} elements"),
        other => format!("the SVG is damaged ({other})"),
    })?;
    if depth(&document) > MAX_DEPTH {
        return Err(format!("elements of the SVG nest deeper than {MAX_DEPTH} levels"));
    }
    Tree::from_xmltree(&document, &options(fonts, embedding))
        .map_err(|error| format!("the SVG cannot be drawn ({error})"))
}

fn options(fonts: &SvgFonts, embedding: u32) -> Options<'_> {
    Options {
        // Browsers' default size of an SVG without one.
        default_size: Size::from_wh(300.0, 150.0).unwrap_or(Options::default().default_size),
        image_href_resolver: ImageHrefResolver {
            resolve_data: Box::new(move |_mime, data, _options| embedded(data, fonts, embedding)),
            resolve_string: Box::new(|_href, _options| None),
        },
        fontdb: fonts.database.clone(),
        ..Options::default()
    }
}

/// Whether all paths that are drawn for a group's nodes are within [`FARTHEST`], with those of clips, masks, patterns, filters, texts
/// and embedded files. It follows the transforms of the renderer.
fn are_near(group: &Group, transform: Transform) -> bool {
    group.children().iter().all(|node| match node {
        Node::Group(group) => is_group_near(group, transform),
        Node::Path(path) => is_path_near(path, transform),
        Node::Text(text) => is_group_near(text.flattened(), transform),
        Node::Image(image) => match image.kind() {
            usvg::ImageKind::SVG(tree) => are_near(tree.root(), transform),
            _ => true,
        },
    })
}

fn is_group_near(group: &Group, outer: Transform) -> bool {
    let transform = outer.pre_concat(group.transform());
    let (x, y) = transform.get_scale();
    let mut clips = successors(group.clip_path(), |clip| clip.clip_path());
    let mut masks = successors(group.mask(), |mask| mask.mask());
    let mut effects = group.filters().iter().flat_map(|filter| filter.primitives());
    are_near(group, transform)
        && clips.all(|clip| are_near(clip.root(), transform.pre_concat(clip.transform())))
        && masks
            .all(|mask| is_rect_near(mask.rect().to_rect(), transform) && are_near(mask.root(), transform))
        && effects.all(|effect| match effect.kind() {
            filter::Kind::Image(image) => are_near(image.root(), Transform::from_scale(x, y)),
            _ => true,
        })
}

fn is_path_near(path: &Path, transform: Transform) -> bool {
    let paints = [path.fill().map(|fill| fill.paint()), path.stroke().map(|stroke| stroke.paint())];
    is_rect_near(path.stroke_bounding_box(), transform)
        && paints.into_iter().flatten().all(|paint| match paint {
            Paint::Pattern(pattern) => {
                let (x, y) = transform.pre_concat(pattern.transform()).get_scale();
                are_near(pattern.root(), Transform::from_scale(x, y))
            }
            _ => true,
        })
}

fn is_rect_near(rect: Rect, transform: Transform) -> bool {
    [rect.left(), rect.right()].iter().all(|x| {
        [rect.top(), rect.bottom()].iter().all(|y| {
            let mut corner = Point::from_xy(*x, *y);
            transform.map_point(&mut corner);
            corner.x.abs() <= FARTHEST && corner.y.abs() <= FARTHEST
        })
    })
}

/// A picture embedded as a data URI; unknown formats and pictures that are too large are not drawn.
fn embedded(data: Arc<Vec<u8>>, fonts: &SvgFonts, embedding: u32) -> Option<usvg::ImageKind> {
    let kind = sniff_image(&data)?;
    if kind == ImageKind::Svg {
        if embedding >= MAX_EMBEDDING {
            return None;
        }
        return parse_tree(&data, fonts, embedding + 1).ok().map(usvg::ImageKind::SVG);
    }
    super::bitmap::size(&data, kind).ok()?;
    match kind {
        ImageKind::Png => Some(usvg::ImageKind::PNG(data)),
        ImageKind::Jpeg => Some(usvg::ImageKind::JPEG(data)),
        ImageKind::Gif => Some(usvg::ImageKind::GIF(data)),
        ImageKind::WebP => Some(usvg::ImageKind::WEBP(data)),
        ImageKind::Bmp | ImageKind::Avif | ImageKind::Svg => None,
    }
}

fn depth(document: &roxmltree::Document) -> usize {
    let mut deepest = 0;
    let mut level = 0usize;
    let mut node = document.root();
    // Depth-first over the tree's links: recursion would overflow the stack on a deep document.
    loop {
        if let Some(child) = node.first_child() {
            node = child;
            level += 1;
            deepest = deepest.max(level);
            continue;
        }
        while node.next_sibling().is_none() {
            match node.parent() {
                Some(parent) => node = parent,
                None => return deepest,
            }
            level = level.saturating_sub(1);
        }
        match node.next_sibling() {
            Some(sibling) => node = sibling,
            None => return deepest,
        }
    }
}

/// SVG parsing and drawing are recursive: a separate thread has a large enough stack and contains their panics.
#[cfg(not(target_family = "wasm"))]
fn on_deep_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, String> {
    std::thread::scope(|scope| {
        std::thread::Builder::new()
            .name("svg".to_owned())
            .stack_size(STACK_BYTES)
            .spawn_scoped(scope, work)
            .map_err(|error| format!("no thread could be started to draw it ({error})"))?
            .join()
            .map_err(|_| "the SVG is too damaged to draw".to_owned())
    })
}

/// Where there are no threads, the stack is as large as the module was built with.
#[cfg(target_family = "wasm")]
fn on_deep_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, String> {
    Ok(work())
}
