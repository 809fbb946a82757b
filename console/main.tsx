import { render } from "preact";
import { useRef } from "preact/hooks";
import { Access } from "./access";
import { Clock, Data } from "./data";
import { Details } from "./details";
import { Faults } from "./faults";
import { Copy, Icon, type IconName } from "./nodes";
import { Picture } from "./picture";
import { Requests } from "./requests";
import { activeFaults, announcement, connect, isLive, state } from "./store";
import { nextTheme, theme } from "./theme";
import { close, hasPicture, isNarrow, type Panel, panel, query, selection, show } from "./view";

const titles: Readonly<Record<Panel, string>> = {
  picture: "Account",
  requests: "Requests",
  faults: "Faults",
  data: "Time & data",
  access: "Access",
};

const contents: Readonly<Record<Exclude<Panel, "picture">, () => preact.JSX.Element>> = {
  requests: Requests,
  faults: Faults,
  data: Data,
  access: Access,
};

function Console() {
  const open = panel.value === "picture" && !isNarrow.value ? "requests" : panel.value;
  const Panel = open === "picture" ? undefined : contents[open];
  return (
    <>
      <Header />
      <main>
        {hasPicture.value && <Picture />}
        <Tabs open={open} />
        {Panel && (
          <div id="panel" class="side" role="tabpanel" aria-labelledby={`tab-${open}`}>
            {/* The panel keeps its place and what was typed while the details cover it. */}
            <div class={`panel ${selection.value ? "covered" : ""}`}>
              <Panel key={open} />
            </div>
            {selection.value && <Details selected={selection.value} />}
          </div>
        )}
      </main>
      <p class="spoken" role="status">
        {announcement}
      </p>
    </>
  );
}

function Header() {
  const url = `${location.origin}/v4`;
  return (
    <header class="top">
      <h1>
        <svg viewBox="0 0 32 32" class="logo" aria-hidden="true">
          <rect width="32" height="32" rx="7" />
          <path d="M10.5 22.5a5 5 0 0 1-.6-10 6.6 6.6 0 0 1 12.7 1.6 4.3 4.3 0 0 1-.6 8.4z" />
        </svg>
        <span class="title">Emulator</span>
      </h1>
      <span class="address">
        <code>{url}</code>
        <Copy text={url} label="Copy the address of the API" />
      </span>
      <Search />
      <span class="time">
        <Clock /> <span class="soft">{state.value?.clock.pace}</span>
      </span>
      <span class={`live ${isLive.value ? "on" : ""}`}>{isLive.value ? "Live" : "Not connected"}</span>
      <button
        type="button"
        class="tool"
        aria-label={`Theme: ${theme.value}`}
        title={`Theme: ${theme.value}`}
        onClick={nextTheme}
      >
        <Icon name={({ auto: "auto", light: "sun", dark: "moon" } as const)[theme.value]} />
      </button>
    </header>
  );
}

function Search() {
  return (
    <search class="search">
      <Icon name="search" />
      <input
        id="search"
        type="search"
        aria-label="Search objects and requests"
        placeholder="Search objects and requests"
        autocomplete="off"
        spellcheck={false}
        aria-keyshortcuts="/"
        value={query.value}
        onInput={({ currentTarget }) => {
          query.value = currentTarget.value;
        }}
      />
      <span class="shortcut" aria-hidden="true">
        /
      </span>
    </search>
  );
}

function Tabs({ open }: { open: Panel }) {
  const list = useRef<HTMLDivElement>(null);
  const choices = (Object.keys(titles) as Panel[]).filter((name) => isNarrow.value || name !== "picture");
  const keyPressed = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const next = step && choices[(choices.indexOf(open) + step + choices.length) % choices.length];
    if (!next) return;
    event.preventDefault();
    show(next);
    list.current?.querySelector<HTMLElement>(`#tab-${next}`)?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label="Panels" ref={list} onKeyDown={keyPressed}>
      {choices.map((name) => (
        <button
          key={name}
          id={`tab-${name}`}
          type="button"
          role="tab"
          aria-selected={name === open}
          aria-controls={name === "picture" ? undefined : "panel"}
          tabIndex={name === open ? 0 : -1}
          onClick={() => show(name)}
        >
          <Icon name={name satisfies IconName} />
          <span>{titles[name]}</span>
          {name === "faults" && activeFaults.value > 0 && <b class="badge">{activeFaults}</b>}
        </button>
      ))}
    </div>
  );
}

document.addEventListener("keydown", (event) => {
  const isTyping = event.target instanceof Element && event.target.matches("input, select, textarea");
  if (event.key === "/" && !isTyping) {
    event.preventDefault();
    document.querySelector<HTMLInputElement>("#search")?.focus();
  }
  if (event.key !== "Escape") return;
  if (selection.value) close();
  else query.value = "";
});

connect();
const root = document.querySelector("#console");
if (root) render(<Console />, root);
