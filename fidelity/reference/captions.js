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
  neon: { s: { fontFamily: 'Outfit', fontSize: '2.2rem', lineHeight: 1.3, color: '#fff', textShadow: [10, 20, 30].map(r => `0 0 ${r}px rgba(255,255,255,.8)`).join() }, h: { backgroundColor: 'rgba(139,92,246,.25)', color: '#F0ABFC', textShadow: '0 0 12px #E879F9', scale: 1.07, fontWeight: 600, borderRadius: '8px', padding: '4px 16px' } },
  handwritten: { s: { fontFamily: 'Caveat', fontSize: '2.2rem', lineHeight: 1.4, padding: '8px', color: '#fff', textShadow: `1px 1px 2px ${B(.5)}` }, h: { backgroundColor: 'rgba(34,197,94,.9)', color: '#fff', scale: 1.08, fontWeight: 600, borderRadius: '8px', padding: '4px 12px' } },
  gradient: { s: { fontFamily: 'Plus Jakarta Sans', fontSize: '2.2rem', fontWeight: 600, lineHeight: 1.3, padding: '12px 24px', borderRadius: '12px', background: 'linear-gradient(135deg, rgba(255,255,255,.1), rgba(255,255,255,0))', backdropFilter: 'blur(8px)', color: '#fff' }, h: { backgroundColor: '#000', color: '#fff', scale: 1.05, fontWeight: 700, borderRadius: '8px', padding: '4px 16px' } },
  future: { s: { fontFamily: 'Space Grotesk', fontSize: '2.1rem', fontWeight: 600, lineHeight: 1.3, letterSpacing: '0.02em', padding: '12px', color: '#E2E8F0', textShadow: '0 0 15px rgba(148,163,184,.5)' }, h: { backgroundColor: 'rgba(14,165,233,.15)', border: '1px solid rgba(56,189,248,.3)', backdropFilter: 'blur(4px)', color: '#38BDF8', textShadow: '0 0 12px rgba(56,189,248,.6)', scale: 1.06, fontWeight: 700, borderRadius: '4px', padding: '4px 16px' } },
  default: { s: { fontFamily: 'Inter', fontSize: '24px', fontWeight: 600, backgroundColor: B(.7), color: '#fff' }, h: {} },
  modern: { s: { fontFamily: 'Inter', fontSize: '28px', fontWeight: 700, background: 'linear-gradient(135deg, #667eea, #764ba2)', color: '#fff' }, h: { fontWeight: 700 } },
  bold: { s: { fontFamily: 'Inter', fontSize: '32px', fontWeight: 900, backgroundColor: '#000', color: '#fff' }, h: { fontWeight: 900 } },
  highlight: { s: { fontFamily: 'Inter', fontSize: '26px', fontWeight: 600, color: '#fff' }, h: { backgroundColor: '#ffeb3b', color: '#000' } },
};
// Words without times divide the caption's duration by their number of characters.
function timedWords(cap) {
  if (cap.words?.length) return cap.words;
  const ws = cap.text.split(/\s+/).filter(Boolean),
    tot = ws.reduce((a, w) => a + graphemes(w).length, 0);
  let t = cap.startMs;
  return ws.map(w => {
    const d = ((cap.endMs - cap.startMs) * graphemes(w).length) / tot,
      r = { word: w, startMs: t, endMs: t + d };
    t += d;
    return r;
  });
}
// The units displayed together: the whole caption, or each word until the next starts.
function pages(cap, mode) {
  const words = timedWords(cap);
  if (mode !== 'one-word') return [{ ...cap, words }];
  return words.map((w, i) => ({ startMs: w.startMs, endMs: words[i + 1]?.startMs ?? cap.endMs, words: [w] }));
}
const CAPTION_BLOCK = [
  'letterSpacing',
  'fontStyle',
  'textTransform',
  'textShadow',
  'WebkitTextFillColor',
  'WebkitTextStroke',
  'WebkitTextStrokeWidth',
  'WebkitTextStrokeColor',
  'paintOrder',
  'borderRadius',
  'backdropFilter',
  'border',
];
function buildCaption(o, host, f, fps) {
  const ms = (f / fps) * 1000,
    given = o.styles || {},
    tpl = TPL[norm(o.template)] || (Object.keys(given).length ? { s: {}, h: {} } : TPL.classic); // styles may stand alone
  const s = { ...tpl.s, ...given },
    h = { ...tpl.h, ...(given.highlightStyle || {}) };
  const mode = s.mode || 'highlight',
    caps = (o.captions || []).flatMap(c => pages(c, mode)),
    cap = caps.find(
      (c, i) =>
        c.startMs <= ms && (ms < c.endMs || (ms === c.endMs && !(caps[i + 1] && caps[i + 1].startMs === c.endMs))),
    );
  if (!cap) return;
  const words = cap.words;
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
      fontSize: len(s.fontSize, '2.2rem'),
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
      padding: len(s.padding, '16px'),
    },
    c,
  ); // the padded block fits its words and carries the background
  // a clipped background shows in the words only
  const clip = /\btext\b/.test(s.WebkitBackgroundClip || '') && (s.background || s.backgroundColor),
    inked = [],
    moved = [];
  for (const k of CAPTION_BLOCK) put(line, k, s[k]);
  if (!clip) for (const k of ['background', 'backgroundColor']) put(line, k, s[k]);
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
  const shown = words.map((w, i) => {
    const begun = w.startMs <= ms,
      on = mode !== 'fill' && (i === lit || (mode === 'karaoke' && begun)),
      pr = on ? (ramp === 0 ? 1 : Math.min((ms - w.startMs) / (ramp ?? 300), 1)) : 0;
    const d = captionWord(w.word, on, pr);
    line.appendChild(d);
    if (mode === 'progressive' && !begun) d.style.visibility = 'hidden';
    return d;
  });
  clipToWords();
  for (const [d, transform] of moved) d.style.transform = transform;
  if (mode !== 'fill') return;
  // a highlighted copy covers each started word, up to the spoken position
  line.style.position = 'relative';
  const from = line.getBoundingClientRect(),
    places = shown.map(d => d.getBoundingClientRect());
  words.forEach((w, i) => {
    if (w.startMs > ms) return;
    const part = w.endMs > w.startMs ? Math.min((ms - w.startMs) / (w.endMs - w.startMs), 1) : 1,
      over = captionWord(w.word, true, 1);
    Object.assign(over.style, {
      position: 'absolute',
      left: px(places[i].left - from.left - line.clientLeft),
      top: px(places[i].top - from.top - line.clientTop),
      margin: '0',
      maxWidth: 'none',
      transform: 'none',
      clipPath: part < 1 ? `inset(-99px ${(1 - part) * 100}% -99px -99px)` : 'none',
    });
    shown[i].after(over);
  });
  // the picture in the words spans the padding box of the block; words are measured before they are transformed
  function clipToWords() {
    const block = line.getBoundingClientRect(),
      room = t => t.getBoundingClientRect();
    for (const t of inked) {
      Object.assign(t.style, { padding: '.4em', margin: '-.4em' });
      const x = block.left + line.clientLeft - room(t).left,
        y = block.top + line.clientTop - room(t).top;
      if (s.background) t.style.background = s.background;
      if (s.backgroundColor) t.style.backgroundColor = s.backgroundColor;
      Object.assign(t.style, {
        backgroundRepeat: 'no-repeat',
        backgroundSize: `${block.width - 2 * line.clientLeft}px ${block.height - 2 * line.clientTop}px`,
        backgroundPosition: `${x}px ${y}px`,
        webkitBackgroundClip: 'text',
      });
    }
  }
  function captionWord(word, on, pr) {
    const d = el(
      {
        display: 'inline-grid',
        padding: len(h.padding, '4px 8px'),
        borderRadius: len(h.borderRadius, '4px'),
        margin: '0 2px',
        textAlign: 'center',
        opacity: on ? '1' : '0.85',
        flex: 'none',
        maxWidth: '100%',
      },
      null,
    );
    const g = el({ gridArea: '1/1', visibility: 'hidden', fontWeight: String(heavy) }, d);
    g.textContent = word;
    if (h.fontStyle) {
      const other = { gridArea: '1/1', visibility: 'hidden', fontWeight: String(hw), fontStyle: h.fontStyle };
      el(other, d).textContent = word; // room for the wider of both faces
    }
    const t = el({ gridArea: '1/1', fontWeight: String(on ? hw : nw) }, d);
    t.textContent = word;
    if (on && h.fontStyle) t.style.fontStyle = h.fontStyle;
    if (clip && !(on && h.color)) inked.push(t);
    if (h.border) {
      put(d, 'border', h.border);
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
      if (h.color) d.style.webkitTextFillColor = 'currentcolor';
      if (h.textShadow) d.style.textShadow = h.textShadow;
      if (h.backdropFilter) d.style.backdropFilter = h.backdropFilter;
      const scale = h.scale != null ? 1 + (h.scale - 1) * pr : h.transform ? 1 : 1.08;
      moved.push([d, `${h.transform || ''} scale(${scale})`]);
    }
    return d;
  }
}
