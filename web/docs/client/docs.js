/** What every page of the documentation does: theme, menu, tabs, copying, filters, and the parts that are loaded when they are needed. */

const root = document.documentElement;
const remember = (key, value) => {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // Without storage the choice lasts until the page is closed.
  }
};
const remembered = (key) => {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
};

// Theme: system, light, dark. theme.js applies it before the first paint.
const THEMES = ["system", "light", "dark"];
const themeButton = document.querySelector("[data-theme-button]");
const theme = () => root.dataset.theme ?? "system";
const nameTheme = () => {
  themeButton.setAttribute("aria-label", `Theme: ${theme()}`);
  themeButton.title = `Theme: ${theme()}`;
};
themeButton.addEventListener("click", () => {
  const next = THEMES[(THEMES.indexOf(theme()) + 1) % THEMES.length];
  if (next === "system") delete root.dataset.theme;
  else root.dataset.theme = next;
  remember("rondo-theme", next === "system" ? null : next);
  nameTheme();
});
nameTheme();

// The menu of narrow windows.
const menuButton = document.querySelector(".menu-button");
const menu = document.getElementById("menu");
const openMenu = (isOpen) => {
  menuButton.setAttribute("aria-expanded", String(isOpen));
  root.classList.toggle("menu-open", isOpen);
};
menuButton.addEventListener("click", () => openMenu(menuButton.getAttribute("aria-expanded") !== "true"));
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && root.classList.contains("menu-open")) {
    openMenu(false);
    menuButton.focus();
  }
});
menu.addEventListener("click", (event) => {
  if (event.target.closest("a")) openMenu(false);
});
menu.querySelector("[aria-current]")?.scrollIntoView({ block: "center" });
document.scrollingElement.scrollLeft = 0;

// Tabs: one choice for the whole site.
function choose(name) {
  for (const tab of document.querySelectorAll("[data-tab]")) {
    const group = tab.closest(".tabs");
    if (!group.querySelector(`[data-tab="${CSS.escape(name)}"]`)) continue;
    const isChosen = tab.dataset.tab === name;
    tab.setAttribute("aria-selected", String(isChosen));
    tab.tabIndex = isChosen ? 0 : -1;
    document.getElementById(tab.getAttribute("aria-controls")).hidden = !isChosen;
  }
}
const language = remembered("rondo-docs-language");
if (language) choose(language);
document.addEventListener("click", (event) => {
  const tab = event.target.closest("[data-tab]");
  if (!tab) return;
  const before = tab.getBoundingClientRect().top;
  choose(tab.dataset.tab);
  // Examples above may have become longer: what was clicked stays where it is.
  window.scrollBy(0, tab.getBoundingClientRect().top - before);
  remember("rondo-docs-language", tab.dataset.tab);
});
document.addEventListener("keydown", (event) => {
  const tab = event.target.closest?.("[data-tab]");
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!tab || !step) return;
  const tabs = [...tab.parentElement.children];
  const next = tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length];
  next.focus();
  next.click();
});

// Copying.
async function keep(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  // Pages without TLS have no clipboard: a selection is copied instead.
  const field = Object.assign(document.createElement("textarea"), { value: text });
  document.body.append(field);
  field.select();
  const isKept = document.execCommand("copy");
  field.remove();
  if (!isKept) throw new Error("Copying is refused.");
}
async function copy(button, text) {
  const label = button.textContent;
  try {
    await keep(text);
    button.textContent = "Copied";
  } catch {
    button.textContent = "Copying is not allowed";
  }
  setTimeout(() => {
    button.textContent = label;
  }, 1600);
}
document.addEventListener("click", async (event) => {
  const code = event.target.closest("[data-copy]");
  if (code) await copy(code, code.closest(".code").querySelector("pre:not([hidden] pre)").textContent);
  const page = event.target.closest("[data-markdown]");
  if (page) await copy(page, await (await fetch(page.dataset.markdown)).text());
});

// Filters of long pages.
for (const input of document.querySelectorAll("[data-filter]")) {
  const scope = input.closest("main");
  input.addEventListener("input", () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const it of scope.querySelectorAll(".entry, [data-entry]")) {
      const text = (it.dataset.entry ?? `${it.id} ${it.querySelector(".entry-text").textContent}`).toLowerCase();
      it.hidden = !words.every((word) => text.includes(word));
    }
  });
}

// The heading that is read, in the list of headings.
const links = new Map([...document.querySelectorAll(".contents a")].map((link) => [link.hash.slice(1), link]));
if (links.size) {
  const headings = [...links.keys()].map((id) => document.getElementById(id));
  const mark = () => {
    const passed = headings.filter((heading) => heading.getBoundingClientRect().top < 120);
    const current = passed.at(-1) ?? headings[0];
    for (const [id, link] of links) {
      if (id === current.id) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  };
  document.addEventListener("scroll", mark, { passive: true });
  mark();
}

// What an address names may be folded away.
const named = () => {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    // Links may be malformed, such as `#100%`: they name nothing, and the page works.
    return "";
  }
};
const unfold = () => {
  const target = document.getElementById(named());
  const folds = [];
  for (let at = target?.closest("details"); at; at = at.parentElement.closest("details")) folds.push(at);
  if (!folds.some((it) => !it.open)) return;
  for (const it of folds) it.open = true;
  target.scrollIntoView();
};
window.addEventListener("hashchange", unfold);
unfold();

// Search is loaded when it is asked for.
const search = () => import("./search.js").then(({ openSearch }) => openSearch());
document.querySelector("[data-search]").addEventListener("click", search);
document.addEventListener("keydown", (event) => {
  const isWriting = event.target.closest?.("input, textarea, select, [contenteditable]");
  if ((event.key === "/" && !isWriting) || (event.key === "k" && (event.ctrlKey || event.metaKey))) {
    event.preventDefault();
    search();
  }
});

if (root.dataset.versioned !== undefined) import("./versions.js");
const hasFilms = document.querySelector("[data-film]") || document.querySelector("pre");
if (hasFilms && root.dataset.service !== undefined) import("./films.js");
if (document.querySelector("[data-send]")) {
  if (root.dataset.service === "") import("./send.js");
  else for (const form of document.querySelectorAll("details.send")) form.remove();
}
