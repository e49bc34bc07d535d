// Captions and their templates.
'use strict';

const B = a => `rgba(0,0,0,${a})`;
// prettier-ignore
const TPL = {
  classic: { s: { fontFamily: 'Inter', fontSize: '2.2rem', fontWeight: 500, lineHeight: 1.4, letterSpacing: '0.01em', padding: '12px', color: '#fff', textShadow: `2px 2px 4px ${B(.6)}, 0 0 20px ${B(.3)}` }, h: { backgroundColor: 'rgba(59,130,246,.92)', color: '#fff', scale: 1.06, fontWeight: 600, borderRadius: '6px', padding: '2px 8px' } },
  hustle: { s: { fontFamily: 'Montserrat', fontSize: '2.2rem', fontWeight: 800, lineHeight: 1.3, letterSpacing: '-0.02em', color: '#fff', textShadow: `3px 3px 0 ${B(.8)}` }, h: { backgroundColor: '#FF3B3B', color: '#fff', scale: 1.08, fontWeight: 800, borderRadius: '2px', padding: '4px 12px' } },
  medusa: { s: { fontFamily: 'Space Grotesk', fontSize: '2rem', fontWeight: 500, lineHeight: 1.3, letterSpacing: '0.02em', color: '#fff' }, h: { backgroundColor: 'rgba(34,197,94,.95)', color: '#fff', scale: 1.06, fontWeight: 600, borderRadius: '8px', padding: '4px 12px' } },
  minimal: { s: { fontFamily: 'Inter', fontSize: '1.5rem', lineHeight: 1.2, backgroundColor: B(.6), padding: '4px 22px', color: '#fff' }, h: { backgroundColor: B(.8), color: '#fff', scale: 1.02, fontWeight: 500, borderRadius: '4px', padding: '2px 8px' } },
  retro: { s: { fontFamily: 'Rubik Mono One', fontSize: '1.8rem', lineHeight: 1.2, letterSpacing: '0.02em', color: '#FFD700', textShadow: '3px 3px 0 #FF4500' }, h: { backgroundColor: '#FF4500', color: '#FFD700', textShadow: '2px 2px 0 #000', scale: 1.05, fontWeight: 400, borderRadius: '0', padding: '2px 8px' } },
  cinematic: { s: { fontFamily: 'Playfair Display', fontSize: '2.4rem', fontWeight: 700, lineHeight: 1.3, letterSpacing: '0.03em', color: '#fff', textShadow: `2px 2px 8px ${B(.6)}` }, h: { backgroundColor: 'rgba(245,158,11,.9)', color: '#fff', scale: 1.06, fontWeight: 700, borderRadius: '2px', padding: '4px 16px' } },
};
function buildCaption(o, host, f, fps) {
  const ms = (f / fps) * 1000,
    tpl = TPL[norm(o.template)] || TPL.classic,
    given = o.styles || {};
  const s = { ...tpl.s, ...given },
    h = { ...tpl.h, ...(given.highlightStyle || {}) };
  const caps = o.captions || [],
    cap = caps.find(
      (c, i) =>
        c.startMs <= ms && (ms < c.endMs || (ms === c.endMs && !(caps[i + 1] && caps[i + 1].startMs === c.endMs))),
    );
  if (!cap) return;
  let words = cap.words || [];
  if (!words.length) {
    const ws = cap.text.split(/\s+/).filter(Boolean),
      tot = ws.reduce((a, w) => a + graphemes(w).length, 0);
    let t = cap.startMs;
    words = ws.map(w => {
      const d = ((cap.endMs - cap.startMs) * graphemes(w).length) / tot,
        r = { word: w, startMs: t, endMs: t + d };
      t += d;
      return r;
    });
  }
  const ta = s.textAlign || 'center',
    jc = ta === 'left' ? 'flex-start' : ta === 'right' ? 'flex-end' : 'center';
  const c = el(
    {
      position: 'absolute',
      inset: '0',
      display: 'flex',
      alignItems: 'center',
      justifyContent: jc,
      overflow: 'hidden',
      fontSize: s.fontSize || '2.2rem',
      fontFamily: family(s.fontFamily),
      lineHeight: String(s.lineHeight ?? 1.4),
      color: s.color || '#fff',
    },
    host,
  );
  const line = el(
    {
      display: 'flex',
      flexWrap: 'wrap',
      justifyContent: jc,
      alignItems: 'center',
      gap: '2px',
      maxWidth: '100%',
      padding: s.padding || '16px',
    },
    c,
  ); // the padded block fits its words and carries the background
  for (const k of ['letterSpacing', 'textShadow', 'borderRadius', 'backdropFilter', 'background', 'backgroundColor'])
    if (s[k] != null) line.style[k] = s[k];
  const wt = (v, d) => (v === 'bold' ? 700 : v === 'normal' ? 400 : Number(v ?? d) || d),
    nw = wt(s.fontWeight, 400),
    hw = wt(h.fontWeight, 600),
    heavy = Math.max(nw, hw);
  const tk = String(h.transition || '').match(/([\d.]+)(ms|s)\b/),
    ramp = tk ? parseFloat(tk[1]) * (tk[2] === 's' ? 1000 : 1) : null; // given: also cross-fades colour and background
  let lit = -1;
  words.forEach((w, i) => {
    if (lit < 0 && w.startMs <= ms && ms <= w.endMs) lit = i;
    if (w.startMs <= ms && ms <= w.endMs && words[i - 1] && words[i - 1].endMs === w.startMs && ms === w.startMs)
      lit = i;
  });
  words.forEach((w, i) => {
    const on = i === lit,
      pr = on ? (ramp === 0 ? 1 : Math.min((ms - w.startMs) / (ramp ?? 300), 1)) : 0;
    const d = el(
      {
        display: 'inline-grid',
        padding: h.padding || '4px 8px',
        borderRadius: h.borderRadius || '4px',
        margin: '0 2px',
        textAlign: 'center',
        opacity: on ? '1' : '0.85',
        flex: 'none',
        maxWidth: '100%',
      },
      line,
    );
    const g = el({ gridArea: '1/1', visibility: 'hidden', fontWeight: String(heavy) }, d);
    g.textContent = w.word;
    const t = el({ gridArea: '1/1', fontWeight: String(on ? hw : nw) }, d);
    t.textContent = w.word;
    if (h.border) {
      d.style.border = h.border;
      if (!on) d.style.borderColor = 'transparent';
    } // its room is kept on every word
    if (on) {
      const bg =
        ramp == null
          ? d
          : el({ position: 'absolute', inset: '0', zIndex: '-1', borderRadius: 'inherit', opacity: String(pr) }, d);
      if (bg !== d) d.style.position = 'relative';
      if (h.backgroundColor) bg.style.backgroundColor = h.backgroundColor;
      if (h.background) bg.style.background = h.background;
      if (h.color)
        d.style.color = ramp == null ? h.color : `color-mix(in srgb, ${h.color} ${pr * 100}%, ${s.color || '#fff'})`;
      if (h.textShadow) d.style.textShadow = h.textShadow;
      if (h.backdropFilter) d.style.backdropFilter = h.backdropFilter;
      d.style.transform = `scale(${h.scale != null ? 1 + (h.scale - 1) * pr : 1.08})`;
    }
  });
}
