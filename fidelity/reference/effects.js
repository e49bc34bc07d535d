// The effects that can be compared: matrix, grid-stagger, fracture, scrolling-columns.
'use strict';

async function buildEffect(o, host, f, fps) {
  const st = o.styles || {},
    W = o.width,
    H = o.height,
    id = norm(o.content),
    vm = Math.min(W, H) / 100,
    K = fps / 30,
    sm = st.staggeredMotion; // built-in numbers are in 1/30 s, given ones in frames
  const root = el({ position: 'absolute', inset: '0', overflow: 'hidden' }, host);
  const cellBg = async (d, src, w, h) => {
    const i = await loadImg(src);
    Object.assign(d.style, {
      backgroundImage: `url(${i.src})`,
      backgroundSize: 'cover',
      backgroundPosition: '50% 50%',
    });
  };
  if (id === 'matrix') {
    const fs = st.matrixFontSize || 20,
      color = st.matrixColor || st.color || '#00FF00',
      dens = clamp(st.matrixDensity ?? 1, 0, 1),
      speed = st.speed ?? 1,
      cs = graphemes(
        st.matrixCharset ||
          '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!@#$%^&*()_+-=[]{}|;:,.<>?/~`',
      ),
      tick = f / K;
    const cols = Math.floor(W / fs),
      rows = Math.ceil(H / fs),
      LEN = 20;
    for (let c = 0; c < cols; c++) {
      if (!(rnd(c) < dens)) continue;
      const sp = speed * (0.5 + 1.5 * rnd(c + 1)),
        off = rnd(c + 2) * (H + LEN * fs),
        head = (tick * sp * fs + off) % (H + LEN * fs);
      for (let r = 0; r < rows; r++) {
        const dist = (head - r * fs) / fs;
        if (!(dist >= 0 && dist < LEN)) continue;
        const d = el(
          {
            position: 'absolute',
            left: px(c * fs),
            top: px(r * fs),
            width: px(fs),
            height: px(fs),
            lineHeight: px(fs),
            fontSize: px(fs),
            fontFamily: '"Roboto Mono"',
            textAlign: 'center',
            color,
            whiteSpace: 'pre',
          },
          root,
        );
        d.textContent = cs[Math.floor(rnd(1000 * c + 100 * r + Math.floor(tick / 4)) * cs.length)];
        if (dist < 1) {
          d.style.color = '#fff';
          d.style.fontWeight = '700';
          d.style.textShadow = '0 0 8px #fff';
        } else d.style.opacity = String(1 - dist / LEN);
      }
    }
  } else if (id === 'gridstagger') {
    const cols = st.gridCols ?? 4,
      rows = st.gridRows ?? 4,
      gap = st.columnGap ?? 20,
      pad = 60,
      n = cols * rows,
      pics = st.cellImages?.length ? st.cellImages : null;
    const size = Math.min((W - 2 * pad - gap * (cols - 1)) / cols, (H - 2 * pad - gap * (rows - 1)) / rows);
    const cw = pics ? (W - 2 * pad - gap * (cols - 1)) / cols : size,
      ch = pics ? (H - 2 * pad - gap * (rows - 1)) / rows : size; // pictures fill the box
    const x0 = (W - (cols * cw + (cols - 1) * gap)) / 2,
      y0 = (H - (rows * ch + (rows - 1) * gap)) / 2;
    const cfg = smOn(sm)
      ? sm
      : { scale: [0, 1], opacity: [0, 1], duration: st.animDuration ?? 45 * K, easing: 'spring' };
    const stg = smOn(sm) ? sm.stagger || 0 : (st.staggerDelay ?? 3 * K),
      dir = smOn(sm) ? sm.staggerDirection : st.staggerDir || 'center';
    for (let i = 0; i < n; i++) {
      const d = el(
        {
          position: 'absolute',
          left: px(x0 + (i % cols) * (cw + gap)),
          top: px(y0 + Math.floor(i / cols) * (ch + gap)),
          width: px(cw),
          height: px(ch),
          borderRadius: pics ? px(0.12 * Math.min(cw, ch)) : '50%',
        },
        root,
      );
      if (pics) await cellBg(d, pics[i % pics.length]);
      else d.style.backgroundColor = st.cellColors?.length ? st.cellColors[i % st.cellColors.length] : '#6366F1';
      applyMotion(d, motionStyle(cfg, f, staggerIndex(dir, i, n), stg, fps));
    }
  } else if (id === 'fracture') {
    // out -> home (leg) -> hold -> out (leg), a tile starts later the farther it is from the centre tile
    const cols = st.gridCols ?? 5,
      rows = st.gridRows ?? 5,
      ts = 14 * vm,
      gap = 1.2 * vm,
      TW = cols * ts + (cols - 1) * gap,
      TH = rows * ts + (rows - 1) * gap,
      x0 = (W - TW) / 2,
      y0 = (H - TH) / 2,
      pics = st.cellImages?.length ? st.cellImages : null;
    const step = st.staggerDelay ?? 4 * K,
      leg = st.animDuration ?? 55 * K,
      far = (r, c) => Math.abs(r - Math.floor(rows / 2)) + Math.abs(c - Math.floor(cols / 2)),
      maxDelay = step * Math.max(far(0, 0), far(0, cols - 1), far(rows - 1, 0), far(rows - 1, cols - 1)),
      hold = Math.max(0, o.durationInFrames - 2 * leg - maxDelay),
      e = EASE.easeinoutcubic;
    for (let r = 0; r < rows; r++)
      for (let c = 0; c < cols; c++) {
        const i = r * cols + c,
          t = f - step * far(r, c),
          q = t < leg + hold ? e(clamp(t / leg, 0, 1)) : e(clamp(1 - (t - leg - hold) / leg, 0, 1)),
          R = k => rnd(`frac-${k}-${i}`),
          m = 1 - q;
        const d = el(
          {
            position: 'absolute',
            left: px(x0 + c * (ts + gap)),
            top: px(y0 + r * (ts + gap)),
            width: px(ts),
            height: px(ts),
            borderRadius: px(1.5 * vm),
            overflow: 'hidden',
          },
          root,
        );
        if (pics && pics.length === 1) {
          const im = new Image();
          im.src = (await loadImg(pics[0])).src;
          await im.decode();
          Object.assign(im.style, {
            position: 'absolute',
            left: px(-c * (ts + gap)),
            top: px(-r * (ts + gap)),
            width: px(TW),
            height: px(TH),
            maxWidth: 'none',
            objectFit: 'cover',
          });
          d.appendChild(im);
        } else if (pics) await cellBg(d, pics[i % pics.length]);
        else d.style.backgroundColor = st.cellColors?.length ? st.cellColors[i % st.cellColors.length] : '#6366F1';
        if (smOn(sm))
          applyMotion(d, motionStyle(sm, f, staggerIndex(sm.staggerDirection, i, rows * cols), sm.stagger || 0, fps));
        else {
          d.style.opacity = String(q);
          if (m > 0)
            d.style.transform = `perspective(${100 * vm}px) translate3d(${lerp(-80, 80, R('x')) * vm * m}px,${lerp(-80, 80, R('y')) * vm * m}px,${lerp(-120, 20, R('z')) * vm * m}px) rotateX(${lerp(-180, 180, R('rx')) * m}deg) rotateY(${lerp(-180, 180, R('ry')) * m}deg) rotateZ(${lerp(-90, 90, R('rz')) * m}deg)`;
        }
      }
  } else if (id === 'scrollingcolumns') {
    const cols = st.columns?.length
        ? st.columns
        : [80, 140, 100, 120].map((speed, k) => ({
            images: (st.cellImages || []).filter((_, q) => q % 4 === k),
            speed,
            direction: k % 2 ? 'down' : 'up',
          })),
      ih = st.imageHeight ?? 300,
      gap = 20,
      cg = st.columnGap ?? 20,
      mul = st.speed ?? 1,
      cw = (W - cg * (cols.length - 1)) / cols.length;
    for (let k = 0; k < cols.length; k++) {
      const C = cols[k],
        n = C.images?.length || 0;
      if (!n) continue;
      const content = n * (ih + gap),
        off = (f / fps) * (C.speed ?? 100) * mul,
        y = (C.direction || 'up') === 'up' ? -(off % content) : (off % content) - content,
        reps = Math.max(2, Math.ceil(H / content) + 1);
      const col = el(
        { position: 'absolute', left: px(k * (cw + cg)), top: '0', width: px(cw), height: px(H), overflow: 'hidden' },
        root,
      );
      if (smOn(sm))
        applyMotion(col, motionStyle(sm, f, staggerIndex(sm.staggerDirection, k, cols.length), sm.stagger || 0, fps));
      const tr = el({ position: 'absolute', left: '0', top: '0', width: '100%', transform: `translateY(${y}px)` }, col);
      for (let q = 0; q < reps * n; q++) {
        const im = new Image();
        im.src = (await loadImg(C.images[q % n])).src;
        await im.decode();
        Object.assign(im.style, {
          position: 'absolute',
          left: '0',
          top: px(q * (ih + gap)),
          width: '100%',
          height: px(ih),
          objectFit: 'cover',
          borderRadius: '8px',
        });
        tr.appendChild(im);
      }
    }
  }
}
