// Browser side of the reference: draws one composition frame with plain DOM + CSS.
// Every rule below follows the rendering semantics document; section numbers in comments refer to it.
'use strict';
(() => {
const FALLBACK = '"Inter","Noto Sans Arabic","Noto Sans Hebrew","Noto Sans JP"';
const clamp = (x, a, b) => Math.min(b, Math.max(a, x));
const lerp = (a, b, t) => a + (b - a) * t;
const el = (css, parent, tag = 'div') => { const e = document.createElement(tag); if (css) Object.assign(e.style, css); if (parent) parent.appendChild(e); return e; };
const px = v => `${v}px`;
const graphemes = s => [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(s)].map(x => x.segment); // "character" means grapheme cluster everywhere
const norm = s => String(s ?? '').toLowerCase().replace(/[-_\s]/g, '');

// ---- §13 randomness
const mulberry32 = a => { let t = a + 0x6d2b79f5; t = Math.imul(t ^ (t >>> 15), t | 1); t ^= t + Math.imul(t ^ (t >>> 7), t | 61); return ((t ^ (t >>> 14)) >>> 0) / 4294967296; };
const hash31 = s => { let h = 0; for (let i = 0; i < s.length; i++) h = (Math.imul(h, 31) + s.charCodeAt(i)) | 0; return h; };
const rnd = seed => typeof seed === 'number' ? mulberry32(seed * 1e10) : mulberry32(hash31(String(seed)));

// ---- §14 easings
const bezier = (x1, y1, x2, y2) => t => {
  if (t <= 0) return 0; if (t >= 1) return 1;
  const B = (a, b, s) => 3 * a * s * (1 - s) * (1 - s) + 3 * b * s * s * (1 - s) + s * s * s;
  let lo = 0, hi = 1; for (let i = 0; i < 60; i++) { const m = (lo + hi) / 2; if (B(x1, x2, m) < t) lo = m; else hi = m; }
  return B(y1, y2, (lo + hi) / 2);
};
const pw = n => ({ in: t => t ** n, out: t => 1 - (1 - t) ** n, io: t => t < .5 ? 2 ** (n - 1) * t ** n : 1 - (-2 * t + 2) ** n / 2 });
const q2 = pw(2), q3 = pw(3), q4 = pw(4), q5 = pw(5);
const spring = t => t <= 0 ? 0 : t >= 1 ? 1 : 1 - Math.exp(-5 * t) * (Math.cos(Math.sqrt(75) * t) + (5 / Math.sqrt(75)) * Math.sin(Math.sqrt(75) * t));
function springAt(t, m = 1, k = 100, c = 10) { // damped oscillator over one second, ends forced to 0 and 1
  if (t <= 0) return 0; if (t >= 1) return 1; const w = Math.sqrt(k / m), z = c / (2 * Math.sqrt(k * m));
  if (z < 1) { const d = w * Math.sqrt(1 - z * z); return 1 - Math.exp(-z * w * t) * (Math.cos(d * t) + z * w / d * Math.sin(d * t)); }
  if (z === 1) return 1 - Math.exp(-w * t) * (1 + w * t);
  const r = w * Math.sqrt(z * z - 1), p = -z * w + r, q = -z * w - r; return 1 - (q * Math.exp(p * t) - p * Math.exp(q * t)) / (q - p);
}
const outBounce = t => { const n = 7.5625, d = 2.75; if (t < 1 / d) return n * t * t; if (t < 2 / d) return n * (t -= 1.5 / d) * t + .75; if (t < 2.5 / d) return n * (t -= 2.25 / d) * t + .9375; return n * (t -= 2.625 / d) * t + .984375; };
const c1 = 1.70158, c3 = c1 + 1;
const EASE = {
  linear: t => t, easein: q2.in, easeinquad: q2.in, easeout: q2.out, easeoutquad: q2.out, easeinout: q2.io, easeinoutquad: q2.io,
  easeincubic: q3.in, easeoutcubic: q3.out, easeinoutcubic: q3.io, easeinquart: q4.in, easeoutquart: q4.out, easeinoutquart: q4.io, easeinquint: q5.in, easeoutquint: q5.out, easeinoutquint: q5.io,
  easeinsine: t => 1 - Math.cos(t * Math.PI / 2), easeoutsine: t => Math.sin(t * Math.PI / 2), easeinoutsine: t => -(Math.cos(Math.PI * t) - 1) / 2,
  easeinexpo: t => t === 0 ? 0 : 2 ** (10 * t - 10), easeoutexpo: t => t === 1 ? 1 : 1 - 2 ** (-10 * t),
  easeinback: t => c3 * t ** 3 - c1 * t * t, easeoutback: t => 1 + c3 * (t - 1) ** 3 + c1 * (t - 1) ** 2,
  easeoutelastic: t => t === 0 || t === 1 ? t : 2 ** (-10 * t) * Math.sin((t * 10 - .75) * (2 * Math.PI / 3)) + 1,
  easeoutbounce: outBounce, easeinbounce: t => 1 - outBounce(1 - t), easeinoutbounce: t => t < .5 ? (1 - outBounce(1 - 2 * t)) / 2 : (1 + outBounce(2 * t - 1)) / 2, spring,
  easeinoutexpo: t => t === 0 || t === 1 ? t : t < .5 ? 2 ** (20 * t - 10) / 2 : (2 - 2 ** (-20 * t + 10)) / 2,
  easeincirc: t => 1 - Math.sqrt(1 - t * t), easeoutcirc: t => Math.sqrt(1 - (t - 1) ** 2), easeinoutcirc: t => t < .5 ? (1 - Math.sqrt(1 - (2 * t) ** 2)) / 2 : (Math.sqrt(1 - (-2 * t + 2) ** 2) + 1) / 2,
  easeinoutback: t => { const k = c1 * 1.525; return t < .5 ? ((2 * t) ** 2 * ((k + 1) * 2 * t - k)) / 2 : ((2 * t - 2) ** 2 * ((k + 1) * (2 * t - 2) + k) + 2) / 2; },
  easeinelastic: t => t === 0 || t === 1 ? t : -(2 ** (10 * t - 10)) * Math.sin((t * 10 - 10.75) * (2 * Math.PI / 3)),
  easeinoutelastic: t => { const k = 2 * Math.PI / 4.5; return t === 0 || t === 1 ? t : t < .5 ? -(2 ** (20 * t - 10) * Math.sin((20 * t - 11.125) * k)) / 2 : 2 ** (-20 * t + 10) * Math.sin((20 * t - 11.125) * k) / 2 + 1; },
};
const CSSEASE = { ease: bezier(.25, .1, .25, 1), 'ease-in': bezier(.42, 0, 1, 1), 'ease-out': bezier(0, 0, .58, 1), 'ease-in-out': bezier(.42, 0, .58, 1) };
function easing(name) {
  if (!name) return EASE.linear;
  const s = String(name).trim();
  if (CSSEASE[s.toLowerCase()]) return CSSEASE[s.toLowerCase()];
  const m = s.match(/^(cubic-bezier|steps|spring)\(([^)]+)\)$/i), a = m && m[2].split(',').map(Number);
  if (m && /^c/i.test(s)) return bezier(...a);
  if (m && /^st/i.test(s)) return t => t >= 1 ? 1 : Math.floor(t * a[0]) / a[0];
  if (m) return t => springAt(t, ...a);
  return EASE[norm(s)] || EASE.linear;
}
// ---- §4 keyframes: easing inside each segment
function kf(arr, p, ease) {
  const n = arr.length; if (n === 1) return arr[0];
  const x = p * (n - 1), i = Math.min(n - 2, Math.floor(x));
  return lerp(arr[i], arr[i + 1], ease(clamp(x - i, 0, 1)));
}
function motionStyle(cfg, f, idx, stagger, fps) {
  const base = Math.max(0, f - (cfg.delay || 0)), rel = base - idx * stagger, total = cfg.duration ?? fps, p = clamp(rel / Math.max(1e-9, total), 0, 1), e = easing(cfg.easing);
  const has = k => Array.isArray(cfg[k]) && cfg[k].length;
  const tr = [], st = { p };
  if (has('x')) tr.push(`translateX(${kf(cfg.x, p, e)}px)`);
  if (has('y')) tr.push(`translateY(${kf(cfg.y, p, e)}px)`);
  if (has('scale')) tr.push(`scale(${kf(cfg.scale, p, e)})`);
  if (has('rotate')) tr.push(`rotate(${kf(cfg.rotate, p, e)}deg)`);
  if (tr.length) st.transform = tr.join(' ');
  if (has('blur')) { const b = kf(cfg.blur, p, e); if (b > 0) st.filter = `blur(${b}px)`; }
  if (has('opacity')) st.opacity = String(kf(cfg.opacity, p, e));
  if (has('glitch')) st.glitch = kf(cfg.glitch, p, e);
  return st;
}
const applyMotion = (e, st) => { if (st.transform) e.style.transform = st.transform; if (st.filter) e.style.filter = st.filter; if (st.opacity !== undefined) e.style.opacity = st.opacity; };
function staggerIndex(dir, i, n) {
  if (dir === 'reverse') return n - 1 - i;
  if (dir === 'center') return Math.abs(i - Math.floor(n / 2));
  if (dir === 'random') { const a = [...Array(n).keys()]; for (let k = n - 1; k > 0; k--) { const j = Math.floor(rnd('stagger-' + k) * (k + 1)); [a[k], a[j]] = [a[j], a[k]]; } return a.indexOf(i); }
  return i;
}
const smOn = sm => !!sm && sm.enabled !== false && (sm.enabled === true || ['x', 'y', 'scale', 'opacity', 'rotate', 'blur'].some(k => Array.isArray(sm[k]) && sm[k].length));

// ---- §2 enter/exit. K15: piecewise linear on knots in fifteenths
const K15 = (t, knots) => { const x = t * 15; if (x <= knots[0][0]) return knots[0][1]; for (let i = 1; i < knots.length; i++) if (x <= knots[i][0]) { const [a, va] = knots[i - 1], [b, vb] = knots[i]; return lerp(va, vb, (x - a) / (b - a)); } return knots[knots.length - 1][1]; };
const L = (a, b) => [[0, a], [15, b]];
const tx = k => t => `translateX(${K15(t, k)}px)`, ty = k => t => `translateY(${K15(t, k)}px)`, txp = k => t => `translateX(${K15(t, k)}%)`, typ = k => t => `translateY(${K15(t, k)}%)`;
const ro = k => t => `rotate(${K15(t, k)}deg)`, sc = k => t => `scale(${K15(t, k)})`, sx = k => t => `scaleX(${K15(t, k)})`, sy = k => t => `scaleY(${K15(t, k)})`;
const rX = k => t => `rotateX(${K15(t, k)}deg)`, rY = k => t => `rotateY(${K15(t, k)}deg)`, kX = k => t => `skewX(${K15(t, k)}deg)`, kY = k => t => `skewY(${K15(t, k)}deg)`, pe = v => () => `perspective(${v}px)`;
const oIn = n => [[0, 0], [n, 1]], oOut = n => [[0, 1], [15 - n, 1], [15, 0]];
const rev = k => k.map(([x, v]) => [15 - x, v]).reverse();
const mirror = s => ({ ...s, tr: s.tr.map(g => (t, c) => g(1 - t, c)), o: s.o && rev(s.o), ...(s.blur ? { blur: rev(s.blur) } : {}), ...(s.clip ? { clip: t => s.clip(1 - t) } : {}) });
const P = (inn, out) => ({ enter: inn, exit: out || mirror(inn) }); // an exit that is not listed is the enter run backwards
const T = (tr, o, extra = {}) => ({ tr, o, ...extra });
const flipO = [[0, 0], [5, .7], [15, 1]], flipOx = [[0, 1], [10, .7], [15, 0]];
const JELLO = [[0, 0], [3, -12.5], [6, 6.25], [9, -3.125], [12, 1.5625], [15, 0]];
const jitter = out => (t, c) => { // c = { id, f, D }; only frames divisible by 3 (x) and 4 (y) jump
  if (!c) return 'translate(0px,0px)'; const k = out ? t : 1 - t, n = out ? c.D - c.f : c.f;
  return `translate(${n % 3 === 0 ? lerp(-5, 5, rnd(`glitch-x-${c.id}-${c.f}`)) * k : 0}px,${n % 4 === 0 ? lerp(-4, 4, rnd(`glitch-y-${c.id}-${c.f}`)) * k : 0}px)`;
};
const PRESETS = {
  fade: P(T([], oIn(15)), T([], oOut(15))),
  slideright: P(T([txp(L(-100, 0))], oIn(15)), T([txp(L(0, 100))], oOut(15))),
  slideleft: P(T([txp(L(100, 0))], oIn(15)), T([txp(L(0, -100))], oOut(15))),
  slideup: P(T([ty(L(30, 0))], oIn(15)), T([ty(L(0, -30))], oOut(15))),
  slidedown: P(T([typ(L(-100, 0))], oIn(15)), T([typ(L(0, 100))], oOut(15))),
  diagonalslide: P(T([txp(L(-100, 0)), typ(L(-100, 0))], oIn(15)), T([txp(L(0, 100)), typ(L(0, 100))], oOut(15))),
  scale: P(T([sc(L(0, 1))], oIn(15)), T([sc(L(1, 0))], oOut(15))),
  bounce: P(T([ty([[0, 100], [10, -10], [13, 5], [15, 0]])], oIn(10)), T([ty([[0, 0], [2, 5], [5, -10], [15, 100]])], oOut(10))),
  flip: P(T([pe(400), rX(L(90, 0))], flipO), T([pe(400), rX(L(0, -90))], flipOx)),
  flipy: P(T([pe(400), rY(L(90, 0))], flipO), T([pe(400), rY(L(0, -90))], flipOx)),
  zoomblur: P(T([sc(L(1.5, 1))], oIn(15), { blur: L(10, 0) }), T([sc(L(1, 1.5))], oOut(15), { blur: L(0, 10) })),
  snaprotate: P(T([ro([[0, -10], [8, 5], [12, -2], [15, 0]]), sc(L(.8, 1))], oIn(10)), T([ro([[0, 0], [3, -2], [7, 5], [15, -10]]), sc(L(1, .8))], oOut(10))),
  swipereveal: P(T([], null, { clip: t => `inset(0 ${K15(t, L(100, 0))}% 0 0)` }), T([], null, { clip: t => `inset(0 0 0 ${K15(t, L(0, 100))}%)` })),
  floatin: P(T([tx(L(10, 0)), ty(L(-20, 0))], oIn(15)), T([tx(L(0, -10)), ty(L(0, -20))], oOut(15))),
  spin: P(T([ro(L(360, 0)), sc(L(0, 1))], oIn(10)), T([ro(L(0, -360)), sc(L(1, 0))], oOut(10))),
  rotatein: P(T([ro(L(-180, 0)), sc(L(0, 1))], oIn(10)), T([ro(L(0, 180)), sc(L(1, 0))], oOut(10))),
  wobble: P(T([ro([[0, 0], [3, -10], [6, 8], [9, -6], [12, 3], [15, 0]])], oIn(5)), T([ro([[0, 0], [3, 3], [6, -6], [9, 8], [12, -10], [15, 0]])], oOut(5))),
  pulse: P(T([sc([[0, 0], [5, 1.2], [10, .9], [15, 1]])], oIn(5)), T([sc([[0, 1], [5, .9], [10, 1.2], [15, 0]])], oOut(5))),
  drop: P(T([ty([[0, -200], [10, 20], [15, 0]])], oIn(8)), T([ty([[0, 0], [5, -20], [15, 200]])], oOut(8))),
  squeeze: P(T([sx([[0, 0], [8, 1.3], [15, 1]]), sy([[0, 0], [8, .7], [15, 1]])], oIn(8)), T([sx([[0, 1], [7, 1.3], [15, 0]]), sy([[0, 1], [7, .7], [15, 0]])], oOut(8))),
  roll: P(T([txp(L(-100, 0)), ro(L(-180, 0))], oIn(10)), T([txp(L(0, 100)), ro(L(0, 180))], oOut(10))),
  swing: P(T([ro([[0, 20], [5, -15], [10, 10], [15, 0]])], oIn(5), { origin: '50% 0%' }), T([ro([[0, 0], [5, 10], [10, -15], [15, 20]])], oOut(5), { origin: '50% 0%' })),
  expandvertical: P(T([sy(L(0, 1))], oIn(10)), T([sy(L(1, 0))], oOut(10))),
  expandhorizontal: P(T([sx(L(0, 1))], oIn(10)), T([sx(L(1, 0))], oOut(10))),
  twist: P(T([pe(600), rX(L(180, 0)), rY(L(180, 0))], [[0, 0], [8, .5], [15, 1]]), T([pe(600), rX(L(0, -180)), rY(L(0, -180))], [[0, 1], [7, .5], [15, 0]])),
  blur: P(T([], oIn(15), { blur: L(20, 0) }), T([], oOut(15), { blur: L(0, 20) })),
  spiral: P(T([tx(L(-50, 0)), ty(L(-50, 0)), ro(L(720, 0)), sc(L(0, 1))], oIn(10)), T([tx(L(0, 50)), ty(L(0, 50)), ro(L(0, -720)), sc(L(1, 0))], oOut(10))),
  shake: P(T([tx([[0, 0], [2, -10], [4, 10], [6, -8], [8, 8], [10, -5], [12, 5], [15, 0]])], oIn(5)), T([tx([[0, 0], [3, 5], [5, -5], [7, 8], [9, -8], [11, 10], [13, -10], [15, 0]])], oOut(5))),
  curtain: P(T([], null, { clip: t => `inset(0 0 ${K15(t, L(100, 0))}% 0)` }), T([], null, { clip: t => `inset(${K15(t, L(0, 100))}% 0 0 0)` })),
  fold: P(T([pe(800), rX(L(-90, 0))], oIn(8), { origin: '50% 100%' }), T([pe(800), rX(L(0, 90))], oOut(8), { origin: '50% 0%' })),
  zigzag: P(T([txp([[0, -100], [3, -60], [6, -40], [9, -20], [12, -10], [15, 0]]), typ([[0, 0], [3, 30], [6, -20], [9, 15], [12, -10], [15, 0]])], oIn(10)),
            T([txp([[0, 0], [3, 10], [6, 20], [9, 40], [12, 60], [15, 100]]), typ([[0, 0], [3, -10], [6, 15], [9, -20], [12, 30], [15, 0]])], oOut(10))),
  elastic: P(T([sc([[0, 0], [5, 1.3], [8, .9], [11, 1.1], [13, .95], [15, 1]])], oIn(5)), T([sc([[0, 1], [2, .95], [4, 1.1], [7, .9], [10, 1.3], [15, 0]])], oOut(5))),
  slingshot: P(T([tx([[0, -200], [8, -50], [10, 20], [15, 0]]), sx([[0, 1.5], [8, 1.2], [10, .9], [15, 1]])], oIn(8)), T([tx([[0, 0], [5, -20], [7, 50], [15, 200]]), sx([[0, 1], [5, .9], [7, 1.2], [15, 1.5]])], oOut(8))),
  skew: P(T([kX(L(45, 0)), kY(L(15, 0))], oIn(10)), T([kX(L(0, -45)), kY(L(0, -15))], oOut(10))),
  peek: P(T([tx(L(-50, 0))], null, { clip: t => `inset(0 ${K15(t, L(95, 0))}% 0 0)` }), T([tx(L(0, 50))], null, { clip: t => `inset(0 0 0 ${K15(t, L(0, 95))}%)` })),
  vortex: P(T([ro(L(1080, 0)), sc(L(.2, 1))], oIn(10), { blur: [[0, 15], [10, 5], [15, 0]] }), T([ro(L(0, -1080)), sc(L(1, .2))], oOut(10), { blur: [[0, 0], [5, 5], [15, 15]] })),
  explode: P(T([sc(L(.2, 1))], oIn(15), { blur: L(10, 0) })),
  zoomin: P(T([sc(L(.5, 1))], oIn(15)), T([sc(L(1, .5))], oOut(15))),
  zoomout: P(T([sc(L(2, 1))], oIn(15)), T([sc(L(1, 2))], oOut(15))),
  hinge: P(T([pe(400), rY(L(-90, 0))], oIn(15), { origin: '0% 50%' })),
  lightspeed: P(T([txp(L(100, 0)), kX(L(-30, 0))], oIn(15))),
  glitch: P(T([jitter(false), sc([[0, .9], [3, 1.05], [6, .95], [10, 1.02], [15, 1]])], [[0, 0], [3, .7], [5, .8], [15, 1]]), T([jitter(true), sc([[0, 1], [5, 1.02], [9, .95], [12, 1.05], [15, .9]])], [[0, 1], [10, .8], [12, .7], [15, 0]])),
  elasticscale: P(T([sc([[0, 0], [8, 1.2], [12, .9], [15, 1]])], oIn(8))),
  spinscale: P(T([ro(L(0, 360)), sc(L(0, 1))], oIn(15))),
  rubberband: P(T([sx([[0, 1], [5, 1.25], [8, .75], [12, 1.15], [15, 1]]), sy([[0, 1], [5, .75], [8, 1.25], [12, .85], [15, 1]])], oIn(15))),
  wiperight: P(T([], null, { clip: t => `inset(0 ${K15(t, L(100, 0))}% 0 0)` })),
  wipeup: P(T([], null, { clip: t => `inset(${K15(t, L(100, 0))}% 0 0 0)` })),
  typewriter: P(T([], null, { clip: t => `inset(0 ${K15(t, L(100, 0))}% 0 0)` })),
  accordion: P(T([sy(L(0, 1))], oIn(15))),
  jello: P(T([kX(JELLO), kY(JELLO)], oIn(15))),
  heartbeat: P(T([sc([[0, .8], [4, 1.3], [8, 1], [12, 1.3], [15, 1]])], oIn(15))),
  rollin: P(T([tx(L(-100, 0)), ro(L(-120, 0))], oIn(15))),
  zoomrotate: P(T([ro(L(180, 0)), sc(L(0, 1))], oIn(15))),
  bounceindown: P(T([ty([[0, -100], [6, 25], [10, -10], [13, 5], [15, 0]])], oIn(15))),
  slidediagonal: P(T([tx(L(-50, 0)), ty(L(-50, 0))], oIn(15))),
  skewin: P(T([tx(L(-30, 0)), kX(L(20, 0))], oIn(15))),
  morphscale: P(T([sx([[0, 0], [5, 2], [10, .5], [15, 1]]), sy([[0, 0], [5, .5], [10, 2], [15, 1]])], oIn(15))),
};
const ALIAS = { flipx: 'flip', fadein: 'fade', fadeout: 'fade', zoom: 'zoomin', wipe: 'swipereveal', slide: 'slideright', blurin: 'blur', rotate: 'rotatein', pop: 'elasticscale' };
const presetOf = n => { const k = norm(n); if (!k || k === 'none') return null; return k === 'typing' ? 'typing' : PRESETS[ALIAS[k] || k] || null; };

function ramps(o, f, fps) {
  const a = o.styles?.animation || {}, D = o.durationInFrames;
  const pe_ = presetOf(a.enter), px_ = presetOf(a.exit);
  let E = a.enterDuration != null ? Math.max(1, Math.round(a.enterDuration * fps)) : 15;
  let X = a.exitDuration != null ? Math.max(1, Math.round(a.exitDuration * fps)) : 15;
  if (pe_ && px_ && px_ !== 'typing') { if (E + X > D) { const k = D / (E + X); E *= k; X *= k; } }
  else { if (pe_) E = Math.min(E, D); if (px_) X = Math.min(X, D); }
  return { en: pe_, ex: px_ === 'typing' ? null : px_, E, u: clamp(f / E, 0, 1), v: clamp((f - (D - X)) / X, 0, 1), hasDur: a.enterDuration != null };
}
function rampWrap(node, side, t, ctx) { // side = {tr,o,blur,clip,origin}
  const tr = side.tr.map(g => g(t, ctx)).join(' ');
  if (tr) { node.style.transform = tr; node.style.transformOrigin = side.origin || '50% 50%'; }
  if (side.o) node.style.opacity = String(K15(t, side.o));
  if (side.blur) { const b = K15(t, side.blur); if (b > 0) node.style.filter = `blur(${b}px)`; }
  if (side.clip) node.style.clipPath = side.clip(t);
}

// ---- §3 during
const LOOPS = ['pulse', 'float', 'sway', 'breathe', 'spin']; // move the whole layer; drift presets stay inside the media clip
function during(o, f, fps) {
  const a = o.styles?.animation; if (!a || !a.during) return null;
  const media = o.type === 'image' || o.type === 'video', id = norm(a.during);
  const k = clamp(a.duringIntensity ?? 1, 0, 5), sp = clamp(a.duringSpeed ?? 1, 0, 10), t = f / fps, p = Math.min(1, sp * f / Math.max(1, o.durationInFrames - 1)), TAU = 2 * Math.PI;
  const W = o.width, H = o.height;
  switch (id) {
    case 'kenburnsin': return { transform: `scale(${1 + .15 * k * p})` };
    case 'kenburnsout': return { transform: `scale(${1 + .15 * k * (1 - p)})` };
    case 'panleft': return { transform: `translateX(${lerp(.05, -.05, p) * k * W}px)` + (media ? ` scale(${1 + .1 * k})` : '') };
    case 'panright': return { transform: `translateX(${lerp(-.05, .05, p) * k * W}px)` + (media ? ` scale(${1 + .1 * k})` : '') };
    case 'driftdiagonal': { const d = lerp(.04, -.04, p) * k; return { transform: `translate(${d * W}px,${d * H}px)` + (media ? ` scale(${1 + .1 * k})` : '') }; }
    case 'pulse': return { transform: `scale(${1 + .05 * k * (1 - Math.cos(TAU * sp * t)) / 2})` };
    case 'float': return { transform: `translateY(${-(.02 * H + 4) * k * Math.sin(TAU * sp * t / 3)}px)` };
    case 'sway': return { transform: `rotate(${2.5 * k * Math.sin(TAU * sp * t / 3)}deg)` };
    case 'breathe': { const c = (1 - Math.cos(TAU * sp * t / 4)) / 2; return { transform: `scale(${1 + .03 * k * c})`, opacity: String(1 - .08 * k * c) }; }
    case 'spin': return { transform: `rotate(${90 * k * sp * t}deg)` };
  }
  return null;
}

// ---- §10
function layout3D(l3, u) {
  if (!l3 || !l3.layout || l3.layout === 'none') return null;
  const m = l3.settle ? 1 - EASE.easeoutcubic(u) : 1;
  const d = v => `${v * m}deg`, z = v => `translateZ(${v * m}px)`, s = v => `scale(${1 + (v - 1) * m})`;
  return {
    'tilt-up': () => `perspective(1000px) rotateX(${d(-20)})`,
    'tilt-down': () => `perspective(1000px) rotateX(${d(20)})`,
    'card-left': () => `perspective(800px) rotateY(${d(-25)}) rotateX(${d(10)}) ${z(20)} ${s(1.01)}`,
    'card-right': () => `perspective(800px) rotateY(${d(25)}) rotateX(${d(10)}) ${z(20)} ${s(1.01)}`,
    book: () => `perspective(1200px) rotateY(${d(-45)}) rotateX(${d(15)}) ${z(30)} ${s(1.01)}`,
    floating: () => `perspective(1000px) ${z(50)} rotateX(${d(-5)}) rotateY(${d(10)}) ${s(1.02)}`,
    billboard: () => `perspective(1500px) rotateX(${d(-30)}) ${z(40)} ${s(1.02)}`,
    skewed: () => `perspective(600px) rotateY(${d(-35)}) rotateX(${d(25)}) skewX(${d(-5)})`,
  }[l3.layout]?.() || null;
}

// ---- §12 text
const LEGACY = { 'font-sans': 'Inter', 'font-serif': 'Merriweather', 'font-mono': 'Roboto Mono', 'font-retro': 'VT323', 'font-league-spartan': 'League Spartan', 'font-bungee-inline': 'Bungee Inline' };
function family(name) { if (!name) return FALLBACK; const n = LEGACY[name] || (/^font-/.test(name) ? 'Inter' : name); return n.split(',').map(s => `"${s.trim().replace(/["']/g, '')}"`).join(',') + ',' + FALLBACK; }
function pad4(str) {
  const v = String(str).trim().split(/\s+/).map(s => /em$/.test(s) ? parseFloat(s) * 16 : parseFloat(s) || 0);
  return v.length === 1 ? [v[0], v[0], v[0], v[0]] : v.length === 2 ? [v[0], v[1], v[0], v[1]] : v.length === 3 ? [v[0], v[1], v[2], v[1]] : v;
}
function parsePx(fs) { if (fs == null || fs === '') return null; const m = String(fs).trim().match(/^(\d*\.?\d+)(px)?$/i); return m ? parseFloat(m[1]) : null; }
function autofit(o, text) {
  const st = o.styles || {}, W = o.width, H = o.height, scale = st.fontSizeScale ?? 1;
  const lines = text.split('\n'), n = lines.length, m = Math.max(...lines.map(l => graphemes(l).length));
  if (!text.length || m === 0) return Math.min(48, .6 * H) * scale;
  const p = pad4(st.padding ?? '0.1em'), b = st.border ? 2 : 0, lh = parseFloat(st.lineHeight) || 1.2;
  const aw = Math.max(20, W - p[1] - p[3] - 2 * b), ah = Math.max(20, H - p[0] - p[2] - 2 * b);
  let s = .95 * Math.min((ah / n) / lh, aw / (m * .5));
  if (m > 40) s *= Math.max(.85, 1 - (m - 40) / 200);
  if (n > 4) s *= Math.max(.9, 1 - .02 * (n - 4));
  if (W < 60 || H < 20) s *= .9;
  s = clamp(s, Math.max(8, Math.min(16, .1 * H)), Math.min(.8 * H, .15 * W, 200));
  return s * scale;
}
function fitSearch(box, block, start) {
  const set = v => { block.style.fontSize = px(v); }, S = block.style, keep = S.maxHeight; S.maxHeight = 'none';
  const H = box.getBoundingClientRect().height + .01, W = box.getBoundingClientRect().width + .01;
  // the longest unbreakable word with padding and border; wider than the box means a break inside a word
  const wordWidth = () => { S.width = 'min-content'; S.maxWidth = 'none'; const w = block.getBoundingClientRect().width; S.width = ''; S.maxWidth = '100%'; return w; };
  const search = whole => {
    const fits = v => { set(v); return block.getBoundingClientRect().height <= H && (!whole || wordWidth() <= W); };
    if (fits(start)) return start; let lo = 4, hi = Math.ceil(start * 4); while (hi - lo > 1) { const mid = (lo + hi) >> 1; if (fits(mid / 4)) lo = mid; else hi = mid; } return lo / 4;
  };
  // a break inside a word counts as overflow, unless even half the starting size would need one
  let r = search(true); if (r < start / 2) r = search(false);
  set(r); S.maxHeight = keep; return r;
}
const TEXT_BLOCK = ['color', 'fontStyle', 'fontWeight', 'textDecoration', 'letterSpacing', 'textShadow', 'borderRadius', 'boxShadow', 'backdropFilter', 'border', 'textTransform'];
function textBlock(o, host) {
  const st = o.styles || {}, ta = st.textAlign || 'left';
  const box = el({ position: 'absolute', inset: '0', display: 'flex', alignItems: 'center', justifyContent: ta === 'center' ? 'center' : ta === 'right' ? 'flex-end' : 'flex-start', textAlign: ta, overflow: 'hidden' }, host);
  const b = el({ maxWidth: '100%', maxHeight: '100%', whiteSpace: 'pre-wrap', overflowWrap: 'break-word', lineHeight: st.lineHeight || '1.2', padding: st.padding || '0.1em', fontFamily: family(st.fontFamily), position: 'relative' }, box);
  for (const k of TEXT_BLOCK) if (st[k] != null) b.style[k] = st[k];
  if (st.background) b.style.background = st.background;
  if (st.backgroundColor) b.style.backgroundColor = st.backgroundColor;
  else if (st.paddingBackgroundColor && !st.background) b.style.backgroundColor = st.paddingBackgroundColor;
  if (st.WebkitBackgroundClip) b.style.webkitBackgroundClip = st.WebkitBackgroundClip;
  if (st.WebkitTextFillColor) b.style.webkitTextFillColor = st.WebkitTextFillColor;
  return { box, b };
}
function sizeText(o, box, b, text) {
  const st = o.styles || {}, given = parsePx(st.fontSize);
  if (given != null && st.fontSizeFixed) { b.style.fontSize = px(given); return given; }
  return fitSearch(box, b, given != null ? given : autofit(o, text));
}
function typeStates(strings, tw) {
  const ts = tw.typeSpeed ?? 3, ds = tw.deleteSpeed ?? 2, pa = tw.pauseAfterType ?? 30, pd = tw.pauseAfterDelete ?? 15, er = tw.errorRate ?? 0, ecd = tw.errorCorrectDelay ?? 5, loop = !!tw.loop, dbn = tw.deleteBeforeNext ?? true;
  const CH = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,!? ';
  let t = 0, cur = ''; const S = [[0, '', 0]];
  strings.forEach((s, si) => {
    const last = si === strings.length - 1; cur = '';
    const G = graphemes(s);
    for (let i = 0; i < G.length; i++) {
      const seed = `typewriter-${si}-${i}`; // s = index of the string in the sequence (0 for a single string)
      if (er > 0 && rnd(seed) < er) { t += ts; S.push([Math.round(t), cur + CH[Math.floor(rnd(seed + '-wrong') * CH.length)], si]); t += ecd; t += ds; S.push([Math.round(t), cur, si]); }
      t += ts; cur += G[i]; S.push([Math.round(t), cur, si]);
    }
    t += pa;
    if (dbn ? (!last || loop) : (last && loop)) { while (G.length) { t += ds; G.pop(); cur = G.join(''); S.push([Math.round(t), cur, si]); } t += pd; }
  });
  return { S, total: t, loop };
}
function buildText(o, host, f, F, fps, R) {
  const st = o.styles || {}; let text = o.content ?? '';
  const { box, b } = textBlock(o, host);
  const tw = st.typeWriter, cm = st.counterMode, at = st.animatedText, sm = st.staggeredMotion;
  if (tw && tw.enabled) {
    const multi = tw.deleteBeforeNext === true && text.includes('\n'), strings = multi ? text.split('\n') : [text];
    const tl = typeStates(strings, tw); let lt = f - (tw.delay || 0); if (tl.loop && tl.total > 0) lt = lt % tl.total;
    let cur = '', si = 0; for (const [fr, s, i] of tl.S) if (fr <= lt) { cur = s; si = i; }
    // size from the full text: the tallest string of the sequence
    const longest = strings.reduce((a, c) => graphemes(c).length > graphemes(a).length ? c : a, '');
    b.textContent = longest; sizeText(o, box, b, longest);
    const full = strings[si]; b.textContent = full;
    const fullH = b.getBoundingClientRect().height, fullW = b.getBoundingClientRect().width;
    b.textContent = '';
    const cursorOn = tw.cursor !== false && lt >= 0, blink = tw.blinkSpeed ?? 30, lit = (lt % blink) < blink / 2;
    b.style.height = px(fullH);
    if ((st.textAlign || 'left') === 'center') { b.appendChild(document.createTextNode(cur)); if (cursorOn) el({ visibility: lit ? 'visible' : 'hidden' }, b, 'span').textContent = '|'; return; }
    // left and right: the full string stays laid out (its rest hidden), so lines never move; the cursor is laid over it and takes no room
    b.style.width = px(fullW);
    const wrong = full.startsWith(cur) ? '' : graphemes(cur).pop(); if (wrong) cur = cur.slice(0, -wrong.length); // a wrong letter lies over the place of the right one
    const vis = document.createTextNode(cur), rest = document.createTextNode(graphemes(full).slice(graphemes(cur).length).join('')), over = wrong + (cursorOn && lit ? '|' : ''); b.appendChild(vis); el({ visibility: 'hidden' }, b, 'span').appendChild(rest);
    if (over) {
      const cs = getComputedStyle(b), br = b.getBoundingClientRect(), bl = parseFloat(cs.borderLeftWidth) || 0, bt = parseFloat(cs.borderTopWidth) || 0, lh = parseFloat(cs.lineHeight), edge = (node, last) => { const g = graphemes(node.data), r = document.createRange(); r.setStart(node, last ? node.length - g[g.length - 1].length : 0); r.setEnd(node, last ? node.length : g[0].length); const q = [...r.getClientRects()].pop(); return q && { x: last ? q.right : q.left, y: q.top, h: q.height }; };
      const at = cur && !cur.endsWith('\n') ? edge(vis, true) : rest.length && rest.data[0] !== '\n' ? edge(rest, false) : { x: br.left + bl + parseFloat(cs.paddingLeft), y: br.top + bt + parseFloat(cs.paddingTop) + lh * (cur.split('\n').length - 1), h: lh };
      if (at) el({ position: 'absolute', left: px(at.x - br.left - bl), top: px(at.y - br.top - bt), lineHeight: px(at.h), whiteSpace: 'pre' }, b, 'span').textContent = over;
    }
    return;
  }
  if (cm && cm.enabled) {
    const to = cm.to ?? (() => { const m = text.replace(/(\d),(?=\d{3})/g, '$1').match(/-?\d+(\.\d+)?/); return m ? parseFloat(m[0]) : 100; })(), from = cm.from ?? 0, fx = clamp(cm.toFixed ?? 0, 0, 20);
    const fmt = v => { let s = v.toFixed(fx); if (/^-0(\.0+)?$/.test(s)) s = s.slice(1); return (cm.prefix ?? '') + s + (cm.postfix ?? ''); };
    const p = clamp(Math.max(0, f - (cm.delay || 0)) / (cm.duration ?? fps), 0, 1);
    b.style.fontVariantNumeric = 'tabular-nums';
    const A = fmt(from), B = fmt(to), wide = B.length >= A.length ? B : A;
    b.textContent = wide; sizeText(o, box, b, wide); b.style.minWidth = px(b.getBoundingClientRect().width); // room for the longer end
    b.textContent = fmt(lerp(from, to, easing(cm.easing)(p)));
    if (at && at.enabled && (at.split || 'none') === 'none') { const d = el({ display: 'block' }, null); d.textContent = b.textContent; b.replaceChildren(d); applyMotion(d, motionStyle(at, f, 0, 0, fps)); }
    return;
  }
  b.textContent = text; sizeText(o, box, b, text);
  if (at && at.enabled) {
    const split = at.split || 'none', stg = at.splitStagger || 0;
    const glitch = (s, g, ui) => { if (!(g > 0)) return s; const CS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!@#$%^&*()_+-=[]{}|;:,.<>?/~`'; return graphemes(s).map((c, ci) => /\s/.test(c) ? c : rnd(`glitch-${F}-${ui}-${ci}`) < g ? CS[Math.floor(rnd(`char-${F}-${ui}-${ci}`) * CS.length)] : c).join(''); };
    if (split === 'none' || split === 'line') {
      b.textContent = '';
      (split === 'none' ? [text] : text.split('\n')).forEach((u, i) => { const d = el({ display: 'block', minHeight: '1lh' }, b); const m = motionStyle(at, f, i, stg, fps); d.textContent = glitch(u, m.glitch, i); applyMotion(d, m); });
      return;
    }
    const units = split === 'word' ? text.split(/(\s+)/).filter(s => s.length) : split === 'character' ? graphemes(text) : text.split(split);
    const node = b.firstChild, br = b.getBoundingClientRect(), bl = parseFloat(getComputedStyle(b).borderLeftWidth) || 0, bt = parseFloat(getComputedStyle(b).borderTopWidth) || 0;
    let pos = 0; const plan = [];
    units.forEach((u, i) => { const r = document.createRange(); r.setStart(node, pos); r.setEnd(node, pos + u.length); pos += u.length; plan.push([u, i, r.getBoundingClientRect()]); });
    const hid = el({ visibility: 'hidden' }, null, 'span'); hid.textContent = text; b.replaceChildren(hid);
    for (const [u, i, r] of plan) {
      if (/^\s*$/.test(u)) continue;
      const s = el({ position: 'absolute', left: px(r.left - br.left - bl), top: px(r.top - br.top - bt), width: px(r.width), height: px(r.height), lineHeight: px(r.height), whiteSpace: 'pre', textAlign: 'left' }, b, 'span');
      const m = motionStyle(at, f, i, stg, fps); s.textContent = glitch(u, m.glitch, i); applyMotion(s, m);
    }
    return;
  }
  if (smOn(sm)) {
    const lines = text.split('\n'); b.textContent = '';
    lines.forEach((l, i) => { const d = el({ display: 'block', minHeight: '1lh' }, b); d.textContent = l; applyMotion(d, motionStyle(sm, f, staggerIndex(sm.staggerDirection, i, lines.length), sm.stagger || 0, fps)); });
    return;
  }
  if (R.en === 'typing') {
    const G = graphemes(text), n = R.hasDur ? Math.floor(G.length * R.u + 1e-9) : Math.floor(f / 4);
    b.textContent = ''; b.appendChild(document.createTextNode(G.slice(0, n).join(''))); el({ visibility: 'hidden' }, b, 'span').textContent = G.slice(n).join('');
  }
}

// ---- media
let base = document.baseURI; // media are relative to the composition
const IMG = new Map();
async function loadImg(src) { if (!IMG.has(src)) { const i = new Image(); i.src = new URL(src, base).href; IMG.set(src, i.decode().then(() => i)); } return IMG.get(src); }
function position(pos) { // [x, y], each { p: percent, d: px }
  const KW = { left: 0, top: 0, center: 50, right: 100, bottom: 100 }, t = String(pos || '50% 50%').trim().split(/\s+/), one = v => v in KW ? { p: KW[v], d: 0 } : /%$/.test(v) ? { p: parseFloat(v), d: 0 } : { p: 0, d: parseFloat(v) || 0 };
  if (t.length === 1) t.push('center'); if (/^(top|bottom)$/.test(t[0]) || /^(left|right)$/.test(t[1])) t.reverse(); return [one(t[0]), one(t[1])];
}
function placement(fit, iw, ih, W, H, pos) {
  let s; if (fit === 'fill') return [0, 0, W, H];
  if (fit === 'contain') s = Math.min(W / iw, H / ih); else if (fit === 'none') s = 1; else if (fit === 'scale-down') s = Math.min(1, W / iw, H / ih); else s = Math.max(W / iw, H / ih);
  const w = iw * s, h = ih * s, [a, b] = position(pos); return [(W - w) * a.p / 100 + a.d, (H - h) * b.p / 100 + b.d, w, h];
}
function keyed(img, gs, fit, W, H, pos) { // §11 [D]
  const c = document.createElement('canvas'); c.width = W; c.height = H; const x = c.getContext('2d', { willReadFrequently: true });
  x.imageSmoothingQuality = 'high'; x.drawImage(img, ...placement(fit, img.naturalWidth, img.naturalHeight, W, H, pos));
  const d = x.getImageData(0, 0, W, H), p = d.data, T = { red: 100, green: 100, blue: 100, ...(gs.threshold || {}) }, S = gs.sensitivity ?? 100, spill = gs.spill ?? 0;
  let A = new Float64Array(W * H);
  for (let i = 0; i < W * H; i++) {
    const r = p[4 * i], g = p[4 * i + 1], bl = p[4 * i + 2]; let a = p[4 * i + 3]; const mx = Math.max(r, bl);
    const hit = g > T.green && r < T.red && bl < T.blue;
    if (hit) a *= 1 - Math.min(1, (g - mx) / 255 * S / 100);
    if (spill > 0 && g > mx) p[4 * i + 1] = g - (g - mx) * spill;
    A[i] = a;
  }
  const q = Math.min(10, Math.round(gs.smoothing ?? 0));
  if (q > 0) {
    const B = new Float64Array(W * H), n = 2 * q + 1;
    for (let y = 0; y < H; y++) for (let xx = 0; xx < W; xx++) { let s = 0; for (let k = -q; k <= q; k++) s += A[y * W + clamp(xx + k, 0, W - 1)]; B[y * W + xx] = s / n; }
    for (let y = 0; y < H; y++) for (let xx = 0; xx < W; xx++) { let s = 0; for (let k = -q; k <= q; k++) s += B[clamp(y + k, 0, H - 1) * W + xx]; A[y * W + xx] = s / n; }
  }
  for (let i = 0; i < W * H; i++) p[4 * i + 3] = Math.round(A[i]);
  x.putImageData(d, 0, 0); return c;
}
async function buildMedia(o, host, f, fps) {
  const st = o.styles || {}, three = st.layout3D && st.layout3D.layout && st.layout3D.layout !== 'none' && o.type === 'image';
  let h = host;
  if (st.cropEnabled) { const X = st.cropX ?? 0, Y = st.cropY ?? 0, w = st.cropWidth ?? 100, hh = st.cropHeight ?? 100; h = el({ position: 'absolute', inset: '0', clipPath: `inset(${Y}% ${100 - X - w}% ${100 - Y - hh}% ${X}%)` }, h); }
  const c = el({ position: 'absolute', inset: '0', overflow: three ? 'visible' : 'hidden' }, h);
  for (const k of ['padding', 'borderRadius', 'border', 'boxShadow', 'clipPath']) if (st[k]) c.style[k] = st[k];
  if (st.paddingBackgroundColor && !three) c.style.backgroundColor = st.paddingBackgroundColor;
  const inner = el({ width: '100%', height: '100%' }, c), d = LOOPS.includes(norm(o.styles?.animation?.during)) ? null : during(o, f, fps);
  if (d) { if (d.transform) inner.style.transform = d.transform; if (d.opacity) inner.style.opacity = d.opacity; }
  const img = await loadImg(o.src); let m;
  const fit = st.objectFit || 'cover';
  if (o.greenscreen && o.greenscreen.enabled) { const r = inner.getBoundingClientRect(); m = keyed(img, o.greenscreen, fit, Math.round(r.width || o.width), Math.round(r.height || o.height), st.objectPosition); m.style.width = m.style.height = '100%'; }
  else { m = new Image(); m.src = img.src; await m.decode(); Object.assign(m.style, { width: '100%', height: '100%', objectFit: fit, objectPosition: st.objectPosition || '50% 50%' }); }
  m.style.display = 'block'; if (st.filter) m.style.filter = st.filter; inner.appendChild(m);
}

// ---- §18 shapes
const POLY = { triangle: '50 0,100 100,0 100', diamond: '50 0,100 50,50 100,0 50', rhombus: '50 0,100 50,50 100,0 50', pentagon: '50 0,100 38.2,80.9 100,19.1 100,0 38.2', hexagon: '25 0,75 0,100 50,75 100,25 100,0 50', octagon: '30 0,70 0,100 30,100 70,70 100,30 100,0 70,0 30', star: '50 0,61 35,98 35,68 57,79 91,50 70,21 91,32 57,2 35,39 35' };
const RECT = { rectangle: 1, rect: 1, square: 1, roundedrectangle: 1, pill: 1, capsule: 1, circle: 1 };
function buildShape(o, host, f) {
  const st = o.styles || {}, W = o.width, H = o.height, id = norm(o.content), raw = String(o.content || '');
  let paint = st.fill || '#3B82F6'; if (st.gradient) paint = st.gradient;
  if (st.gradientTransition && st.gradientTransition.enabled !== false && st.gradientTransition.gradients?.length) paint = gradientAt(st.gradientTransition, f, o.durationInFrames);
  const isGrad = /gradient\(/.test(paint), stroke = st.stroke && st.stroke !== 'none' ? st.stroke : null, sw = stroke ? (st.strokeWidth ?? 2) : 0;
  const literal = /^[Mm]/.test(raw) && /\d/.test(raw) ? 'path' : /^polygon\(/.test(raw) ? 'poly' : null;
  const known = literal || POLY[id] || RECT[id] || id === 'ellipse' || id === 'oval';
  if (!known || (RECT[id] && !literal)) {
    let x = 0, y = 0, w = W, h = H; if (id === 'square' || id === 'circle') { w = h = Math.min(W, H); x = (W - w) / 2; y = (H - h) / 2; }
    let rad = st.borderRadius || '0'; if (id === 'circle') rad = '50%'; if (id === 'pill' || id === 'capsule') rad = px(Math.min(w, h) / 2); if (id === 'roundedrectangle' && !st.borderRadius) rad = px(.12 * Math.min(w, h));
    const d = el({ position: 'absolute', left: px(x), top: px(y), width: px(w), height: px(h), borderRadius: rad }, host);
    d.style.background = paint; if (st.boxShadow) d.style.boxShadow = st.boxShadow;
    if (sw) el({ position: 'absolute', left: px(x), top: px(y), width: px(w), height: px(h), borderRadius: rad, border: `${sw}px solid ${stroke}` }, host);
    return;
  }
  const i = sw / 2, gw = W - sw, gh = H - sw; let dstr;
  if (id === 'ellipse' || id === 'oval') { const rx = gw / 2, ry = gh / 2; dstr = `M ${i} ${H / 2} A ${rx} ${ry} 0 1 1 ${W - i} ${H / 2} A ${rx} ${ry} 0 1 1 ${i} ${H / 2} Z`; }
  else if (literal === 'path') dstr = null;
  else { const pts = (literal === 'poly' ? raw.slice(8, -1).replace(/%/g, '') : POLY[id]).split(',').map(p => p.trim().split(/\s+/).map(Number)); dstr = 'M ' + pts.map(([a, c]) => `${i + a / 100 * gw} ${i + c / 100 * gh}`).join(' L ') + ' Z'; }
  const NS = 'http://www.w3.org/2000/svg', svg = document.createElementNS(NS, 'svg'); svg.setAttribute('width', W); svg.setAttribute('height', H); Object.assign(svg.style, { position: 'absolute', left: 0, top: 0, overflow: 'visible' });
  const mk = () => { const p = document.createElementNS(NS, 'path'); if (dstr) p.setAttribute('d', dstr); else { p.setAttribute('d', raw); p.setAttribute('transform', `translate(${i} ${i}) scale(${gw / 100} ${gh / 100})`); p.setAttribute('vector-effect', 'non-scaling-stroke'); } return p; };
  const under = []; if (st.boxShadow && st.boxShadow !== 'none') for (const t of splitTop(st.boxShadow).reverse()) { // silhouette, offset, sigma = blur / 2; spread and inset have no meaning here
    if (/\binset\b/.test(t)) continue; const v = [], color = t.replace(/(^|\s)(-?[\d.]+)(px)?(?=\s|$)/g, (m, a, k) => { v.push(+k); return ' '; }).trim() || '#000', q = mk();
    q.setAttribute('fill', color); if (stroke) { q.setAttribute('stroke', color); q.setAttribute('stroke-width', sw); }
    const g = document.createElementNS(NS, 'svg'); g.setAttribute('width', W); g.setAttribute('height', H); Object.assign(g.style, { position: 'absolute', left: px(v[0] || 0), top: px(v[1] || 0), overflow: 'visible' }); if (v[2] > 0) g.style.filter = `blur(${v[2] / 2}px)`; g.appendChild(q); under.push(g);
  }
  under.forEach(g => host.appendChild(g));
  if (isGrad) { const d = el({ position: 'absolute', inset: '0', background: paint }, host); if (dstr) d.style.clipPath = `path("${dstr}")`; else { const k = document.createElementNS(NS, 'clipPath'); k.id = `c${o.id}`; k.appendChild(mk()); svg.appendChild(k); d.style.clipPath = `url(#c${o.id})`; } }
  const p = mk(); p.setAttribute('fill', isGrad ? 'none' : paint); if (stroke) { p.setAttribute('stroke', stroke); p.setAttribute('stroke-width', sw); } svg.appendChild(p); host.appendChild(svg);
}

// ---- §8 gradient transition
const cctx = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
function rgba(c) { cctx.clearRect(0, 0, 1, 1); cctx.fillStyle = '#000'; cctx.fillStyle = c; cctx.fillRect(0, 0, 1, 1); const d = cctx.getImageData(0, 0, 1, 1).data; return [d[0] / 255, d[1] / 255, d[2] / 255, d[3] / 255]; }
const s2l = v => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4, l2s = v => v <= .0031308 ? 12.92 * v : 1.055 * v ** (1 / 2.4) - .055;
function toLch([r, g, b]) { r = s2l(r); g = s2l(g); b = s2l(b); const l = Math.cbrt(.4122214708 * r + .5363325363 * g + .0514459929 * b), m = Math.cbrt(.2119034982 * r + .6806995451 * g + .1073969566 * b), s = Math.cbrt(.0883024619 * r + .2817188376 * g + .6299787005 * b); const L_ = .2104542553 * l + .793617785 * m - .0040720468 * s, a = 1.9779984951 * l - 2.428592205 * m + .4505937099 * s, bb = .0259040371 * l + .7827717662 * m - .808675766 * s; return [L_, Math.hypot(a, bb), Math.atan2(bb, a)]; }
function fromLch([L_, C, h]) { const a = C * Math.cos(h), b = C * Math.sin(h), l = (L_ + .3963377774 * a + .2158037573 * b) ** 3, m = (L_ - .1055613458 * a - .0638541728 * b) ** 3, s = (L_ - .0894841775 * a - 1.291485548 * b) ** 3; return [4.0767416621 * l - 3.3077115913 * m + .2309699292 * s, -1.2684380046 * l + 2.6097574011 * m - .3413193965 * s, -.0041960863 * l - .7034186147 * m + 1.707614701 * s].map(v => clamp(l2s(clamp(v, 0, 1)), 0, 1)); }
function mixOklch(c1_, c2_, t) { const A = rgba(c1_), B = rgba(c2_), a = toLch(A), b = toLch(B); if (a[1] < 1e-4) a[2] = b[2]; if (b[1] < 1e-4) b[2] = a[2]; let dh = b[2] - a[2]; while (dh > Math.PI) dh -= 2 * Math.PI; while (dh < -Math.PI) dh += 2 * Math.PI; const o = fromLch([lerp(a[0], b[0], t), lerp(a[1], b[1], t), a[2] + dh * t]); return `rgba(${o.map(v => Math.round(v * 255 * 1000) / 1000).join(',')},${lerp(A[3], B[3], t)})`; }
const splitTop = s => { const out = []; let d = 0, cur = ''; for (const ch of s) { if (ch === '(') d++; if (ch === ')') d--; if (ch === ',' && !d) { out.push(cur.trim()); cur = ''; } else cur += ch; } if (cur.trim()) out.push(cur.trim()); return out; };
function parseGrad(g) {
  const m = g.trim().match(/^(linear|radial|conic)-gradient\((.*)\)$/s); if (!m) return null;
  const parts = splitTop(m[2]), G = { type: m[1], angle: m[1] === 'linear' ? 180 : 0, shape: 'ellipse', cx: 50, cy: 50, stops: [] };
  const KW = { top: 0, 'top right': 45, 'right top': 45, right: 90, 'bottom right': 135, 'right bottom': 135, bottom: 180, 'bottom left': 225, 'left bottom': 225, left: 270, 'top left': 315, 'left top': 315 };
  const first = parts[0]; let skip = false;
  const ang = s => { const k = s.match(/(-?[\d.]+)(deg|turn|rad|grad)/); return k ? parseFloat(k[1]) * { deg: 1, turn: 360, rad: 180 / Math.PI, grad: .9 }[k[2]] : null; };
  if (G.type === 'linear' && (/^to /.test(first) || /^-?[\d.]+(deg|turn|rad|grad)$/.test(first))) { G.angle = /^to /.test(first) ? KW[first.slice(3).trim()] : ang(first); skip = true; }
  if (G.type === 'radial' && /^(circle|ellipse|at )/.test(first)) { if (/circle/.test(first)) G.shape = 'circle'; skip = true; }
  if (G.type === 'conic' && /^(from|at )/.test(first)) { if (/from/.test(first)) G.angle = ang(first); skip = true; }
  if (skip && G.type === 'radial' && /side|corner|\d(px|em)|\d%.* at|(circle|ellipse) [\d.]/.test(first)) return null; // explicit sizes are not interpolated
  const at = skip && first.match(/(?:^|\s)at (.+)$/); if (at) { const [a, b] = position(at[1]); if (a.d || b.d) return null; G.cx = a.p; G.cy = b.p; }
  for (const p of parts.slice(skip ? 1 : 0)) { const k = p.match(/^(.*?)(?:\s+(-?[\d.]+)%)?$/s); if (!CSS.supports('color', k[1].trim())) return null; G.stops.push({ c: k[1].trim(), p: k[2] != null ? +k[2] : null }); }
  const s = G.stops; if (s.length === 1) s[0].p ??= 50; s[0].p ??= 0; s[s.length - 1].p ??= 100;
  for (let i = 1; i < s.length - 1; i++) if (s[i].p == null) { let j = i; while (s[j].p == null) j++; const a = s[i - 1].p, b = s[j].p, n = j - i + 1; for (let k = i; k < j; k++) s[k].p = a + (b - a) * (k - i + 1) / n; }
  return G;
}
function gradientAt(gt, f, D) {
  const n = gt.gradients.length; if (n === 1) return gt.gradients[0];
  const p = clamp(f / Math.max(1, gt.duration ?? D), 0, 1), seg = Math.min(n - 2, Math.floor(p * (n - 1))), t = easing(gt.easing)(clamp(p * (n - 1) - seg, 0, 1));
  const A = parseGrad(gt.gradients[seg]), B = parseGrad(gt.gradients[seg + 1]); if (!A || !B) return `-webkit-cross-fade(${gt.gradients[seg]}, ${gt.gradients[seg + 1]}, ${t * 100}%)`;
  const pick = t < .5 ? A : B, len = Math.max(A.stops.length, B.stops.length), padS = s => { const o = s.slice(); while (o.length < len) o.push({ ...o[o.length - 1] }); return o; };
  let da = ((B.angle - A.angle) % 360 + 540) % 360 - 180; if (da === -180) da = 180; const angle = A.angle + da * t;
  const sa = padS(A.stops), sb = padS(B.stops), stops = sa.map((s, i) => `${mixOklch(s.c, sb[i].c, t)} ${lerp(s.p, sb[i].p, t)}%`).join(', ');
  const at = `at ${lerp(A.cx, B.cx, t)}% ${lerp(A.cy, B.cy, t)}%`;
  return pick.type === 'linear' ? `linear-gradient(${angle}deg, ${stops})` : pick.type === 'radial' ? `radial-gradient(${pick.shape} ${at}, ${stops})` : `conic-gradient(from ${angle}deg ${at}, ${stops})`;
}

// ---- §15 captions
const B = a => `rgba(0,0,0,${a})`;
const TPL = {
  classic: { s: { fontFamily: 'Inter', fontSize: '2.2rem', fontWeight: 500, lineHeight: 1.4, letterSpacing: '0.01em', padding: '12px', color: '#fff', textShadow: `2px 2px 4px ${B(.6)}, 0 0 20px ${B(.3)}` }, h: { backgroundColor: 'rgba(59,130,246,.92)', color: '#fff', scale: 1.06, fontWeight: 600, borderRadius: '6px', padding: '2px 8px' } },
  hustle: { s: { fontFamily: 'Montserrat', fontSize: '2.2rem', fontWeight: 800, lineHeight: 1.3, letterSpacing: '-0.02em', color: '#fff', textShadow: `3px 3px 0 ${B(.8)}` }, h: { backgroundColor: '#FF3B3B', color: '#fff', scale: 1.08, fontWeight: 800, borderRadius: '2px', padding: '4px 12px' } },
  medusa: { s: { fontFamily: 'Space Grotesk', fontSize: '2rem', fontWeight: 500, lineHeight: 1.3, letterSpacing: '0.02em', color: '#fff' }, h: { backgroundColor: 'rgba(34,197,94,.95)', color: '#fff', scale: 1.06, fontWeight: 600, borderRadius: '8px', padding: '4px 12px' } },
  minimal: { s: { fontFamily: 'Inter', fontSize: '1.5rem', lineHeight: 1.2, backgroundColor: B(.6), padding: '4px 22px', color: '#fff' }, h: { backgroundColor: B(.8), color: '#fff', scale: 1.02, fontWeight: 500, borderRadius: '4px', padding: '2px 8px' } },
  retro: { s: { fontFamily: 'Rubik Mono One', fontSize: '1.8rem', lineHeight: 1.2, letterSpacing: '0.02em', color: '#FFD700', textShadow: '3px 3px 0 #FF4500' }, h: { backgroundColor: '#FF4500', color: '#FFD700', textShadow: '2px 2px 0 #000', scale: 1.05, fontWeight: 400, borderRadius: '0', padding: '2px 8px' } },
  cinematic: { s: { fontFamily: 'Playfair Display', fontSize: '2.4rem', fontWeight: 700, lineHeight: 1.3, letterSpacing: '0.03em', color: '#fff', textShadow: `2px 2px 8px ${B(.6)}` }, h: { backgroundColor: 'rgba(245,158,11,.9)', color: '#fff', scale: 1.06, fontWeight: 700, borderRadius: '2px', padding: '4px 16px' } },
};
function buildCaption(o, host, f, fps) {
  const ms = f / fps * 1000, tpl = TPL[norm(o.template)] || TPL.classic, given = o.styles || {};
  const s = { ...tpl.s, ...given }, h = { ...tpl.h, ...(given.highlightStyle || {}) };
  const caps = o.captions || [], cap = caps.find((c, i) => c.startMs <= ms && (ms < c.endMs || (ms === c.endMs && !(caps[i + 1] && caps[i + 1].startMs === c.endMs)))); if (!cap) return;
  let words = cap.words || [];
  if (!words.length) { const ws = cap.text.split(/\s+/).filter(Boolean), tot = ws.reduce((a, w) => a + graphemes(w).length, 0); let t = cap.startMs; words = ws.map(w => { const d = (cap.endMs - cap.startMs) * graphemes(w).length / tot, r = { word: w, startMs: t, endMs: t + d }; t += d; return r; }); }
  const ta = s.textAlign || 'center', jc = ta === 'left' ? 'flex-start' : ta === 'right' ? 'flex-end' : 'center';
  const c = el({ position: 'absolute', inset: '0', display: 'flex', alignItems: 'center', justifyContent: jc, overflow: 'hidden', fontSize: s.fontSize || '2.2rem', fontFamily: family(s.fontFamily), lineHeight: String(s.lineHeight ?? 1.4), color: s.color || '#fff' }, host);
  const line = el({ display: 'flex', flexWrap: 'wrap', justifyContent: jc, alignItems: 'center', gap: '2px', maxWidth: '100%', padding: s.padding || '16px' }, c); // the padded block fits its words and carries the background
  for (const k of ['letterSpacing', 'textShadow', 'borderRadius', 'backdropFilter', 'background', 'backgroundColor']) if (s[k] != null) line.style[k] = s[k];
  const wt = (v, d) => v === 'bold' ? 700 : v === 'normal' ? 400 : Number(v ?? d) || d, nw = wt(s.fontWeight, 400), hw = wt(h.fontWeight, 600), heavy = Math.max(nw, hw);
  const tk = String(h.transition || '').match(/([\d.]+)(ms|s)\b/), ramp = tk ? parseFloat(tk[1]) * (tk[2] === 's' ? 1000 : 1) : null; // given: also cross-fades colour and background
  let lit = -1; words.forEach((w, i) => { if (lit < 0 && w.startMs <= ms && ms <= w.endMs) lit = i; if (w.startMs <= ms && ms <= w.endMs && words[i - 1] && words[i - 1].endMs === w.startMs && ms === w.startMs) lit = i; });
  words.forEach((w, i) => {
    const on = i === lit, pr = on ? ramp === 0 ? 1 : Math.min((ms - w.startMs) / (ramp ?? 300), 1) : 0;
    const d = el({ display: 'inline-grid', padding: h.padding || '4px 8px', borderRadius: h.borderRadius || '4px', margin: '0 2px', textAlign: 'center', opacity: on ? '1' : '0.85', flex: 'none', maxWidth: '100%' }, line);
    const g = el({ gridArea: '1/1', visibility: 'hidden', fontWeight: String(heavy) }, d); g.textContent = w.word;
    const t = el({ gridArea: '1/1', fontWeight: String(on ? hw : nw) }, d); t.textContent = w.word;
    if (h.border) { d.style.border = h.border; if (!on) d.style.borderColor = 'transparent'; } // its room is kept on every word
    if (on) {
      const bg = ramp == null ? d : el({ position: 'absolute', inset: '0', zIndex: '-1', borderRadius: 'inherit', opacity: String(pr) }, d); if (bg !== d) d.style.position = 'relative';
      if (h.backgroundColor) bg.style.backgroundColor = h.backgroundColor; if (h.background) bg.style.background = h.background; if (h.color) d.style.color = ramp == null ? h.color : `color-mix(in srgb, ${h.color} ${pr * 100}%, ${s.color || '#fff'})`; if (h.textShadow) d.style.textShadow = h.textShadow; if (h.backdropFilter) d.style.backdropFilter = h.backdropFilter;
      d.style.transform = `scale(${h.scale != null ? 1 + (h.scale - 1) * pr : 1.08})`;
    }
  });
}

// ---- §9 effects
async function buildEffect(o, host, f, fps) {
  const st = o.styles || {}, W = o.width, H = o.height, id = norm(o.content), vm = Math.min(W, H) / 100, K = fps / 30, sm = st.staggeredMotion; // built-in numbers are in 1/30 s, given ones in frames
  const root = el({ position: 'absolute', inset: '0', overflow: 'hidden' }, host);
  const cellBg = async (d, src, w, h) => { const i = await loadImg(src); Object.assign(d.style, { backgroundImage: `url(${i.src})`, backgroundSize: 'cover', backgroundPosition: '50% 50%' }); };
  if (id === 'matrix') {
    const fs = st.matrixFontSize || 20, color = st.matrixColor || st.color || '#00FF00', dens = clamp(st.matrixDensity ?? 1, 0, 1), speed = st.speed ?? 1, cs = graphemes(st.matrixCharset || '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!@#$%^&*()_+-=[]{}|;:,.<>?/~`'), tick = f / K;
    const cols = Math.floor(W / fs), rows = Math.ceil(H / fs), LEN = 20;
    for (let c = 0; c < cols; c++) {
      if (!(rnd(c) < dens)) continue;
      const sp = speed * (.5 + 1.5 * rnd(c + 1)), off = rnd(c + 2) * (H + LEN * fs), head = (tick * sp * fs + off) % (H + LEN * fs);
      for (let r = 0; r < rows; r++) {
        const dist = (head - r * fs) / fs; if (!(dist >= 0 && dist < LEN)) continue;
        const d = el({ position: 'absolute', left: px(c * fs), top: px(r * fs), width: px(fs), height: px(fs), lineHeight: px(fs), fontSize: px(fs), fontFamily: '"Roboto Mono"', textAlign: 'center', color, whiteSpace: 'pre' }, root);
        d.textContent = cs[Math.floor(rnd(1000 * c + 100 * r + Math.floor(tick / 4)) * cs.length)];
        if (dist < 1) { d.style.color = '#fff'; d.style.fontWeight = '700'; d.style.textShadow = '0 0 8px #fff'; } else d.style.opacity = String(1 - dist / LEN);
      }
    }
  } else if (id === 'gridstagger') {
    const cols = st.gridCols ?? 4, rows = st.gridRows ?? 4, gap = st.columnGap ?? 20, pad = 60, n = cols * rows, pics = st.cellImages?.length ? st.cellImages : null;
    const size = Math.min((W - 2 * pad - gap * (cols - 1)) / cols, (H - 2 * pad - gap * (rows - 1)) / rows);
    const cw = pics ? (W - 2 * pad - gap * (cols - 1)) / cols : size, ch = pics ? (H - 2 * pad - gap * (rows - 1)) / rows : size; // pictures fill the box
    const x0 = (W - (cols * cw + (cols - 1) * gap)) / 2, y0 = (H - (rows * ch + (rows - 1) * gap)) / 2;
    const cfg = smOn(sm) ? sm : { scale: [0, 1], opacity: [0, 1], duration: st.animDuration ?? 45 * K, easing: 'spring' };
    const stg = smOn(sm) ? (sm.stagger || 0) : (st.staggerDelay ?? 3 * K), dir = smOn(sm) ? sm.staggerDirection : (st.staggerDir || 'center');
    for (let i = 0; i < n; i++) {
      const d = el({ position: 'absolute', left: px(x0 + (i % cols) * (cw + gap)), top: px(y0 + Math.floor(i / cols) * (ch + gap)), width: px(cw), height: px(ch), borderRadius: pics ? px(.12 * Math.min(cw, ch)) : '50%' }, root);
      if (pics) await cellBg(d, pics[i % pics.length]); else d.style.backgroundColor = st.cellColors?.length ? st.cellColors[i % st.cellColors.length] : '#6366F1';
      applyMotion(d, motionStyle(cfg, f, staggerIndex(dir, i, n), stg, fps));
    }
  } else if (id === 'fracture') { // out -> home (leg) -> hold -> out (leg), a tile starts later the farther it is from the centre tile
    const cols = st.gridCols ?? 5, rows = st.gridRows ?? 5, ts = 14 * vm, gap = 1.2 * vm, TW = cols * ts + (cols - 1) * gap, TH = rows * ts + (rows - 1) * gap, x0 = (W - TW) / 2, y0 = (H - TH) / 2, pics = st.cellImages?.length ? st.cellImages : null;
    const step = st.staggerDelay ?? 4 * K, leg = st.animDuration ?? 55 * K, far = (r, c) => Math.abs(r - Math.floor(rows / 2)) + Math.abs(c - Math.floor(cols / 2)), maxDelay = step * Math.max(far(0, 0), far(0, cols - 1), far(rows - 1, 0), far(rows - 1, cols - 1)), hold = Math.max(0, o.durationInFrames - 2 * leg - maxDelay), e = EASE.easeinoutcubic;
    for (let r = 0; r < rows; r++) for (let c = 0; c < cols; c++) {
      const i = r * cols + c, t = f - step * far(r, c), q = t < leg + hold ? e(clamp(t / leg, 0, 1)) : e(clamp(1 - (t - leg - hold) / leg, 0, 1)), R = k => rnd(`frac-${k}-${i}`), m = 1 - q;
      const d = el({ position: 'absolute', left: px(x0 + c * (ts + gap)), top: px(y0 + r * (ts + gap)), width: px(ts), height: px(ts), borderRadius: px(1.5 * vm), overflow: 'hidden' }, root);
      if (pics && pics.length === 1) { const im = new Image(); im.src = (await loadImg(pics[0])).src; await im.decode(); Object.assign(im.style, { position: 'absolute', left: px(-c * (ts + gap)), top: px(-r * (ts + gap)), width: px(TW), height: px(TH), maxWidth: 'none', objectFit: 'cover' }); d.appendChild(im); }
      else if (pics) await cellBg(d, pics[i % pics.length]); else d.style.backgroundColor = st.cellColors?.length ? st.cellColors[i % st.cellColors.length] : '#6366F1';
      if (smOn(sm)) applyMotion(d, motionStyle(sm, f, staggerIndex(sm.staggerDirection, i, rows * cols), sm.stagger || 0, fps));
      else { d.style.opacity = String(q); if (m > 0) d.style.transform = `perspective(${100 * vm}px) translate3d(${lerp(-80, 80, R('x')) * vm * m}px,${lerp(-80, 80, R('y')) * vm * m}px,${lerp(-120, 20, R('z')) * vm * m}px) rotateX(${lerp(-180, 180, R('rx')) * m}deg) rotateY(${lerp(-180, 180, R('ry')) * m}deg) rotateZ(${lerp(-90, 90, R('rz')) * m}deg)`; }
    }
  } else if (id === 'scrollingcolumns') {
    const cols = st.columns?.length ? st.columns : [80, 140, 100, 120].map((speed, k) => ({ images: (st.cellImages || []).filter((_, q) => q % 4 === k), speed, direction: k % 2 ? 'down' : 'up' })), ih = st.imageHeight ?? 300, gap = 20, cg = st.columnGap ?? 20, mul = st.speed ?? 1, cw = (W - cg * (cols.length - 1)) / cols.length;
    for (let k = 0; k < cols.length; k++) {
      const C = cols[k], n = C.images?.length || 0; if (!n) continue; const content = n * (ih + gap), off = f / fps * (C.speed ?? 100) * mul, y = (C.direction || 'up') === 'up' ? -(off % content) : (off % content) - content, reps = Math.max(2, Math.ceil(H / content) + 1);
      const col = el({ position: 'absolute', left: px(k * (cw + cg)), top: '0', width: px(cw), height: px(H), overflow: 'hidden' }, root); if (smOn(sm)) applyMotion(col, motionStyle(sm, f, staggerIndex(sm.staggerDirection, k, cols.length), sm.stagger || 0, fps));
      const tr = el({ position: 'absolute', left: '0', top: '0', width: '100%', transform: `translateY(${y}px)` }, col);
      for (let q = 0; q < reps * n; q++) { const im = new Image(); im.src = (await loadImg(C.images[q % n])).src; await im.decode(); Object.assign(im.style, { position: 'absolute', left: '0', top: px(q * (ih + gap)), width: '100%', height: px(ih), objectFit: 'cover', borderRadius: '8px' }); tr.appendChild(im); }
    }
  }
}

// ---- §1 layer stack
async function drawOverlay(o, canvas, F, fps) {
  const f = F - o.from; if (f < 0 || f >= o.durationInFrames) return;
  const st = o.styles || {}, R = ramps(o, f, fps), ctx = { id: o.id, f, D: o.durationInFrames };
  let h = el({ position: 'absolute', left: px(o.left), top: px(o.top), width: px(o.width), height: px(o.height), isolation: 'auto' }, canvas);
  if (o.rotation) h.style.transform = `rotate(${o.rotation}deg)`;
  const wrap = () => (h = el({ position: 'absolute', inset: '0' }, h));
  if (R.en && R.u < 1) { if (R.en === 'typing') { wrap().style.opacity = String(R.u); } else if (R.en.enter) rampWrap(wrap(), R.en.enter, R.u, ctx); }
  if (R.ex && R.v > 0 && R.ex.exit) rampWrap(wrap(), R.ex.exit, R.v, ctx);
  const media = o.type === 'image';
  if (['text', 'shape'].includes(o.type) || (media && LOOPS.includes(norm(o.styles?.animation?.during)))) { const d = during(o, f, fps); if (d) { const w = wrap(); if (d.transform) w.style.transform = d.transform; if (d.opacity) w.style.opacity = d.opacity; } }
  if ((media || o.type === 'shape' || (o.type === 'effect' && norm(o.content) === 'matrix')) && smOn(st.staggeredMotion)) applyMotion(wrap(), motionStyle(st.staggeredMotion, f, 0, 0, fps));
  if (media) { const t = layout3D(st.layout3D, R.u); if (t) { const w = wrap(); w.style.transform = t; w.style.backfaceVisibility = 'hidden'; } }
  if (st.transform && st.transform !== 'none') wrap().style.transform = st.transform;
  if (st.opacity != null && st.opacity !== 1) wrap().style.opacity = String(st.opacity);
  // content is laid out and measured in an untransformed lab box, then moved under the wrappers
  const lab = el({ position: 'absolute', left: '0', top: '0', width: px(o.width), height: px(o.height) }, canvas);
  if (o.type === 'text') buildText(o, lab, f, F, fps, R);
  else if (media) await buildMedia(o, lab, f, fps);
  else if (o.type === 'shape') buildShape(o, lab, f);
  else if (o.type === 'caption') buildCaption(o, lab, f, fps);
  else if (o.type === 'effect') await buildEffect(o, lab, f, fps);
  h.appendChild(lab);
}
window.renderFrame = async (comp, F, from) => {
  base = from; IMG.clear();
  document.body.replaceChildren();
  const W = comp.width ?? 1920, H = comp.height ?? 1080, fps = comp.fps ?? 30;
  const canvas = el({ position: 'absolute', left: '0', top: '0', width: px(W), height: px(H), overflow: 'hidden' }, document.body);
  canvas.style.backgroundColor = comp.backgroundColor ?? 'white';
  const order = comp.overlays.map((o, i) => [o, i]).sort((a, b) => b[0].row - a[0].row || a[1] - b[1]);
  for (const [o] of order) await drawOverlay(o, canvas, F, fps);
  await Promise.all([...document.images].map(i => i.decode().catch(() => { })));
  await new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)));
  return [...document.querySelectorAll('*')].length;
};
window.__reference = { rnd, easing, kf, staggerIndex, K15, PRESETS, ALIAS, ramps, during, layout3D, autofit, typeStates, gradientAt, mixOklch, graphemes };
window.loadFonts = async list => {
  for (const f of list) { const face = new FontFace(f.family, `url(/${f.file})`, { weight: String(f.weight), style: f.style }); document.fonts.add(face); await face.load(); }
  return document.fonts.size;
};
})();
