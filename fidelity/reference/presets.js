// Enter, exit and during presets, and 3D layouts.
'use strict';

const K15 = (t, knots) => {
  const x = t * 15;
  if (x <= knots[0][0]) return knots[0][1];
  for (let i = 1; i < knots.length; i++)
    if (x <= knots[i][0]) {
      const [a, va] = knots[i - 1],
        [b, vb] = knots[i];
      return lerp(va, vb, (x - a) / (b - a));
    }
  return knots[knots.length - 1][1];
};
const L = (a, b) => [
  [0, a],
  [15, b],
];
const tx = k => t => `translateX(${K15(t, k)}px)`,
  ty = k => t => `translateY(${K15(t, k)}px)`,
  txp = k => t => `translateX(${K15(t, k)}%)`,
  typ = k => t => `translateY(${K15(t, k)}%)`;
const ro = k => t => `rotate(${K15(t, k)}deg)`,
  sc = k => t => `scale(${K15(t, k)})`,
  sx = k => t => `scaleX(${K15(t, k)})`,
  sy = k => t => `scaleY(${K15(t, k)})`;
const rX = k => t => `rotateX(${K15(t, k)}deg)`,
  rY = k => t => `rotateY(${K15(t, k)}deg)`,
  kX = k => t => `skewX(${K15(t, k)}deg)`,
  kY = k => t => `skewY(${K15(t, k)}deg)`,
  pe = v => () => `perspective(${v}px)`;
const oIn = n => [
    [0, 0],
    [n, 1],
  ],
  oOut = n => [
    [0, 1],
    [15 - n, 1],
    [15, 0],
  ];
const rev = k => k.map(([x, v]) => [15 - x, v]).reverse();
const mirror = s => ({
  ...s,
  tr: s.tr.map(g => (t, c) => g(1 - t, c)),
  o: s.o && rev(s.o),
  ...(s.blur ? { blur: rev(s.blur) } : {}),
  ...(s.clip ? { clip: t => s.clip(1 - t) } : {}),
});
const P = (inn, out) => ({ enter: inn, exit: out || mirror(inn) }); // an exit that is not listed is the enter run backwards
const T = (tr, o, extra = {}) => ({ tr, o, ...extra });
const flipO = [
    [0, 0],
    [5, 0.7],
    [15, 1],
  ],
  flipOx = [
    [0, 1],
    [10, 0.7],
    [15, 0],
  ];
const JELLO = [
  [0, 0],
  [3, -12.5],
  [6, 6.25],
  [9, -3.125],
  [12, 1.5625],
  [15, 0],
];
const jitter = out => (t, c) => {
  // c = { id, f, D }; only frames divisible by 3 (x) and 4 (y) jump
  if (!c) return 'translate(0px,0px)';
  const k = out ? t : 1 - t,
    n = out ? c.D - c.f : c.f;
  return `translate(${n % 3 === 0 ? lerp(-5, 5, rnd(`glitch-x-${c.id}-${c.f}`)) * k : 0}px,${n % 4 === 0 ? lerp(-4, 4, rnd(`glitch-y-${c.id}-${c.f}`)) * k : 0}px)`;
};
// One row per preset.
// prettier-ignore
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
const ALIAS = {
  flipx: 'flip',
  fadein: 'fade',
  fadeout: 'fade',
  zoom: 'zoomin',
  wipe: 'swipereveal',
  slide: 'slideright',
  blurin: 'blur',
  rotate: 'rotatein',
  pop: 'elasticscale',
};
const presetOf = n => {
  const k = norm(n);
  if (!k || k === 'none') return null;
  return k === 'typing' ? 'typing' : PRESETS[ALIAS[k] || k] || null;
};

function ramps(o, f, fps) {
  const a = o.styles?.animation || {},
    D = o.durationInFrames;
  const pe_ = presetOf(a.enter),
    px_ = presetOf(a.exit);
  let E = a.enterDuration != null ? Math.max(1, Math.round(a.enterDuration * fps)) : 15;
  let X = a.exitDuration != null ? Math.max(1, Math.round(a.exitDuration * fps)) : 15;
  if (pe_ && px_ && px_ !== 'typing') {
    if (E + X > D) {
      const k = D / (E + X);
      E *= k;
      X *= k;
    }
  } else {
    if (pe_) E = Math.min(E, D);
    if (px_) X = Math.min(X, D);
  }
  return {
    en: pe_,
    ex: px_ === 'typing' ? null : px_,
    E,
    u: clamp(f / E, 0, 1),
    v: clamp((f - (D - X)) / X, 0, 1),
    hasDur: a.enterDuration != null,
  };
}
function rampWrap(node, side, t, ctx) {
  // side = {tr,o,blur,clip,origin}
  const tr = side.tr.map(g => g(t, ctx)).join(' ');
  if (tr) {
    node.style.transform = tr;
    node.style.transformOrigin = side.origin || '50% 50%';
  }
  if (side.o) node.style.opacity = String(K15(t, side.o));
  if (side.blur) {
    const b = K15(t, side.blur);
    if (b > 0) node.style.filter = `blur(${b}px)`;
  }
  if (side.clip) node.style.clipPath = side.clip(t);
}

const LOOPS = ['pulse', 'float', 'sway', 'breathe', 'spin']; // move the whole layer; drift presets stay inside the media clip
function during(o, f, fps) {
  const a = o.styles?.animation;
  if (!a || !a.during) return null;
  const media = o.type === 'image' || o.type === 'video',
    id = norm(a.during);
  const k = clamp(a.duringIntensity ?? 1, 0, 5),
    sp = clamp(a.duringSpeed ?? 1, 0, 10),
    t = f / fps,
    p = Math.min(1, (sp * f) / Math.max(1, o.durationInFrames - 1)),
    TAU = 2 * Math.PI;
  const W = o.width,
    H = o.height;
  switch (id) {
    case 'kenburnsin':
      return { transform: `scale(${1 + 0.15 * k * p})` };
    case 'kenburnsout':
      return { transform: `scale(${1 + 0.15 * k * (1 - p)})` };
    case 'panleft':
      return { transform: `translateX(${lerp(0.05, -0.05, p) * k * W}px)` + (media ? ` scale(${1 + 0.1 * k})` : '') };
    case 'panright':
      return { transform: `translateX(${lerp(-0.05, 0.05, p) * k * W}px)` + (media ? ` scale(${1 + 0.1 * k})` : '') };
    case 'driftdiagonal': {
      const d = lerp(0.04, -0.04, p) * k;
      return { transform: `translate(${d * W}px,${d * H}px)` + (media ? ` scale(${1 + 0.1 * k})` : '') };
    }
    case 'pulse':
      return { transform: `scale(${1 + (0.05 * k * (1 - Math.cos(TAU * sp * t))) / 2})` };
    case 'float':
      return { transform: `translateY(${-(0.02 * H + 4) * k * Math.sin((TAU * sp * t) / 3)}px)` };
    case 'sway':
      return { transform: `rotate(${2.5 * k * Math.sin((TAU * sp * t) / 3)}deg)` };
    case 'breathe': {
      const c = (1 - Math.cos((TAU * sp * t) / 4)) / 2;
      return { transform: `scale(${1 + 0.03 * k * c})`, opacity: String(1 - 0.08 * k * c) };
    }
    case 'spin':
      return { transform: `rotate(${90 * k * sp * t}deg)` };
  }
  return null;
}

function layout3D(l3, u) {
  if (!l3 || !l3.layout || l3.layout === 'none') return null;
  const m = l3.settle ? 1 - EASE.easeoutcubic(u) : 1;
  const d = v => `${v * m}deg`,
    z = v => `translateZ(${v * m}px)`,
    s = v => `scale(${1 + (v - 1) * m})`;
  return (
    {
      'tilt-up': () => `perspective(1000px) rotateX(${d(-20)})`,
      'tilt-down': () => `perspective(1000px) rotateX(${d(20)})`,
      'card-left': () => `perspective(800px) rotateY(${d(-25)}) rotateX(${d(10)}) ${z(20)} ${s(1.01)}`,
      'card-right': () => `perspective(800px) rotateY(${d(25)}) rotateX(${d(10)}) ${z(20)} ${s(1.01)}`,
      book: () => `perspective(1200px) rotateY(${d(-45)}) rotateX(${d(15)}) ${z(30)} ${s(1.01)}`,
      floating: () => `perspective(1000px) ${z(50)} rotateX(${d(-5)}) rotateY(${d(10)}) ${s(1.02)}`,
      billboard: () => `perspective(1500px) rotateX(${d(-30)}) ${z(40)} ${s(1.02)}`,
      skewed: () => `perspective(600px) rotateY(${d(-35)}) rotateX(${d(25)}) skewX(${d(-5)})`,
    }[l3.layout]?.() || null
  );
}
