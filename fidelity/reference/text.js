// Text overlays: auto-fit, typing, counting, animated parts.
'use strict';

const LEGACY = {
  'font-sans': 'Inter',
  'font-serif': 'Merriweather',
  'font-mono': 'Roboto Mono',
  'font-retro': 'VT323',
  'font-league-spartan': 'League Spartan',
  'font-bungee-inline': 'Bungee Inline',
};
function family(name) {
  if (!name) return FALLBACK;
  const n = LEGACY[name] || (/^font-/.test(name) ? 'Inter' : name);
  return (
    n
      .split(',')
      .map(s => `"${s.trim().replace(/["']/g, '')}"`)
      .join(',') +
    ',' +
    FALLBACK
  );
}
function pad4(str) {
  const v = String(str)
    .trim()
    .split(/\s+/)
    .map(s => (/em$/.test(s) ? parseFloat(s) * 16 : parseFloat(s) || 0));
  return v.length === 1
    ? [v[0], v[0], v[0], v[0]]
    : v.length === 2
      ? [v[0], v[1], v[0], v[1]]
      : v.length === 3
        ? [v[0], v[1], v[2], v[1]]
        : v;
}
function parsePx(fs) {
  if (fs == null || fs === '') return null;
  const m = String(fs)
    .trim()
    .match(/^(\d*\.?\d+)(px)?$/i);
  return m ? parseFloat(m[1]) : null;
}
function autofit(o, text, skip) {
  const st = o.styles || {},
    W = o.width,
    H = o.height,
    scale = st.fontSizeScale ?? 1;
  const lines = text.split('\n'),
    n = lines.length,
    m = Math.max(...lines.map(l => graphemes(l).length));
  if (!text.length || m === 0) return Math.min(48, 0.6 * H) * scale;
  const p = pad4(len(st.padding, '0.1em')),
    b = st.border ? 4 : 0,
    lh = parseFloat(st.lineHeight) || 1.2;
  const room = (size, padding, axis) =>
    Math.max(20, size - (skip['padding' + axis] ? 0 : padding) - (skip['border' + axis] ? 0 : b));
  const aw = room(W, p[1] + p[3], 'X'),
    ah = room(H, p[0] + p[2], 'Y');
  let s = 0.95 * Math.min(ah / n / lh, aw / (m * 0.5));
  if (m > 40) s *= Math.max(0.85, 1 - (m - 40) / 200);
  if (n > 4) s *= Math.max(0.9, 1 - 0.02 * (n - 4));
  if (W < 60 || H < 20) s *= 0.9;
  s = clamp(s, Math.max(8, Math.min(16, 0.1 * H)), Math.min(0.8 * H, 0.15 * W, 200));
  return s * scale;
}
function fitSearch(box, block, start) {
  const set = v => {
      block.style.fontSize = px(v);
    },
    S = block.style,
    keep = S.maxHeight;
  S.maxHeight = 'none';
  const H = box.getBoundingClientRect().height + 0.01,
    W = box.getBoundingClientRect().width + 0.01;
  // the longest unbreakable word with padding and border; wider than the box means a break inside a word
  const wordWidth = () => {
    S.width = 'min-content';
    S.maxWidth = 'none';
    const w = block.getBoundingClientRect().width;
    S.width = '';
    S.maxWidth = '100%';
    return w;
  };
  const search = whole => {
    const fits = v => {
      set(v);
      return block.getBoundingClientRect().height <= H && (!whole || wordWidth() <= W);
    };
    if (fits(start)) return start;
    let lo = 4,
      hi = Math.ceil(start * 4);
    while (hi - lo > 1) {
      const mid = (lo + hi) >> 1;
      if (fits(mid / 4)) lo = mid;
      else hi = mid;
    }
    return lo / 4;
  };
  // a break inside a word counts as overflow, unless even half the starting size would need one
  let r = search(true);
  if (r < start / 2) r = search(false);
  set(r);
  S.maxHeight = keep;
  return r;
}
const STROKE = ['WebkitTextStroke', 'WebkitTextStrokeWidth', 'WebkitTextStrokeColor', 'paintOrder'];
const TEXT_BLOCK = [
  'color',
  'fontStyle',
  'fontWeight',
  'fontStretch',
  'fontVariantNumeric',
  'fontFeatureSettings',
  'textDecoration',
  'letterSpacing',
  'wordSpacing',
  'textIndent',
  'textShadow',
  ...STROKE,
  'borderRadius',
  'boxShadow',
  'backdropFilter',
  'border',
  'textTransform',
  'filter',
];
const VALIGN = { top: 'flex-start', bottom: 'flex-end' };
// Padding that leaves no room in an axis is ignored there, a border only where it alone leaves none. em counts at a fixed
// size; text that is fitted shrinks its em along.
function keepRoom(o, b) {
  const st = o.styles || {},
    skip = (b.__skip = {});
  b.style.fontSize = px((st.fontSizeFixed && parsePx(st.fontSize)) || 0);
  const computed = getComputedStyle(b),
    sum = (...names) => names.reduce((all, name) => all + (parseFloat(computed[name]) || 0), 0);
  for (const [axis, first, last, size] of [
    ['X', 'Left', 'Right', o.width],
    ['Y', 'Top', 'Bottom', o.height],
  ]) {
    const padding = sum(`padding${first}`, `padding${last}`),
      border = sum(`border${first}Width`, `border${last}Width`);
    if (padding > 0 && padding + border >= size) skip['padding' + axis] = [`padding${first}`, `padding${last}`];
    if (border > 0 && border >= size) skip['border' + axis] = [`border${first}Width`, `border${last}Width`];
  }
  for (const name of Object.values(skip).flat()) b.style[name] = '0';
  b.style.fontSize = '';
}
function textBlock(o, host) {
  const st = o.styles || {},
    ta = st.textAlign || 'left';
  const box = el(
    {
      position: 'absolute',
      inset: '0',
      display: 'flex',
      alignItems: VALIGN[st.verticalAlign] || 'center',
      justifyContent: ta === 'center' ? 'center' : ta === 'right' ? 'flex-end' : 'flex-start',
      textAlign: ta,
      overflow: 'hidden',
    },
    host,
  );
  const b = el(
    {
      maxWidth: '100%',
      maxHeight: '100%',
      whiteSpace: 'pre-wrap',
      overflowWrap: 'break-word',
      lineHeight: st.lineHeight || '1.2',
      padding: len(st.padding, '0.1em'),
      fontFamily: family(st.fontFamily),
      position: 'relative',
    },
    box,
  );
  for (const k of TEXT_BLOCK) put(b, k, st[k]);
  if (st.background) b.style.background = st.background;
  for (const k of ['backgroundSize', 'backgroundPosition', 'backgroundRepeat']) if (st[k] != null) b.style[k] = st[k];
  if (st.backgroundColor) b.style.backgroundColor = st.backgroundColor;
  if (st.WebkitBackgroundClip) b.style.webkitBackgroundClip = st.WebkitBackgroundClip;
  if (st.WebkitTextFillColor) b.style.webkitTextFillColor = st.WebkitTextFillColor;
  keepRoom(o, b);
  return { box, b };
}
function sizeText(o, box, b, text) {
  const st = o.styles || {},
    given = parsePx(st.fontSize);
  if (given != null && st.fontSizeFixed) {
    b.style.fontSize = px(given);
    return given;
  }
  return fitSearch(box, b, given != null ? given : autofit(o, text, b.__skip));
}
function typeStates(strings, tw) {
  const ts = tw.typeSpeed ?? 3,
    ds = tw.deleteSpeed ?? 2,
    pa = tw.pauseAfterType ?? 30,
    pd = tw.pauseAfterDelete ?? 15,
    er = tw.errorRate ?? 0,
    ecd = tw.errorCorrectDelay ?? 5,
    loop = !!tw.loop,
    dbn = tw.deleteBeforeNext ?? true;
  const CH = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,!? ';
  let t = 0,
    cur = '';
  const S = [[0, '', 0]];
  strings.forEach((s, si) => {
    const last = si === strings.length - 1;
    cur = '';
    const G = graphemes(s);
    for (let i = 0; i < G.length; i++) {
      const seed = `typewriter-${si}-${i}`; // s = index of the string in the sequence (0 for a single string)
      if (er > 0 && rnd(seed) < er) {
        t += ts;
        S.push([Math.round(t), cur + CH[Math.floor(rnd(seed + '-wrong') * CH.length)], si]);
        t += ecd;
        t += ds;
        S.push([Math.round(t), cur, si]);
      }
      t += ts;
      cur += G[i];
      S.push([Math.round(t), cur, si]);
    }
    t += pa;
    if (dbn ? !last || loop : last && loop) {
      while (G.length) {
        t += ds;
        G.pop();
        cur = G.join('');
        S.push([Math.round(t), cur, si]);
      }
      t += pd;
    }
  });
  return { S, total: t, loop };
}
function buildText(o, host, f, F, fps, R) {
  const st = o.styles || {};
  let text = o.content ?? '';
  const { box, b } = textBlock(o, host);
  const tw = st.typeWriter,
    cm = st.counterMode,
    at = st.animatedText,
    sm = st.staggeredMotion;
  if (tw && tw.enabled) {
    const multi = tw.deleteBeforeNext === true && text.includes('\n'),
      strings = multi ? text.split('\n') : [text];
    const tl = typeStates(strings, tw);
    let lt = f - (tw.delay || 0);
    if (tl.loop && tl.total > 0) lt = lt % tl.total;
    let cur = '',
      si = 0;
    for (const [fr, s, i] of tl.S)
      if (fr <= lt) {
        cur = s;
        si = i;
      }
    // size from the full text: the tallest string of the sequence
    const longest = strings.reduce((a, c) => (graphemes(c).length > graphemes(a).length ? c : a), '');
    b.textContent = longest;
    sizeText(o, box, b, longest);
    const full = strings[si];
    b.textContent = full;
    const fullH = b.getBoundingClientRect().height,
      fullW = b.getBoundingClientRect().width;
    b.textContent = '';
    const cursorOn = tw.cursor !== false && lt >= 0,
      blink = tw.blinkSpeed ?? 30,
      lit = lt % blink < blink / 2;
    b.style.height = px(fullH);
    if ((st.textAlign || 'left') === 'center') {
      b.appendChild(document.createTextNode(cur));
      if (cursorOn) el({ visibility: lit ? 'visible' : 'hidden' }, b, 'span').textContent = '|';
      return;
    }
    // left and right: the full string stays laid out (its rest hidden), so lines never move; the cursor is drawn over it and has no width
    b.style.width = px(fullW);
    const wrong = full.startsWith(cur) ? '' : graphemes(cur).pop();
    if (wrong) cur = cur.slice(0, -wrong.length); // a wrong letter lies over the place of the right one
    const vis = document.createTextNode(cur),
      rest = document.createTextNode(graphemes(full).slice(graphemes(cur).length).join('')),
      over = wrong + (cursorOn && lit ? '|' : '');
    b.appendChild(vis);
    el({ visibility: 'hidden' }, b, 'span').appendChild(rest);
    if (over) {
      const cs = getComputedStyle(b),
        br = b.getBoundingClientRect(),
        bl = parseFloat(cs.borderLeftWidth) || 0,
        bt = parseFloat(cs.borderTopWidth) || 0,
        lh = parseFloat(cs.lineHeight),
        edge = (node, last) => {
          const g = graphemes(node.data),
            r = document.createRange();
          r.setStart(node, last ? node.length - g[g.length - 1].length : 0);
          r.setEnd(node, last ? node.length : g[0].length);
          const q = [...r.getClientRects()].pop();
          return q && { x: last ? q.right : q.left, y: q.top, h: q.height };
        };
      const at =
        cur && !cur.endsWith('\n')
          ? edge(vis, true)
          : rest.length && rest.data[0] !== '\n'
            ? edge(rest, false)
            : {
                x: br.left + bl + parseFloat(cs.paddingLeft),
                y: br.top + bt + parseFloat(cs.paddingTop) + lh * (cur.split('\n').length - 1),
                h: lh,
              };
      if (at)
        el(
          {
            position: 'absolute',
            left: px(at.x - br.left - bl),
            top: px(at.y - br.top - bt),
            lineHeight: px(at.h),
            whiteSpace: 'pre',
          },
          b,
          'span',
        ).textContent = over;
    }
    return;
  }
  if (cm && cm.enabled) {
    const to =
        cm.to ??
        (() => {
          const m = text.replace(/(\d),(?=\d{3})/g, '$1').match(/-?\d+(\.\d+)?/);
          return m ? parseFloat(m[0]) : 100;
        })(),
      from = cm.from ?? 0,
      fx = clamp(cm.toFixed ?? 0, 0, 20);
    const fmt = v => {
      let s = v.toFixed(fx);
      if (/^-0(\.0+)?$/.test(s)) s = s.slice(1);
      s = s.replace(/^-?\d+/, whole => whole.replace(/\B(?=(\d{3})+$)/g, cm.separator ?? ''));
      return (cm.prefix ?? '') + s + (cm.postfix ?? '');
    };
    const p = clamp(Math.max(0, f - (cm.delay || 0)) / (cm.duration ?? fps), 0, 1);
    b.style.fontVariantNumeric = 'tabular-nums';
    const A = fmt(from),
      B = fmt(to),
      wide = B.length >= A.length ? B : A;
    b.textContent = wide;
    sizeText(o, box, b, wide);
    b.style.minWidth = px(b.getBoundingClientRect().width); // room for the longer end
    b.textContent = fmt(lerp(from, to, easing(cm.easing)(p)));
    if (at && at.enabled && (at.split || 'none') === 'none') {
      const d = el({ display: 'block' }, null);
      d.textContent = b.textContent;
      b.replaceChildren(d);
      applyMotion(d, motionStyle(at, f, 0, 0, fps));
    }
    return;
  }
  b.textContent = text;
  sizeText(o, box, b, text);
  if (at && at.enabled) {
    const split = at.split || 'none',
      stg = at.splitStagger || 0;
    const glitch = (s, g, ui) => {
      if (!(g > 0)) return s;
      const CS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!@#$%^&*()_+-=[]{}|;:,.<>?/~`';
      return graphemes(s)
        .map((c, ci) =>
          /\s/.test(c)
            ? c
            : rnd(`glitch-${F}-${ui}-${ci}`) < g
              ? CS[Math.floor(rnd(`char-${F}-${ui}-${ci}`) * CS.length)]
              : c,
        )
        .join('');
    };
    if (split === 'none' || split === 'line') {
      b.textContent = '';
      (split === 'none' ? [text] : text.split('\n')).forEach((u, i) => {
        const d = el({ display: 'block', minHeight: '1lh' }, b);
        const m = motionStyle(at, f, i, stg, fps);
        d.textContent = glitch(u, m.glitch, i);
        applyMotion(d, m);
      });
      return;
    }
    const units =
      split === 'word'
        ? text.split(/(\s+)/).filter(s => s.length)
        : split === 'character'
          ? graphemes(text)
          : text.split(split),
      gap = ['word', 'character'].includes(split) ? 0 : split.length; // separators take their room, unseen
    const node = b.firstChild,
      br = b.getBoundingClientRect(),
      bl = parseFloat(getComputedStyle(b).borderLeftWidth) || 0,
      bt = parseFloat(getComputedStyle(b).borderTopWidth) || 0;
    let pos = 0;
    const plan = [];
    units.forEach((u, i) => {
      const r = document.createRange();
      r.setStart(node, pos);
      r.setEnd(node, pos + u.length);
      pos += u.length + gap;
      plan.push([u, i, r.getBoundingClientRect()]);
    });
    const hid = el({ visibility: 'hidden' }, null, 'span');
    hid.textContent = text;
    b.replaceChildren(hid);
    for (const [u, i, r] of plan) {
      if (/^\s*$/.test(u)) continue;
      const s = el(
        {
          position: 'absolute',
          left: px(r.left - br.left - bl),
          top: px(r.top - br.top - bt),
          width: px(r.width),
          height: px(r.height),
          lineHeight: px(r.height),
          whiteSpace: 'pre',
          textAlign: 'left',
        },
        b,
        'span',
      );
      const m = motionStyle(at, f, i, stg, fps);
      s.textContent = glitch(u, m.glitch, i);
      applyMotion(s, m);
    }
    return;
  }
  if (smOn(sm)) {
    const lines = text.split('\n');
    b.textContent = '';
    lines.forEach((l, i) => {
      const d = el({ display: 'block', minHeight: '1lh' }, b);
      d.textContent = l;
      applyMotion(d, motionStyle(sm, f, staggerIndex(sm.staggerDirection, i, lines.length), sm.stagger || 0, fps));
    });
    return;
  }
  if (R.en === 'typing') {
    const G = graphemes(text),
      n = R.hasDur ? Math.floor(G.length * R.u + 1e-9) : Math.floor(f / 4);
    b.textContent = '';
    b.appendChild(document.createTextNode(G.slice(0, n).join('')));
    el({ visibility: 'hidden' }, b, 'span').textContent = G.slice(n).join('');
  }
}
