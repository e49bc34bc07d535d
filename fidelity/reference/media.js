// Images: placement, chroma keying, frames.
'use strict';

let base = document.baseURI; // media are relative to the composition
const IMG = new Map();
async function loadImg(src) {
  if (!IMG.has(src)) {
    const i = new Image();
    i.src = new URL(src, base).href;
    IMG.set(
      src,
      i.decode().then(() => i),
    );
  }
  return IMG.get(src);
}
function position(pos) {
  // [x, y], each { p: percent, d: px }
  const KW = { left: 0, top: 0, center: 50, right: 100, bottom: 100 },
    t = String(pos || '50% 50%')
      .trim()
      .split(/\s+/),
    one = v =>
      v in KW ? { p: KW[v], d: 0 } : /%$/.test(v) ? { p: parseFloat(v), d: 0 } : { p: 0, d: parseFloat(v) || 0 };
  if (t.length === 1) t.push('center');
  if (/^(top|bottom)$/.test(t[0]) || /^(left|right)$/.test(t[1])) t.reverse();
  return [one(t[0]), one(t[1])];
}
function placement(fit, iw, ih, W, H, pos) {
  let s;
  if (fit === 'fill') return [0, 0, W, H];
  if (fit === 'contain') s = Math.min(W / iw, H / ih);
  else if (fit === 'none') s = 1;
  else if (fit === 'scale-down') s = Math.min(1, W / iw, H / ih);
  else s = Math.max(W / iw, H / ih);
  const w = iw * s,
    h = ih * s,
    [a, b] = position(pos);
  return [((W - w) * a.p) / 100 + a.d, ((H - h) * b.p) / 100 + b.d, w, h];
}
function keyed(img, gs, fit, W, H, pos) {
  const c = document.createElement('canvas');
  c.width = W;
  c.height = H;
  const x = c.getContext('2d', { willReadFrequently: true });
  x.imageSmoothingQuality = 'high';
  x.drawImage(img, ...placement(fit, img.naturalWidth, img.naturalHeight, W, H, pos));
  const d = x.getImageData(0, 0, W, H),
    p = d.data,
    T = { red: 100, green: 100, blue: 100, ...(gs.threshold || {}) },
    S = gs.sensitivity ?? 100,
    spill = gs.spill ?? 0;
  let A = new Float64Array(W * H);
  for (let i = 0; i < W * H; i++) {
    const r = p[4 * i],
      g = p[4 * i + 1],
      bl = p[4 * i + 2];
    let a = p[4 * i + 3];
    const mx = Math.max(r, bl);
    const hit = g > T.green && r < T.red && bl < T.blue;
    if (hit) a *= 1 - Math.min(1, (((g - mx) / 255) * S) / 100);
    if (spill > 0 && g > mx) p[4 * i + 1] = g - (g - mx) * spill;
    A[i] = a;
  }
  const q = Math.min(10, Math.round(gs.smoothing ?? 0));
  if (q > 0) {
    const B = new Float64Array(W * H),
      n = 2 * q + 1;
    for (let y = 0; y < H; y++)
      for (let xx = 0; xx < W; xx++) {
        let s = 0;
        for (let k = -q; k <= q; k++) s += A[y * W + clamp(xx + k, 0, W - 1)];
        B[y * W + xx] = s / n;
      }
    for (let y = 0; y < H; y++)
      for (let xx = 0; xx < W; xx++) {
        let s = 0;
        for (let k = -q; k <= q; k++) s += B[clamp(y + k, 0, H - 1) * W + xx];
        A[y * W + xx] = s / n;
      }
  }
  for (let i = 0; i < W * H; i++) p[4 * i + 3] = Math.round(A[i]);
  x.putImageData(d, 0, 0);
  return c;
}
async function buildMedia(o, host, f, fps) {
  const st = o.styles || {},
    three = st.layout3D && st.layout3D.layout && st.layout3D.layout !== 'none' && o.type === 'image';
  let h = host;
  if (st.cropEnabled) {
    const X = st.cropX ?? 0,
      Y = st.cropY ?? 0,
      w = st.cropWidth ?? 100,
      hh = st.cropHeight ?? 100;
    h = el({ position: 'absolute', inset: '0', clipPath: `inset(${Y}% ${100 - X - w}% ${100 - Y - hh}% ${X}%)` }, h);
  }
  const c = el({ position: 'absolute', inset: '0', overflow: three ? 'visible' : 'hidden' }, h);
  for (const k of ['padding', 'borderRadius', 'border', 'boxShadow', 'clipPath']) put(c, k, st[k]);
  if (st.paddingBackgroundColor && !three) c.style.backgroundColor = st.paddingBackgroundColor;
  const inner = el({ width: '100%', height: '100%' }, c),
    d = LOOPS.includes(norm(o.styles?.animation?.during)) ? null : during(o, f, fps);
  if (d) {
    if (d.transform) inner.style.transform = d.transform;
    if (d.opacity) inner.style.opacity = d.opacity;
  }
  const img = await loadImg(o.src);
  let m;
  const fit = st.objectFit || 'cover';
  if (o.greenscreen && o.greenscreen.enabled) {
    const r = inner.getBoundingClientRect();
    m = keyed(
      img,
      o.greenscreen,
      fit,
      Math.round(r.width || o.width),
      Math.round(r.height || o.height),
      st.objectPosition,
    );
    m.style.width = m.style.height = '100%';
  } else {
    m = new Image();
    m.src = img.src;
    await m.decode();
    Object.assign(m.style, {
      width: '100%',
      height: '100%',
      objectFit: fit,
      objectPosition: st.objectPosition || '50% 50%',
    });
  }
  m.style.display = 'block';
  if (st.filter) m.style.filter = st.filter;
  inner.appendChild(m);
}
