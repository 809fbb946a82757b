/**
 * The page's script, which filters the list. The list first shows only its beginning, so that a large account does not
 * slow the page down. The selected filters are part of the URL, so that links contain them. The lines from load
 * balancers to their instances are drawn here, because they depend on where the tiles are.
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
const SVG = "http://www.w3.org/2000/svg";
const WIRES = 500;
const connect = () => {
  const tiles = new Map([...document.querySelectorAll("[data-key]")].map((tile) => [tile.dataset.key, tile]));
  for (const panel of document.querySelectorAll(".tiles")) {
    panel.querySelector(":scope > svg")?.remove();
    const all = [...panel.querySelectorAll("[data-to]")];
    const pairs = all.flatMap((from) => JSON.parse(from.dataset.to).map((key) => [from, tiles.get(key)]));
    const wires = pairs.filter(([, to]) => to && panel.contains(to)).slice(0, WIRES);
    if (!wires.length) continue;
    const drawing = document.createElementNS(SVG, "svg");
    drawing.setAttribute("aria-hidden", "true");
    const outer = panel.getBoundingClientRect();
    for (const ends of wires) {
      const line = document.createElementNS(SVG, "line");
      line.setAttribute("class", "wire");
      for (const [i, tile] of ends.entries()) {
        const box = tile.querySelector("svg").getBoundingClientRect();
        line.setAttribute("x" + (i + 1), box.left + box.width / 2 - outer.left);
        line.setAttribute("y" + (i + 1), box.top + box.height / 2 - outer.top);
      }
      drawing.append(line);
    }
    panel.prepend(drawing);
  }
};
addEventListener("resize", connect);
connect();
more.addEventListener("click", () => { most += PART; apply(); });
addEventListener("hashchange", show);
show();
`;
