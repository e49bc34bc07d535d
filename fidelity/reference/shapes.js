// Shapes.
'use strict';

const POLY = {
  triangle: '50 0,100 100,0 100',
  diamond: '50 0,100 50,50 100,0 50',
  rhombus: '50 0,100 50,50 100,0 50',
  pentagon: '50 0,100 38.2,80.9 100,19.1 100,0 38.2',
  hexagon: '25 0,75 0,100 50,75 100,25 100,0 50',
  octagon: '30 0,70 0,100 30,100 70,70 100,30 100,0 70,0 30',
  star: '50 0,61 35,98 35,68 57,79 91,50 70,21 91,32 57,2 35,39 35',
};
const RECT = { rectangle: 1, rect: 1, square: 1, roundedrectangle: 1, pill: 1, capsule: 1, circle: 1 };
function buildShape(o, host, f) {
  const st = o.styles || {},
    W = o.width,
    H = o.height,
    id = norm(o.content),
    raw = String(o.content || '');
  let paint = st.fill || '#3B82F6';
  if (st.gradient) paint = st.gradient;
  if (st.gradientTransition && st.gradientTransition.enabled !== false && st.gradientTransition.gradients?.length)
    paint = gradientAt(st.gradientTransition, f, o.durationInFrames);
  const isGrad = /gradient\(/.test(paint),
    stroke = st.stroke && st.stroke !== 'none' ? st.stroke : null,
    sw = stroke ? (st.strokeWidth ?? 2) : 0;
  const literal = /^[Mm]/.test(raw) && /\d/.test(raw) ? 'path' : /^polygon\(/.test(raw) ? 'poly' : null;
  const known = literal || POLY[id] || RECT[id] || id === 'ellipse' || id === 'oval';
  if (!known || (RECT[id] && !literal)) {
    let x = 0,
      y = 0,
      w = W,
      h = H;
    if (id === 'square' || id === 'circle') {
      w = h = Math.min(W, H);
      x = (W - w) / 2;
      y = (H - h) / 2;
    }
    let rad = len(st.borderRadius, '0');
    if (id === 'circle') rad = '50%';
    if (id === 'pill' || id === 'capsule') rad = px(Math.min(w, h) / 2);
    if (id === 'roundedrectangle' && !st.borderRadius) rad = px(0.12 * Math.min(w, h));
    const d = el(
      { position: 'absolute', left: px(x), top: px(y), width: px(w), height: px(h), borderRadius: rad },
      host,
    );
    d.style.background = paint;
    if (st.boxShadow) d.style.boxShadow = st.boxShadow;
    if (sw)
      el(
        {
          position: 'absolute',
          left: px(x),
          top: px(y),
          width: px(w),
          height: px(h),
          borderRadius: rad,
          border: `${sw}px solid ${stroke}`,
        },
        host,
      );
    return;
  }
  const i = sw / 2,
    gw = W - sw,
    gh = H - sw;
  let dstr;
  if (id === 'ellipse' || id === 'oval') {
    const rx = gw / 2,
      ry = gh / 2;
    dstr = `M ${i} ${H / 2} A ${rx} ${ry} 0 1 1 ${W - i} ${H / 2} A ${rx} ${ry} 0 1 1 ${i} ${H / 2} Z`;
  } else if (literal === 'path') dstr = null;
  else {
    const pts = (literal === 'poly' ? raw.slice(8, -1).replace(/%/g, '') : POLY[id])
      .split(',')
      .map(p => p.trim().split(/\s+/).map(Number));
    dstr = 'M ' + pts.map(([a, c]) => `${i + (a / 100) * gw} ${i + (c / 100) * gh}`).join(' L ') + ' Z';
  }
  const NS = 'http://www.w3.org/2000/svg',
    svg = document.createElementNS(NS, 'svg');
  svg.setAttribute('width', W);
  svg.setAttribute('height', H);
  Object.assign(svg.style, { position: 'absolute', left: 0, top: 0, overflow: 'visible' });
  const mk = () => {
    const p = document.createElementNS(NS, 'path');
    if (dstr) p.setAttribute('d', dstr);
    else {
      p.setAttribute('d', raw);
      p.setAttribute('transform', `translate(${i} ${i}) scale(${gw / 100} ${gh / 100})`);
      p.setAttribute('vector-effect', 'non-scaling-stroke');
    }
    return p;
  };
  const under = [];
  if (st.boxShadow && st.boxShadow !== 'none')
    for (const t of splitTop(st.boxShadow).reverse()) {
      // silhouette, offset, sigma = blur / 2; spread and inset have no meaning here
      if (/\binset\b/.test(t)) continue;
      const v = [],
        color =
          t
            .replace(/(^|\s)(-?[\d.]+)(px)?(?=\s|$)/g, (m, a, k) => {
              v.push(+k);
              return ' ';
            })
            .trim() || '#000',
        q = mk();
      q.setAttribute('fill', color);
      if (stroke) {
        q.setAttribute('stroke', color);
        q.setAttribute('stroke-width', sw);
      }
      const g = document.createElementNS(NS, 'svg');
      g.setAttribute('width', W);
      g.setAttribute('height', H);
      Object.assign(g.style, { position: 'absolute', left: px(v[0] || 0), top: px(v[1] || 0), overflow: 'visible' });
      if (v[2] > 0) g.style.filter = `blur(${v[2] / 2}px)`;
      g.appendChild(q);
      under.push(g);
    }
  under.forEach(g => host.appendChild(g));
  if (isGrad) {
    const d = el({ position: 'absolute', inset: '0', background: paint }, host);
    if (dstr) d.style.clipPath = `path("${dstr}")`;
    else {
      const k = document.createElementNS(NS, 'clipPath');
      k.id = `c${o.id}`;
      k.appendChild(mk());
      svg.appendChild(k);
      d.style.clipPath = `url(#c${o.id})`;
    }
  }
  const p = mk();
  p.setAttribute('fill', isGrad ? 'none' : paint);
  if (stroke) {
    p.setAttribute('stroke', stroke);
    p.setAttribute('stroke-width', sw);
  }
  svg.appendChild(p);
  host.appendChild(svg);
}
