// Gradient transitions.
'use strict';

const cctx = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
function rgba(c) {
  cctx.clearRect(0, 0, 1, 1);
  cctx.fillStyle = '#000';
  cctx.fillStyle = c;
  cctx.fillRect(0, 0, 1, 1);
  const d = cctx.getImageData(0, 0, 1, 1).data;
  return [d[0] / 255, d[1] / 255, d[2] / 255, d[3] / 255];
}
const s2l = v => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4),
  l2s = v => (v <= 0.0031308 ? 12.92 * v : 1.055 * v ** (1 / 2.4) - 0.055);
function toLch([r, g, b]) {
  r = s2l(r);
  g = s2l(g);
  b = s2l(b);
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b),
    m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b),
    s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const L_ = 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    bb = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  return [L_, Math.hypot(a, bb), Math.atan2(bb, a)];
}
function fromLch([L_, C, h]) {
  const a = C * Math.cos(h),
    b = C * Math.sin(h),
    l = (L_ + 0.3963377774 * a + 0.2158037573 * b) ** 3,
    m = (L_ - 0.1055613458 * a - 0.0638541728 * b) ** 3,
    s = (L_ - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ].map(v => clamp(l2s(clamp(v, 0, 1)), 0, 1));
}
function mixOklch(c1_, c2_, t) {
  const A = rgba(c1_),
    B = rgba(c2_),
    a = toLch(A),
    b = toLch(B);
  if (a[1] < 1e-4) a[2] = b[2];
  if (b[1] < 1e-4) b[2] = a[2];
  let dh = b[2] - a[2];
  while (dh > Math.PI) dh -= 2 * Math.PI;
  while (dh < -Math.PI) dh += 2 * Math.PI;
  const o = fromLch([lerp(a[0], b[0], t), lerp(a[1], b[1], t), a[2] + dh * t]);
  return `rgba(${o.map(v => Math.round(v * 255 * 1000) / 1000).join(',')},${lerp(A[3], B[3], t)})`;
}
const splitTop = s => {
  const out = [];
  let d = 0,
    cur = '';
  for (const ch of s) {
    if (ch === '(') d++;
    if (ch === ')') d--;
    if (ch === ',' && !d) {
      out.push(cur.trim());
      cur = '';
    } else cur += ch;
  }
  if (cur.trim()) out.push(cur.trim());
  return out;
};
function parseGrad(g) {
  const m = g.trim().match(/^(linear|radial|conic)-gradient\((.*)\)$/s);
  if (!m) return null;
  const parts = splitTop(m[2]),
    G = { type: m[1], angle: m[1] === 'linear' ? 180 : 0, shape: 'ellipse', cx: 50, cy: 50, stops: [] };
  const KW = {
    top: 0,
    'top right': 45,
    'right top': 45,
    right: 90,
    'bottom right': 135,
    'right bottom': 135,
    bottom: 180,
    'bottom left': 225,
    'left bottom': 225,
    left: 270,
    'top left': 315,
    'left top': 315,
  };
  const first = parts[0];
  let skip = false;
  const ang = s => {
    const k = s.match(/(-?[\d.]+)(deg|turn|rad|grad)/);
    return k ? parseFloat(k[1]) * { deg: 1, turn: 360, rad: 180 / Math.PI, grad: 0.9 }[k[2]] : null;
  };
  if (G.type === 'linear' && (/^to /.test(first) || /^-?[\d.]+(deg|turn|rad|grad)$/.test(first))) {
    G.angle = /^to /.test(first) ? KW[first.slice(3).trim()] : ang(first);
    skip = true;
  }
  if (G.type === 'radial' && /^(circle|ellipse|at )/.test(first)) {
    if (/circle/.test(first)) G.shape = 'circle';
    skip = true;
  }
  if (G.type === 'conic' && /^(from|at )/.test(first)) {
    if (/from/.test(first)) G.angle = ang(first);
    skip = true;
  }
  if (skip && G.type === 'radial' && /side|corner|\d(px|em)|\d%.* at|(circle|ellipse) [\d.]/.test(first)) return null; // explicit sizes are not interpolated
  const at = skip && first.match(/(?:^|\s)at (.+)$/);
  if (at) {
    const [a, b] = position(at[1]);
    if (a.d || b.d) return null;
    G.cx = a.p;
    G.cy = b.p;
  }
  for (const p of parts.slice(skip ? 1 : 0)) {
    const k = p.match(/^(.*?)(?:\s+(-?[\d.]+)%)?$/s);
    if (!CSS.supports('color', k[1].trim())) return null;
    G.stops.push({ c: k[1].trim(), p: k[2] != null ? +k[2] : null });
  }
  const s = G.stops;
  if (s.length === 1) s[0].p ??= 50;
  s[0].p ??= 0;
  s[s.length - 1].p ??= 100;
  for (let i = 1; i < s.length - 1; i++)
    if (s[i].p == null) {
      let j = i;
      while (s[j].p == null) j++;
      const a = s[i - 1].p,
        b = s[j].p,
        n = j - i + 1;
      for (let k = i; k < j; k++) s[k].p = a + ((b - a) * (k - i + 1)) / n;
    }
  return G;
}
function gradientAt(gt, f, D) {
  const n = gt.gradients.length;
  if (n === 1) return gt.gradients[0];
  const p = clamp(f / Math.max(1, gt.duration ?? D), 0, 1),
    seg = Math.min(n - 2, Math.floor(p * (n - 1))),
    t = easing(gt.easing)(clamp(p * (n - 1) - seg, 0, 1));
  const A = parseGrad(gt.gradients[seg]),
    B = parseGrad(gt.gradients[seg + 1]);
  if (!A || !B) return `-webkit-cross-fade(${gt.gradients[seg]}, ${gt.gradients[seg + 1]}, ${t * 100}%)`;
  const pick = t < 0.5 ? A : B,
    len = Math.max(A.stops.length, B.stops.length),
    padS = s => {
      const o = s.slice();
      while (o.length < len) o.push({ ...o[o.length - 1] });
      return o;
    };
  let da = ((((B.angle - A.angle) % 360) + 540) % 360) - 180;
  if (da === -180) da = 180;
  const angle = A.angle + da * t;
  const sa = padS(A.stops),
    sb = padS(B.stops),
    stops = sa.map((s, i) => `${mixOklch(s.c, sb[i].c, t)} ${lerp(s.p, sb[i].p, t)}%`).join(', ');
  const at = `at ${lerp(A.cx, B.cx, t)}% ${lerp(A.cy, B.cy, t)}%`;
  return pick.type === 'linear'
    ? `linear-gradient(${angle}deg, ${stops})`
    : pick.type === 'radial'
      ? `radial-gradient(${pick.shape} ${at}, ${stops})`
      : `conic-gradient(from ${angle}deg ${at}, ${stops})`;
}
