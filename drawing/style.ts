/**
 * Colors and fonts. They follow the system's light or dark setting, or `data-theme` of the root element. `--accent` is
 * the only color without a meaning; the others are those of states.
 */
export const tokens = `
:root { color-scheme: light dark;
  --page: light-dark(#f6f7f9, #0f1115); --surface: light-dark(#fff, #171a20); --raised: light-dark(#f1f3f6, #1f232b);
  --line: light-dark(#dfe3ea, #2b313c); --edge: light-dark(#828d9d, #6b7687); --ring: light-dark(#97a1b0, #586273);
  --text: light-dark(#161a22, #e9ecf1); --soft: light-dark(#566071, #a3adbb); --accent: light-dark(#4f46e5, #a5b4fc); --on-accent: light-dark(#fff, #14161b);
  --bad: light-dark(#b3261e, #ff8f85); --warn: light-dark(#8a5300, #ffb951); --busy: light-dark(#4338ca, #a5b4fc); --unknown: light-dark(#6a3fa0, #cdb4f5);
  --off: light-dark(#566071, #a3adbb); --good: light-dark(#17693a, #74d69a); --plain: light-dark(#566071, #a3adbb);
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, monospace; }
:root[data-theme="light"] { color-scheme: light; } :root[data-theme="dark"] { color-scheme: dark; }
.t-bad { --tone: var(--bad); } .t-warn { --tone: var(--warn); } .t-busy { --tone: var(--busy); } .t-unknown { --tone: var(--unknown); }
.t-off { --tone: var(--off); } .t-good { --tone: var(--good); } .t-plain { --tone: var(--plain); }
`;

/** Cards, marks, chips and the legend. All cards have the same height, so that a list can be drawn in parts. */
export const cards = `
.card { position: relative; box-sizing: border-box; display: grid; grid-template: auto 1fr / auto minmax(0, 1fr); gap: .4rem .6rem; align-items: start; height: 5.5rem; padding: .65rem .75rem; overflow: hidden;
  background: var(--surface); border: 1px solid var(--line); border-radius: .6rem; color: var(--text); font: inherit; font-size: .8125rem; line-height: 1.3; text-align: left; text-decoration: none; }
.card.t-bad, .card.t-warn { border-color: var(--tone); } .card.t-bad { background: color-mix(in srgb, var(--bad) 7%, var(--surface)); }
.card.dashed { border-style: dashed; border-color: var(--tone); }
.card.guarded { padding: calc(.65rem - 1px) calc(.75rem - 1px); border: 2px dashed var(--ring); box-shadow: inset 0 0 0 2px var(--page), inset 0 0 0 3px var(--line); }
.card.guarded.t-bad, .card.guarded.t-warn { box-shadow: inset 0 0 0 2px var(--page), inset 0 0 0 3px var(--tone); }
.icon { width: 1.15rem; height: 1.15rem; fill: none; stroke: currentColor; stroke-width: 1.6; stroke-linecap: round; stroke-linejoin: round; flex: none; }
.card-icon { display: grid; place-items: center; width: 2rem; height: 2rem; border-radius: .5rem; color: var(--tone); background: color-mix(in srgb, var(--tone) 11%, var(--surface)); }
.spoken { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.card-text { display: grid; min-width: 0; } .card-name, .card-note { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.card-name { font-weight: 600; font-size: .875rem; } .card-note { color: var(--soft); font-size: .75rem; }
.mark { display: inline-flex; flex: none; align-items: baseline; gap: .3rem; padding: .05rem .45rem; border-radius: 1rem; color: var(--tone); background: color-mix(in srgb, var(--tone) 10%, var(--surface)); font-size: .71875rem; font-weight: 600; line-height: 1.5; white-space: nowrap; }
.chips { grid-column: 1 / -1; align-self: end; display: flex; align-items: center; gap: .3rem; min-width: 0; overflow: hidden; }
.chip { display: inline-flex; align-items: center; gap: .25rem; min-width: 2.2rem; max-width: 100%; padding: .1rem .4rem; border-radius: .35rem; background: var(--raised); color: var(--soft); font-size: .71875rem; line-height: 1.35; white-space: nowrap; }
.chip > span:last-child { overflow: hidden; text-overflow: ellipsis; } .chip .icon { width: .85rem; height: .85rem; stroke-width: 1.8; }
.chip.t-bad, .chip.t-warn, .chip.t-busy { color: var(--tone); } .chip .sign { color: var(--tone); font-weight: 700; }
.legend { display: flex; flex-wrap: wrap; align-items: center; gap: .35rem .9rem; margin: 0; padding: 0; list-style: none; font-size: .78125rem; color: var(--soft); }
.key { display: inline-flex; align-items: center; gap: .35rem; } .guard-key { width: 1.15rem; height: .8rem; border: 2px dashed var(--ring); border-radius: .25rem; }
`;
