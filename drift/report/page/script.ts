/** Filters the list. The selected filters are part of the address, so that they can be linked to. */
export const script = `
const form = document.querySelector("form");
const items = [...document.querySelectorAll("ul.objects > li")];
const count = document.querySelector("#count");
const fields = ["search", "status", "kind", "region"].map((name) => form.elements[name]);
const apply = () => {
  const [search, ...chosen] = fields.map((field) => field.value);
  const words = search.toLowerCase().split(/\\s+/).filter(Boolean);
  let shown = 0;
  for (const item of items) {
    const { text, status, kind, region } = item.dataset;
    const fits = [status, kind, region].every((value, i) =>
      !chosen[i] || value === chosen[i] || (i === 0 && chosen[0] === "changed" && value !== "unchanged"));
    item.hidden = !(fits && words.every((word) => text.includes(word)));
    if (!item.hidden) shown++;
  }
  count.textContent = shown + " of " + items.length + " objects";
};
const save = () => {
  const query = new URLSearchParams(fields.map((field) => [field.name, field.value]).filter(([, value]) => value));
  history.replaceState(null, "", (query.size ? "?" + query : location.pathname) + location.hash);
};
const show = () => {
  const item = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!item || !items.includes(item)) return;
  if (item.hidden) { form.reset(); fields[1].value = ""; apply(); }
  item.scrollIntoView({ block: "center" });
  item.focus({ preventScroll: true });
};
const given = new URLSearchParams(location.search);
for (const field of fields) if (given.has(field.name)) field.value = given.get(field.name);
form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("input", () => { apply(); save(); });
form.addEventListener("reset", () => setTimeout(() => { apply(); save(); }));
addEventListener("hashchange", show);
apply();
show();
`;
