// Runs before the first paint, so that a chosen theme does not flash. `src/lib/theme.ts` writes the choice.
try {
  var chosen = localStorage.getItem("rondo-theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch {
  // Without storage the system's theme applies.
}
