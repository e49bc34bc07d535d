/** What people read in the region "Inspector". */

export const STRINGS = {
  region: "Inspector",
  search: "Search fields",
  clearSearch: "Clear search",
  noMatch: (query: string) => `No field matches “${query}”.`,
  film: "Film",
  overlays: (count: number) => `${count} overlays`,
  fieldsView: "Fields",
  jsonView: "JSON",
  view: "View",
  more: "More",
  expandAll: "Open all groups",
  collapseAll: "Close all groups",
  copyStyle: "Copy style",
  pasteStyle: "Paste style",
  resetStyle: "Reset style",
  mixed: "Mixed",
  reset: (label: string) => `Reset ${label}`,
  change: (label: string) => `Change ${label}`,
  resetStep: (label: string) => `Reset ${label}`,
  unset: "Not set",
  /** An absent number, which the film works out. */
  auto: "Auto",
  none: "None",
  add: "Add",
  addTo: (label: string) => `Add to ${label}`,
  remove: (label: string) => `Remove ${label}`,
  moveUp: (label: string) => `Move ${label} up`,
  item: (label: string, index: number) => `${label} ${index + 1}`,
  moreItems: (count: number) => `Show ${count} more`,
  open: (label: string) => `Edit ${label}`,
  css: "CSS value",
  warnings: (count: number) => (count === 1 ? "1 warning" : `${count} warnings`),
  showField: "Show field",
  checkFailed: "The film could not be checked.",
  unknownType: (type: string) => `This editor does not know overlays of type “${type}”. Use the JSON view.`,
} as const;

export const CHECK = {
  noSource: "This overlay has no file.",
  addSource: "Choose a file in the library, or make the overlay a variable.",
} as const;

export const GROUP_NAMES = {
  position: "Position",
  content: "Content",
  style: "Style",
  shadow: "Shadow & filter",
  space: "3D",
  animation: "Animation",
  sound: "Sound",
  timing: "Timing",
  variable: "Variable",
  advanced: "Advanced",
} as const;

/** The name of the group "Content" by the type of the overlay. */
export const CONTENT_NAMES: Record<string, string> = {
  text: "Text",
  video: "Media",
  image: "Media",
  sound: "Source",
  shape: "Shape",
  sticker: "Sticker",
  caption: "Captions",
  effect: "Effect",
};

export const FILM_GROUPS = { position: "Size", style: "Colours" } as const;

export const TYPE_NAMES: Record<string, string> = {
  text: "Text",
  video: "Video",
  image: "Image",
  sound: "Sound",
  shape: "Shape",
  sticker: "Sticker",
  caption: "Captions",
  effect: "Effect",
};

/** Objects inside the styles that have a heading of their own. */
export const SECTIONS: Record<string, string> = {
  animation: "Enter, exit & motion",
  staggeredMotion: "Staggered motion",
  animatedText: "Animated text",
  typeWriter: "Typewriter",
  counterMode: "Counter",
  codeBlock: "Code",
  gradientTransition: "Gradient transition",
  greenscreen: "Green screen",
  threshold: "Thresholds",
  highlightStyle: "Spoken word",
  layout3D: "Pose",
};

/** Names of fields that their key does not say well. */
export const LABELS: Record<string, string> = {
  left: "X",
  top: "Y",
  fontFamily: "Font",
  fontWeight: "Weight",
  fontSize: "Size",
  fontSizeFixed: "Fixed size",
  fontSizeScale: "Fit scale",
  fontStyle: "Italic",
  fontStretch: "Width",
  fontVariantNumeric: "Digits",
  fontFeatureSettings: "Features",
  textAlign: "Align",
  verticalAlign: "Vertical",
  textTransform: "Case",
  textDecoration: "Line",
  textIndent: "Indent",
  letterSpacing: "Letters",
  wordSpacing: "Words",
  lineHeight: "Line height",
  backgroundColor: "Background",
  background: "Fill",
  backgroundSize: "Fill size",
  backgroundPosition: "Fill position",
  backgroundRepeat: "Fill repeat",
  WebkitBackgroundClip: "Fill clip",
  WebkitTextFillColor: "Letter fill",
  WebkitTextStroke: "Outline",
  WebkitTextStrokeWidth: "Outline width",
  WebkitTextStrokeColor: "Outline colour",
  paddingBackgroundColor: "Padding colour",
  borderRadius: "Radius",
  mixBlendMode: "Blend",
  color: "Colour",
  keyColor: "Key colour",
  matrixColor: "Glyph colour",
  cellColors: "Cell colours",
  colors: "Colour variables",
  fonts: "Font variables",
  fontFaces: "Font files",
  objectFit: "Fit",
  objectPosition: "Focus",
  cropEnabled: "Crop",
  cropX: "Crop left",
  cropY: "Crop top",
  strokeWidth: "Stroke width",
  boxShadow: "Shadow",
  textShadow: "Text shadow",
  backdropFilter: "Backdrop",
  src: "Source",
  from: "Start",
  durationInFrames: "Length",
  row: "Track",
  videoStartTime: "In-point",
  startFromSound: "In-point",
  mediaSrcDuration: "Source length",
  videoDurationInFrames: "Source frames",
  isDynamic: "Variable",
  fps: "Frame rate",
  posterFrame: "Poster frame",
  enterDuration: "Enter time",
  exitDuration: "Exit time",
  duringSpeed: "Speed",
  duringIntensity: "Intensity",
  during: "During",
  toFixed: "Decimals",
  staggerDir: "Order",
  staggerDirection: "Order",
  staggerDelay: "Stagger",
  splitStagger: "Stagger",
  animDuration: "Cell time",
  startMs: "Start",
  timestampMs: "Noted at",
  endMs: "End",
  startFrame: "From",
  endFrame: "To",
  zIndex: "Inner order",
};

/** Fields whose key means something else in one place. Keys are paths. */
export const PATH_LABELS: Record<string, string> = {
  "styles.counterMode.from": "From",
  "styles.layout3D.layout": "Pose",
  "shape:content": "Shape",
  "sticker:content": "Sticker",
  "effect:content": "Effect",
  "text:content": "Text",
  "video:content": "Thumbnail",
  "image:content": "Thumbnail",
  "sound:content": "Label",
  "film:width": "Width",
  "film:height": "Height",
  "film:src": "Source",
};

export const COLOR = {
  picker: (label: string) => `Pick ${label}`,
  hex: (label: string) => `${label}, hex`,
  opacity: "Opacity",
  document: "In this film",
  brand: "Brand kit",
  variables: "Colour variables",
  use: (name: string) => `Use ${name}`,
  pickFromScreen: "Pick from the screen",
  pickFromCanvas: "Pick from the canvas",
  clickCanvas: "Click on the canvas to take a colour. Press Escape to stop.",
  solid: "Colour",
} as const;

export const GRADIENT = {
  kind: "Kind",
  kinds: { none: "None", solid: "Colour", linear: "Linear", radial: "Radial", conic: "Conic" },
  angle: "Angle",
  stop: (index: number) => `Stop ${index + 1}`,
  stopAt: (index: number, at: number) => `Stop ${index + 1} at ${Math.round(at)} %`,
  position: "Position",
  addStop: "Add stop",
  removeStop: "Remove stop",
} as const;

export const SHADOW = {
  x: "X",
  y: "Y",
  blur: "Blur",
  spread: "Spread",
  color: "Colour",
  inset: "Inset",
  add: "Add shadow",
  remove: (index: number) => `Remove shadow ${index + 1}`,
  of: (part: string, index: number) => `${part} of shadow ${index + 1}`,
} as const;

export const FILTER = {
  preset: "Preset",
  custom: "Custom",
  names: {
    blur: "Blur",
    brightness: "Brightness",
    contrast: "Contrast",
    saturate: "Saturation",
    "hue-rotate": "Hue",
    grayscale: "Greyscale",
    sepia: "Sepia",
    invert: "Invert",
  } as Record<string, string>,
} as const;

export const TRANSFORM_NAMES: Record<string, string> = {
  translateX: "Move X",
  translateY: "Move Y",
  scale: "Scale",
  rotate: "Turn",
  skewX: "Skew X",
  skewY: "Skew Y",
  rotateX: "Tilt X",
  rotateY: "Tilt Y",
  perspective: "Depth",
};

export const BORDER = { width: "Width", line: "Line", color: "Colour" } as const;

export const FONT = {
  search: "Search fonts",
  results: "Fonts",
  own: "Your fonts",
  others: "All fonts",
  upload: "Upload a font",
  uploading: "Uploading…",
  chooser: "Font files to upload",
  none: "No font has this name.",
  weights: {
    100: "Thin",
    200: "Extra light",
    300: "Light",
    400: "Regular",
    500: "Medium",
    600: "Semibold",
    700: "Bold",
    800: "Extra bold",
    900: "Black",
  } as Record<number, string>,
} as const;

export const EASING = {
  custom: "Custom curve",
  curve: "Curve",
  handle: (index: number) => `Handle ${index + 1}`,
} as const;

export const PICKER = {
  search: "Search",
  choose: (label: string) => `Choose ${label}`,
  emoji: "Emoji",
} as const;

export const SIZES: readonly (readonly [name: string, width: number, height: number])[] = [
  ["16:9", 1920, 1080],
  ["9:16", 1080, 1920],
  ["1:1", 1080, 1080],
  ["4:5", 1080, 1350],
];

export const FILM = {
  sizes: "Size presets",
  rates: "Frame rates",
  seconds: (seconds: string) => `${seconds} s`,
  usePoster: "Use current frame",
  changeSize: "Change size",
} as const;

export const VARIABLE = {
  hint: "A replacement with this name fills the overlay when the film is rendered.",
  needsName: "Give the variable a name.",
  taken: (name: string) => `Another overlay is also named “${name}”. Both get the same value.`,
  fills: "Fills",
  value: "Value",
  text: "Text",
  url: "Address of a file",
  capacity: "Capacity",
  characters: (most: number, lines: number | undefined) =>
    lines === undefined
      ? `about ${most} characters`
      : `about ${most} characters on ${lines === 1 ? "1 line" : `${lines} lines`}`,
  fits: "The text shrinks to fit its box.",
  clipped: "Longer text is clipped.",
  default: "Default",
} as const;

export const JSON_VIEW = {
  label: "Selection as JSON. Press Escape, then Tab to leave the editor.",
  notObject: "This must be an object.",
  notList: (count: number) => `This must be a list of ${count} overlays.`,
  missing: (field: string) => `\`${field}\` must be a number.`,
  type: "`type` must be a text.",
  change: "Change JSON",
} as const;

/** Words for the values of closed lists. */
export const VALUES: Record<string, string> = {
  "scale-down": "Scale down",
  none: "None",
};
