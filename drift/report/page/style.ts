/** Colors follow the reader's system setting. Each status has a symbol in addition to its color. */
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
header, main, footer { max-width: 100rem; margin: auto; padding: 1rem 1.5rem; }
h1 { margin: 0; font-size: 1.5rem; } h2 { font-size: 1.1rem; margin: 0 0 .5rem; } h3 { font-size: .95rem; margin: 1rem 0 .25rem; }
.soft { color: var(--soft); }
main { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 1.5rem; align-items: start; }
@media (max-width: 70rem) { main { grid-template-columns: minmax(0, 1fr); } }
section { background: var(--panel); border: 1px solid var(--line); border-radius: .5rem; padding: 1rem; margin-bottom: 1.5rem; }
form { display: flex; flex-wrap: wrap; gap: .75rem; align-items: end; margin-bottom: .75rem; }
label { display: grid; font-size: .85rem; color: var(--soft); }
input, select, button { font: inherit; color: var(--text); background: var(--page); border: 1px solid var(--line); border-radius: .3rem; padding: .3rem .5rem; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
ul.objects { list-style: none; margin: 0; padding: 0; }
ul.objects > li { content-visibility: auto; contain-intrinsic-size: auto 3rem; border-top: 1px solid var(--line); padding: .5rem 0; overflow-wrap: anywhere; scroll-margin-top: 1rem; }
ul.objects > li:target { outline: 3px solid var(--link); outline-offset: 2px; }
li[hidden] { display: none; }
.status { display: inline-block; min-width: 6.5rem; font-weight: 600; }
.s-unchanged { color: var(--soft); } .s-drift { color: var(--drift); } .s-deleted { color: var(--deleted); }
.s-accepted { color: var(--accepted); } .s-unmanaged { color: var(--unmanaged); } .s-unread { color: var(--unread); }
table { border-collapse: collapse; width: 100%; margin: .5rem 0; } th, td { text-align: left; vertical-align: top; padding: .2rem .6rem .2rem 0; }
th { font-size: .8rem; color: var(--soft); font-weight: 600; }
code, pre { font: .85rem/1.45 ui-monospace, monospace; } pre { white-space: pre-wrap; margin: .25rem 0; padding: .4rem .6rem; background: var(--page); border: 1px solid var(--line); border-radius: .3rem; }
svg { display: block; width: 100%; height: auto; content-visibility: auto; }
svg .tile { fill: var(--page); stroke-width: 1.5; } svg text { font: 9px system-ui, sans-serif; fill: var(--text); text-anchor: middle; }
svg .p-unchanged { stroke: var(--unchanged); } svg .p-drift { stroke: var(--drift); stroke-width: 3; }
svg .p-deleted { stroke: var(--deleted); stroke-width: 3; stroke-dasharray: 3 2; } svg .p-accepted { stroke: var(--accepted); stroke-width: 2; }
svg .p-unmanaged { stroke: var(--unmanaged); stroke-width: 2; stroke-dasharray: 5 2; } svg .p-unread { stroke: var(--unread); stroke-dasharray: 1 2; }
svg .satellite { fill: var(--panel); stroke-width: 1.5; } svg .satellite.p-drift, svg .satellite.p-deleted { fill: var(--drift); }
svg .satellite.p-unmanaged { fill: var(--unmanaged); } svg .satellite.p-accepted { fill: var(--accepted); }
svg a:hover .tile, svg a:focus-visible .tile { fill: var(--panel); }
.legend { display: flex; flex-wrap: wrap; gap: .25rem 1rem; padding: 0; list-style: none; font-size: .85rem; }
`;
