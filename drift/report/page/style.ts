/**
 * The page's style sheet. Colors follow the system's light or dark setting. Each status has a symbol in addition to its
 * color.
 */
export const style = `
:root { color-scheme: light dark;
  --page: light-dark(#fff, #14171c); --panel: light-dark(#f4f6f8, #1d2229); --line: light-dark(#c9d0d8, #3a424d);
  --text: light-dark(#1a1f26, #e6e9ee); --soft: light-dark(#515c69, #a8b2bf); --link: light-dark(#0b57d0, #8ab4f8);
  --unchanged: light-dark(#8794a3, #6d7a89); --drift: light-dark(#b3261e, #ff8a80); --deleted: light-dark(#b3261e, #ff8a80);
  --accepted: light-dark(#1d6b3a, #79d99b); --unmanaged: light-dark(#8a5300, #ffb951); --unread: light-dark(#6a3fa0, #cdb4f5); }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
a { color: var(--link); }
.skip { position: absolute; left: -999em; } .skip:focus { left: 1rem; top: 1rem; background: var(--page); padding: .5rem; }
header, main { max-width: 100rem; margin: auto; padding: 1.25rem 1.5rem 0; } header p { margin: .25rem 0; }
h1 { margin: 0; font-size: 1.5rem; } h2 { font-size: 1.1rem; margin: 0 0 .5rem; } h3 { font-size: .95rem; margin: 1rem 0 .4rem; } h3 .soft { font-weight: 400; }
.soft { color: var(--soft); }
main { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 1.5rem; align-items: start; }
@media (max-width: 70rem) { main { grid-template-columns: minmax(0, 1fr); } } @media (max-width: 30rem) { header, main { padding: 1rem .75rem 0; } label, input, select { width: 100%; } }
section { background: var(--panel); border: 1px solid var(--line); border-radius: .5rem; padding: 1rem; margin-bottom: 1.5rem; }
form { display: flex; flex-wrap: wrap; gap: .75rem; align-items: end; margin-bottom: .75rem; }
label { display: grid; font-size: .85rem; color: var(--soft); }
input, select, button { font: inherit; max-width: 100%; color: var(--text); background: var(--page); border: 1px solid var(--line); border-radius: .3rem; padding: .3rem .5rem; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
ul.objects { list-style: none; margin: 0; padding: 0; }
ul.objects > li { display: block; content-visibility: auto; contain-intrinsic-size: auto 3rem; border-top: 1px solid var(--line); padding: .5rem 0; overflow-wrap: anywhere; scroll-margin-top: 1rem; }
ul.objects > li:target { outline: 3px solid var(--link); outline-offset: 2px; }
ul.objects > li[hidden], button[hidden] { display: none; }
.objects p { margin: 0; } .head { display: flex; flex-wrap: wrap; gap: .25rem .6rem; align-items: baseline; }
.status { padding: 0 .55rem; border: 1px solid; border-radius: 1rem; font-size: .8rem; font-weight: 600; }
.s-unchanged { color: var(--soft); } .s-drift { color: var(--drift); } .s-deleted { color: var(--deleted); }
.s-accepted { color: var(--accepted); } .s-unmanaged { color: var(--unmanaged); } .s-unread { color: var(--unread); }
.difference { margin: .5rem 0; padding-left: .75rem; border-left: 3px solid var(--line); }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0 .75rem; margin: .15rem 0; } dt { color: var(--soft); font-size: .85rem; } dd { margin: 0; }
code, pre { font: .85rem/1.45 ui-monospace, monospace; } pre { white-space: pre-wrap; margin: .25rem 0; padding: .4rem .6rem; background: var(--page); border: 1px solid var(--line); border-radius: .3rem; }
.tiles { position: relative; display: grid; grid-template-columns: repeat(auto-fill, minmax(6.75rem, 1fr)); gap: .25rem; }
.tiles > svg { position: absolute; inset: 0; width: 100%; height: 100%; }
.tile { content-visibility: auto; contain-intrinsic-size: auto 6rem auto 7rem; padding: 0 .15rem .2rem; border-radius: .4rem; text-align: center; font-size: .75rem; line-height: 1.2; color: var(--soft); text-decoration: none; }
.name { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; overflow: hidden; overflow-wrap: anywhere; }
a.tile { color: var(--text); font-weight: 600; } a.tile:hover { background: color-mix(in srgb, var(--line) 60%, transparent); }
.spoken { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.tile { position: relative; } .tile svg { display: block; width: 4.5rem; height: 4.5rem; margin: auto; }
.key { width: 1em; height: 1em; vertical-align: -.125em; } svg .wire { stroke: var(--soft); stroke-width: 1.5; fill: none; }
svg text { font: 600 11px system-ui, sans-serif; fill: var(--text); text-anchor: middle; }
svg rect, svg circle, svg path { fill: var(--page); stroke-width: 1.5; }
svg .p-unchanged { stroke: var(--unchanged); } svg .p-drift { stroke: var(--drift); stroke-width: 2.5; }
svg .p-deleted { stroke: var(--deleted); stroke-width: 2.5; stroke-dasharray: 4 3; } svg .p-accepted { stroke: var(--accepted); stroke-width: 2; }
svg .p-unmanaged { stroke: var(--unmanaged); stroke-width: 2; stroke-dasharray: 6 3; } svg .p-unread { stroke: var(--unread); stroke-dasharray: 1 2; }
svg rect.p-drift, svg rect.p-deleted { fill: color-mix(in srgb, var(--drift) 16%, var(--page)); } svg rect.p-accepted { fill: color-mix(in srgb, var(--accepted) 16%, var(--page)); }
svg rect.p-unmanaged { fill: color-mix(in srgb, var(--unmanaged) 16%, var(--page)); }
svg .satellite.p-drift, svg .satellite.p-deleted { fill: var(--drift); stroke-dasharray: none; } svg .satellite.p-unmanaged { fill: var(--unmanaged); } svg .satellite.p-accepted { fill: var(--accepted); }
.legend, .stats { display: flex; flex-wrap: wrap; gap: .25rem 1rem; margin: .25rem 0; padding: 0; list-style: none; font-size: .85rem; color: var(--soft); }
.stats { gap: .5rem; margin: 1rem 0; font-size: .9rem; } .stats li { min-width: 7rem; padding: .4rem .9rem; border: 1px solid var(--line); border-left: 4px solid currentColor; border-radius: .4rem; background: var(--panel); }
.stats b { display: block; font-size: 1.35rem; line-height: 1.2; }
`;
