/** The menu of versions: sites of other versions are in folders beside this one, which versions.json lists, the newest first. */

const home = new URL("../../", import.meta.url);
const beside = (address) => new URL(`../${address}`, home);
const current = home.pathname.split("/").at(-2);

async function goTo(version) {
  // The same page, if that version has it.
  const page = beside(`${version}/${location.pathname.slice(home.pathname.length)}`);
  const isThere = await fetch(page, { method: "HEAD" }).then(
    (response) => response.ok,
    () => false,
  );
  location.href = isThere ? page.href : beside(`${version}/docs/`).href;
}

const versions = await fetch(beside("versions.json")).then(
  (response) => (response.ok ? response.json() : []),
  () => [],
);
if (versions.length > 1) {
  const select = document.createElement("select");
  select.setAttribute("aria-label", "Version");
  for (const [index, version] of versions.entries())
    select.add(new Option(index === 0 ? `${version} (newest)` : version, version, false, version === current));
  select.addEventListener("change", () => goTo(select.value));
  document.querySelector(".version").prepend(select);
}
