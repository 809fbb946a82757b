export { arrange, type Card, type Drawn, GLOBAL, type Region } from "./arrange";
export { cardClasses, cardContents, cardTitle, markOf } from "./card";
export { type Element, element, htmlOf } from "./element";
export { countedKind, iconOf, kindOrder, lookOf } from "./kinds";
export { legendOf } from "./legend";
export { byUrgency, driftStatuses, liveStatus, liveStatuses, type Status, type Tone, tones } from "./status";
export { cards, tokens } from "./style";
