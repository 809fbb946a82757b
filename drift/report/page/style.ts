import { cards, tokens } from "../../../drawing";

/** The page's style sheet, after that of the diagram, which the emulator's console has, too. */
export const style = `${tokens}${cards}
:root { --link: var(--accent); }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
a { color: var(--link); }
.skip { position: absolute; left: -999em; } .skip:focus { left: 1rem; top: 1rem; background: var(--page); padding: .5rem; }
header, main { max-width: 100rem; margin: auto; padding: 1.25rem 1.5rem 0; } header p { margin: .25rem 0; }
h1 { margin: 0; font-size: 1.5rem; } h2 { font-size: 1.1rem; margin: 0 0 .5rem; } h3 { font-size: .95rem; margin: 1rem 0 .4rem; } h3 .soft { font-weight: 400; }
.soft { color: var(--soft); }
main { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 1.5rem; align-items: start; }
@media (max-width: 70rem) { main { grid-template-columns: minmax(0, 1fr); } } @media (max-width: 30rem) { header, main { padding: 1rem .75rem 0; } label, input, select { width: 100%; } }
section { background: var(--page); border: 1px solid var(--line); border-radius: .5rem; padding: 1rem; margin-bottom: 1.5rem; }
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
.s-unchanged { color: var(--plain); } .s-drift, .s-deleted { color: var(--bad); }
.s-accepted { color: var(--good); } .s-unmanaged { color: var(--warn); } .s-unread { color: var(--unknown); }
.difference { margin: .5rem 0; padding-left: .75rem; border-left: 3px solid var(--line); }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0 .75rem; margin: .15rem 0; } dt { color: var(--soft); font-size: .85rem; } dd { margin: 0; }
code, pre { font: .85rem/1.45 var(--mono); } pre { white-space: pre-wrap; margin: .25rem 0; padding: .4rem .6rem; background: var(--page); border: 1px solid var(--line); border-radius: .3rem; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(15rem, 100%), 1fr)); gap: .6rem; margin-bottom: 1.25rem; }
.cards .card { content-visibility: auto; contain-intrinsic-size: auto 5.5rem auto 15rem; } a.card:hover { border-color: var(--accent); }
.legend { margin-bottom: 1rem; }
.stats { display: flex; flex-wrap: wrap; gap: .25rem 1rem; margin: .25rem 0; padding: 0; list-style: none; font-size: .85rem; color: var(--soft); }
.stats { gap: .5rem; margin: 1rem 0; font-size: .9rem; } .stats li { min-width: 7rem; padding: .4rem .9rem; border: 1px solid var(--line); border-left: 4px solid currentColor; border-radius: .4rem; background: var(--surface); }
.stats b { display: block; font-size: 1.35rem; line-height: 1.2; }
`;
