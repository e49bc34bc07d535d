// Applies the theme before the first paint. `src/lib/theme.ts` stores it.
try {
  const chosen = localStorage.getItem("rondo-theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch {
  // Without storage the system theme applies.
}
