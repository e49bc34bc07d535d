// Shared functions of the reference: elements, graphemes, seeded randomness.
'use strict';

const FALLBACK = '"Inter","Noto Sans Arabic","Noto Sans Hebrew","Noto Sans JP"';
const clamp = (x, a, b) => Math.min(b, Math.max(a, x));
const lerp = (a, b, t) => a + (b - a) * t;
const el = (css, parent, tag = 'div') => {
  const e = document.createElement(tag);
  if (css) Object.assign(e.style, css);
  if (parent) parent.appendChild(e);
  return e;
};
const px = v => `${v}px`;
const UNITLESS = new Set(['lineHeight', 'fontWeight', 'opacity', 'zIndex']);
const len = (v, absent) => (v == null || v === '' ? absent : typeof v === 'number' ? px(v) : v); // bare numbers are px
const put = (e, name, v) => {
  if (v != null) e.style[name] = UNITLESS.has(name) ? v : len(v, '');
};
const graphemes = s => [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(s)].map(x => x.segment); // "character" means grapheme cluster everywhere
const norm = s =>
  String(s ?? '')
    .toLowerCase()
    .replace(/[-_\s]/g, '');

const mulberry32 = a => {
  let t = a + 0x6d2b79f5;
  t = Math.imul(t ^ (t >>> 15), t | 1);
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
};
const hash31 = s => {
  let h = 0;
  for (let i = 0; i < s.length; i++) h = (Math.imul(h, 31) + s.charCodeAt(i)) | 0;
  return h;
};
const rnd = seed => (typeof seed === 'number' ? mulberry32(seed * 1e10) : mulberry32(hash31(String(seed))));
