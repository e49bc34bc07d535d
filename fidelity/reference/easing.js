// Easings, keyframes and staggering.
'use strict';

const bezier = (x1, y1, x2, y2) => t => {
  if (t <= 0) return 0;
  if (t >= 1) return 1;
  const B = (a, b, s) => 3 * a * s * (1 - s) * (1 - s) + 3 * b * s * s * (1 - s) + s * s * s;
  let lo = 0,
    hi = 1;
  for (let i = 0; i < 60; i++) {
    const m = (lo + hi) / 2;
    if (B(x1, x2, m) < t) lo = m;
    else hi = m;
  }
  return B(y1, y2, (lo + hi) / 2);
};
const pw = n => ({
  in: t => t ** n,
  out: t => 1 - (1 - t) ** n,
  io: t => (t < 0.5 ? 2 ** (n - 1) * t ** n : 1 - (-2 * t + 2) ** n / 2),
});
const q2 = pw(2),
  q3 = pw(3),
  q4 = pw(4),
  q5 = pw(5);
const spring = t =>
  t <= 0
    ? 0
    : t >= 1
      ? 1
      : 1 - Math.exp(-5 * t) * (Math.cos(Math.sqrt(75) * t) + (5 / Math.sqrt(75)) * Math.sin(Math.sqrt(75) * t));
function springAt(t, m = 1, k = 100, c = 10) {
  // damped oscillator over one second, ends forced to 0 and 1
  if (t <= 0) return 0;
  if (t >= 1) return 1;
  const w = Math.sqrt(k / m),
    z = c / (2 * Math.sqrt(k * m));
  if (z < 1) {
    const d = w * Math.sqrt(1 - z * z);
    return 1 - Math.exp(-z * w * t) * (Math.cos(d * t) + ((z * w) / d) * Math.sin(d * t));
  }
  if (z === 1) return 1 - Math.exp(-w * t) * (1 + w * t);
  const r = w * Math.sqrt(z * z - 1),
    p = -z * w + r,
    q = -z * w - r;
  return 1 - (q * Math.exp(p * t) - p * Math.exp(q * t)) / (q - p);
}
const outBounce = t => {
  const n = 7.5625,
    d = 2.75;
  if (t < 1 / d) return n * t * t;
  if (t < 2 / d) return n * (t -= 1.5 / d) * t + 0.75;
  if (t < 2.5 / d) return n * (t -= 2.25 / d) * t + 0.9375;
  return n * (t -= 2.625 / d) * t + 0.984375;
};
const c1 = 1.70158,
  c3 = c1 + 1;
// prettier-ignore
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
const CSSEASE = {
  ease: bezier(0.25, 0.1, 0.25, 1),
  'ease-in': bezier(0.42, 0, 1, 1),
  'ease-out': bezier(0, 0, 0.58, 1),
  'ease-in-out': bezier(0.42, 0, 0.58, 1),
};
function easing(name) {
  if (!name) return EASE.linear;
  const s = String(name).trim();
  if (CSSEASE[s.toLowerCase()]) return CSSEASE[s.toLowerCase()];
  const m = s.match(/^(cubic-bezier|steps|spring)\(([^)]+)\)$/i),
    a = m && m[2].split(',').map(Number);
  if (m && /^c/i.test(s)) return bezier(...a);
  if (m && /^st/i.test(s)) return t => (t >= 1 ? 1 : Math.floor(t * a[0]) / a[0]);
  if (m) return t => springAt(t, ...a);
  return EASE[norm(s)] || EASE.linear;
}

function kf(arr, p, ease) {
  const n = arr.length;
  if (n === 1) return arr[0];
  const x = p * (n - 1),
    i = Math.min(n - 2, Math.floor(x));
  return lerp(arr[i], arr[i + 1], ease(clamp(x - i, 0, 1)));
}
function motionStyle(cfg, f, idx, stagger, fps) {
  const base = Math.max(0, f - (cfg.delay || 0)),
    rel = base - idx * stagger,
    total = cfg.duration ?? fps,
    p = clamp(rel / Math.max(1e-9, total), 0, 1),
    e = easing(cfg.easing);
  const has = k => Array.isArray(cfg[k]) && cfg[k].length;
  const tr = [],
    st = { p };
  if (has('x')) tr.push(`translateX(${kf(cfg.x, p, e)}px)`);
  if (has('y')) tr.push(`translateY(${kf(cfg.y, p, e)}px)`);
  if (has('scale')) tr.push(`scale(${kf(cfg.scale, p, e)})`);
  if (has('rotate')) tr.push(`rotate(${kf(cfg.rotate, p, e)}deg)`);
  if (tr.length) st.transform = tr.join(' ');
  if (has('blur')) {
    const b = kf(cfg.blur, p, e);
    if (b > 0) st.filter = `blur(${b}px)`;
  }
  if (has('opacity')) st.opacity = String(kf(cfg.opacity, p, e));
  if (has('glitch')) st.glitch = kf(cfg.glitch, p, e);
  return st;
}
const applyMotion = (e, st) => {
  if (st.transform) e.style.transform = st.transform;
  if (st.filter) e.style.filter = st.filter;
  if (st.opacity !== undefined) e.style.opacity = st.opacity;
};
function staggerIndex(dir, i, n) {
  if (dir === 'reverse') return n - 1 - i;
  if (dir === 'center') return Math.abs(i - Math.floor(n / 2));
  if (dir === 'random') {
    const a = [...Array(n).keys()];
    for (let k = n - 1; k > 0; k--) {
      const j = Math.floor(rnd('stagger-' + k) * (k + 1));
      [a[k], a[j]] = [a[j], a[k]];
    }
    return a.indexOf(i);
  }
  return i;
}
const smOn = sm =>
  !!sm &&
  sm.enabled !== false &&
  (sm.enabled === true ||
    ['x', 'y', 'scale', 'opacity', 'rotate', 'blur'].some(k => Array.isArray(sm[k]) && sm[k].length));
