// One frame of a composition as DOM and CSS.
'use strict';

// What draws the content of each overlay type into its box.
const BUILDERS = {
  text: (o, lab, f, { F, fps, R }) => buildText(o, lab, f, F, fps, R),
  image: (o, lab, f, { fps }) => buildMedia(o, lab, f, fps),
  shape: (o, lab, f) => buildShape(o, lab, f),
  caption: (o, lab, f, { fps }) => buildCaption(o, lab, f, fps),
  effect: (o, lab, f, { fps }) => buildEffect(o, lab, f, fps),
};

async function drawOverlay(o, canvas, F, fps) {
  const f = F - o.from;
  if (f < 0 || f >= o.durationInFrames) return;
  const st = o.styles || {},
    R = ramps(o, f, fps),
    ctx = { id: o.id, f, D: o.durationInFrames };
  let h = el(
    {
      position: 'absolute',
      left: px(o.left),
      top: px(o.top),
      width: px(o.width),
      height: px(o.height),
      isolation: 'auto',
    },
    canvas,
  );
  if (o.rotation) h.style.transform = `rotate(${o.rotation}deg)`;
  if (st.mixBlendMode) h.style.mixBlendMode = st.mixBlendMode;
  const wrap = () => (h = el({ position: 'absolute', inset: '0' }, h));
  if (R.en && R.u < 1) {
    if (R.en === 'typing') {
      wrap().style.opacity = String(R.u);
    } else if (R.en.enter) rampWrap(wrap(), R.en.enter, R.u, ctx);
  }
  if (R.ex && R.v > 0 && R.ex.exit) rampWrap(wrap(), R.ex.exit, R.v, ctx);
  const media = o.type === 'image';
  if (['text', 'shape'].includes(o.type) || (media && LOOPS.includes(norm(o.styles?.animation?.during)))) {
    const d = during(o, f, fps);
    if (d) {
      const w = wrap();
      if (d.transform) w.style.transform = d.transform;
      if (d.opacity) w.style.opacity = d.opacity;
    }
  }
  if (
    (media || o.type === 'shape' || (o.type === 'effect' && norm(o.content) === 'matrix')) &&
    smOn(st.staggeredMotion)
  )
    applyMotion(wrap(), motionStyle(st.staggeredMotion, f, 0, 0, fps));
  if (media) {
    const t = layout3D(st.layout3D, R.u);
    if (t) {
      const w = wrap();
      w.style.transform = t;
      w.style.backfaceVisibility = 'hidden';
    }
  }
  if (st.transform && st.transform !== 'none') wrap().style.transform = st.transform;
  if (st.opacity != null && st.opacity !== 1) wrap().style.opacity = String(st.opacity);
  // content is laid out and measured in an untransformed lab box, then moved under the wrappers
  const lab = el({ position: 'absolute', left: '0', top: '0', width: px(o.width), height: px(o.height) }, canvas);
  await BUILDERS[o.type]?.(o, lab, f, { F, fps, R });
  h.appendChild(lab);
}
window.renderFrame = async (comp, F, from) => {
  base = from;
  IMG.clear();
  document.body.replaceChildren();
  const W = comp.width ?? 1920,
    H = comp.height ?? 1080,
    fps = comp.fps ?? 30;
  const canvas = el(
    { position: 'absolute', left: '0', top: '0', width: px(W), height: px(H), overflow: 'hidden' },
    document.body,
  );
  canvas.style.backgroundColor = comp.backgroundColor ?? 'white';
  const order = comp.overlays.map((o, i) => [o, i]).sort((a, b) => b[0].row - a[0].row || a[1] - b[1]);
  for (const [o] of order) await drawOverlay(o, canvas, F, fps);
  await Promise.all([...document.images].map(i => i.decode().catch(() => {})));
  await new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)));
  return [...document.querySelectorAll('*')].length;
};
window.loadFonts = async list => {
  for (const f of list) {
    const { weight, style, stretch = 'normal' } = f;
    const face = new FontFace(f.family, `url(/${f.file})`, { weight: String(weight), style, stretch });
    document.fonts.add(face);
    await face.load();
  }
  return document.fonts.size;
};
