/**
 * The page's script, which filters the list. The list first shows only its beginning, so that a large account does not
 * slow the page down. The selected filters are part of the URL, so that links contain them.
 */
export const script = `
const PART = 100;
const form = document.querySelector("form");
const [count, more] = [document.querySelector("#count"), document.querySelector("#more")];
const items = [...document.querySelectorAll("ul.objects > li")].map((item) => ({ item, ...item.dataset }));
const fields = ["search", "status", "kind", "region"].map((name) => form.elements[name]);
let most = PART;
const linked = () => document.getElementById(decodeURIComponent(location.hash.slice(1)));
const apply = () => {
  const [search, ...chosen] = fields.map((field) => field.value);
  const words = search.toLowerCase().split(/\\s+/).filter(Boolean);
  const target = linked();
  let matches = 0;
  for (const { item, text, status, kind, region } of items) {
    const fits = [status, kind, region].every((value, i) =>
      !chosen[i] || value === chosen[i] || (i === 0 && chosen[0] === "changed" && value !== "unchanged"))
      && words.every((word) => text.includes(word));
    if (fits) matches++;
    const hidden = !(fits && matches <= most) && item !== target;
    if (item.hidden !== hidden) item.hidden = hidden;
  }
  count.textContent = matches + " of " + items.length + " objects";
  more.hidden = matches <= most;
  more.textContent = "Show " + Math.min(PART, matches - most) + " more";
};
const save = () => {
  const query = new URLSearchParams(fields.map((field) => [field.name, field.value]).filter(([, value]) => value));
  history.replaceState(null, "", (query.size ? "?" + query : location.pathname) + location.hash);
};
const filter = () => { most = PART; apply(); save(); };
const show = () => {
  apply();
  const item = linked();
  if (!item || !item.matches("ul.objects > li")) return;
  item.scrollIntoView({ block: "center" });
  item.focus({ preventScroll: true });
};
const given = new URLSearchParams(location.search);
for (const field of fields) if (given.has(field.name)) field.value = given.get(field.name);
form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("input", filter);
form.addEventListener("reset", () => setTimeout(filter));
more.addEventListener("click", () => { most += PART; apply(); });
addEventListener("hashchange", show);
show();
`;
