/** What people read where they start a film. */

export const NEW = {
  title: "New film",
  description: "Start blank, or with a template that you change as you like.",
  back: "Projects",
  untitled: "Untitled film",
  blank: "Blank",
  template: "From a template",
  search: "Search templates",
  none: "No templates found",
  sizes: {
    landscape: { name: "Landscape", hint: "YouTube, web pages" },
    vertical: { name: "Vertical", hint: "TikTok, Reels, Shorts" },
    square: { name: "Square", hint: "Feeds" },
    portrait: { name: "Portrait", hint: "Instagram, Facebook" },
  },
} as const;
