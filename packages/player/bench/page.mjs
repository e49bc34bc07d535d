// What the benchmark does inside the page.

/** Runs in the page before anything else. */
export function prepare() {
  globalThis.long = [];
  new PerformanceObserver((list) => long.push(...list.getEntries())).observe({
    type: "longtask",
    buffered: true,
  });
  globalThis.measure = {
    async ready(src) {
      const player = document.querySelector("rondo-player");
      await customElements.whenDefined("rondo-player");
      const ready = new Promise((resolve, reject) => {
        player.addEventListener("ready", resolve, { once: true });
        player.addEventListener("error", ({ detail }) => reject(new Error(detail.message)), { once: true });
      });
      player.src = src;
      await ready;
      return performance.now();
    },
    async play(seconds) {
      const player = document.querySelector("rondo-player");
      const shown = [];
      const listen = ({ detail }) => shown.push([detail.frame, performance.now(), detail.exact]);
      await player.seek(0);
      player.loop = true;
      player.addEventListener("frame", listen);
      await player.play();
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000 + 1000));
      await player.pause();
      player.removeEventListener("frame", listen);
      // From the first frame that moved on, up to the first wrap.
      const start = shown.findIndex(([frame]) => frame > 0);
      const wrap = shown.findIndex(([frame], index) => index > start && frame < shown[index - 1][0]);
      const run = shown
        .slice(start, wrap < 0 ? undefined : wrap)
        .filter(([, at]) => at - shown[start][1] <= seconds * 1000);
      const [first, last] = [run[0], run.at(-1)];
      return {
        clock: (((last[0] - first[0]) / player.fps) * 1000) / (last[1] - first[1]),
        shown: new Set(run.map(([frame]) => frame)).size / (last[0] - first[0] + 1),
        exact: run.filter(([, , exact]) => exact).length / run.length,
        long: long
          .filter(({ startTime }) => startTime >= first[1] && startTime <= last[1])
          .map(({ duration }) => Math.round(duration)),
      };
    },
    async loops(count) {
      const player = document.querySelector("rondo-player");
      player.loop = false;
      for (let turn = 0; turn < count; turn++) {
        const ended = new Promise((resolve) => player.addEventListener("ended", resolve, { once: true }));
        await player.play();
        await ended;
      }
    },
    /** Plays round and round. */
    async turn() {
      const player = document.querySelector("rondo-player");
      player.loop = true;
      await player.play();
    },
    /** Puts players into the page and takes them out again, every tenth once it is ready. */
    async mounts(count, src) {
      for (let turn = 0; turn < count; turn++) {
        const player = document.createElement("rondo-player");
        player.src = src;
        document.body.append(player);
        if (turn % 10 === 0) await new Promise((resolve) => player.addEventListener("ready", resolve, { once: true }));
        player.remove();
      }
      await new Promise((resolve) => setTimeout(resolve, 1000));
    },
    /** Seeks to the same frames in each run: for each the frame, and the milliseconds until it is painted and until it is exact. */
    async scrub(count) {
      const player = document.querySelector("rondo-player");
      const seeks = [];
      let state = 5;
      for (let turn = 0; turn < count; turn++) {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        const frame = Math.floor((state / 2 ** 32) * player.durationInFrames);
        const start = performance.now();
        const exact = new Promise((resolve) => {
          const listen = ({ detail }) => {
            if (detail.frame !== frame || !detail.exact) return;
            player.removeEventListener("frame", listen);
            resolve(performance.now());
          };
          player.addEventListener("frame", listen);
        });
        await player.seek(frame);
        const painted = performance.now() - start;
        seeks.push([frame, painted, (await exact) - start]);
      }
      return seeks;
    },
    async type(count) {
      const player = document.querySelector("rondo-player");
      const film = structuredClone(player.composition);
      const text = film.overlays.find(({ type }) => type === "text");
      if (!text) return [];
      const times = [];
      for (let turn = 0; turn < count; turn++) {
        text.content = `Typing ${"abcdefghij".slice(0, (turn % 10) + 1)}`;
        const ready = new Promise((resolve) => player.addEventListener("ready", resolve, { once: true }));
        const start = performance.now();
        player.composition = structuredClone(film);
        await ready;
        times.push(performance.now() - start);
      }
      return times;
    },
  };
}
