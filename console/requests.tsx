import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { RequestSummary } from "../emulator/console/feed";
import { drawnIndexes } from "./drawn";
import { Icon } from "./nodes";
import { rateOf, SECONDS } from "./rate";
import { requests, state } from "./store";
import { open, query, selectedRequest } from "./view";
import { rem, useKeys, useViewport } from "./window";

/** Height of a row in `rem`, as in the style sheet. */
const ROW = 2.75;

/** The latest requests. Only the rows on the screen are in the document. */
export function Requests() {
  const scroller = useRef<HTMLDivElement>(null);
  const viewport = useViewport(scroller);
  const shown = matching(requests.value);
  const height = ROW * rem();
  const first = Math.max(0, Math.floor(viewport.top / height) - 5);
  const end = Math.ceil((viewport.top + viewport.height) / height) + 5;
  const focused = useSignal(0);
  const focusedAt = shown.findIndex(({ n }) => n === focused.value);
  const rows = drawnIndexes(shown.length, first, end, focusedAt);
  useStillness(scroller.current, shown, height);
  const wanted = useRef(0);
  useLayoutEffect(() => {
    if (!wanted.current) return;
    const row = scroller.current?.querySelector<HTMLElement>(`[data-n="${wanted.current}"]`);
    row?.scrollIntoView({ block: "nearest" });
    row?.focus({ preventScroll: true });
    wanted.current = 0;
  });
  useKeys(scroller, (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const next = step && shown[focusedAt + step];
    if (!next) return;
    event.preventDefault();
    focused.value = wanted.current = next.n;
  });
  return (
    <>
      <RequestRate />
      {shown.length === 0 && (
        <p class="nothing">{requests.value.length === 0 ? "No requests yet." : "No request matches the search."}</p>
      )}
      <div class="rows" ref={scroller}>
        <div class="canvas" style={{ height: `${shown.length * height}px` }}>
          {rows.map((index, i) => {
            const request = shown[index];
            return (
              request && (
                <Row
                  key={request.n}
                  request={request}
                  y={index * height}
                  canFocus={focusedAt >= 0 ? index === focusedAt : i === 0}
                  onFocus={() => {
                    focused.value = request.n;
                  }}
                />
              )
            );
          })}
        </div>
      </div>
    </>
  );
}

function matching(all: readonly RequestSummary[]): readonly RequestSummary[] {
  const terms = query.value.toLowerCase().split(/\s+/).filter(Boolean);
  if (terms.length === 0) return all;
  return all.filter(({ method, path, operation, username, token, status, fault }) => {
    const text = [method, path, operation, username, token, status, fault].join(" ").toLowerCase();
    return terms.every((term) => text.includes(term));
  });
}

/** Keeps the rows in place that a user reads while new ones arrive above them. */
function useStillness(scroller: HTMLElement | null, shown: readonly RequestSummary[], height: number): void {
  const newest = useRef(0);
  useLayoutEffect(() => {
    const added = shown.findIndex(({ n }) => n === newest.current);
    if (scroller && scroller.scrollTop > 0 && added > 0) scroller.scrollTop += added * height;
    newest.current = shown[0]?.n ?? 0;
  });
}

interface RowProps {
  request: RequestSummary;
  y: number;
  canFocus: boolean;
  onFocus: () => void;
}

function Row({ request, y, canFocus, onFocus }: RowProps) {
  const { n, method, path, operation, token, fault, ms } = request;
  return (
    <button
      type="button"
      class="row"
      data-n={n}
      aria-pressed={selectedRequest.value === n}
      tabIndex={canFocus ? 0 : -1}
      style={{ transform: `translateY(${y}px)` }}
      onFocus={onFocus}
      onClick={() => {
        // Some browsers do not move the focus when a button is clicked.
        onFocus();
        open({ request: n, log: state.value });
      }}
    >
      <span class={`code-mark t-${toneOf(request)}`}>{statusOf(request)}</span>
      <span class="row-text">
        <span class="row-name">{operation ?? `${method} ${path}`}</span>
        <span class="row-note">
          {method} {path}
        </span>
      </span>
      <span class="row-side">
        {fault ? (
          <span class="mark t-warn">
            <Icon name="faults" />
            {fault}
          </span>
        ) : (
          <span>{token ?? "no token"}</span>
        )}
        <span class="soft">{ms === null ? "" : duration(ms)}</span>
      </span>
    </button>
  );
}

export const duration = (ms: number): string =>
  ms < 10 ? `${ms.toFixed(1)} ms` : ms < 10_000 ? `${Math.round(ms)} ms` : `${Math.round(ms / 1000)} s`;

/** The status code; `cut` if the connection was closed without a response. */
export const statusOf = ({ status, ms }: RequestSummary): string =>
  status !== null ? String(status) : ms === null ? "…" : "cut";

export const toneOf = ({ status, ms }: RequestSummary): string => {
  if (status === null) return ms === null ? "busy" : "bad";
  return status >= 500 ? "bad" : status >= 400 ? "warn" : "good";
};

/** The number of requests in each of the last seconds. */
function RequestRate() {
  const now = useSignal(Date.now());
  const latest = requests.value[0]?.at ?? 0;
  const isMoving = now.value - latest < SECONDS * 1000;
  useEffect(() => {
    now.value = Date.now();
    if (!isMoving) return undefined;
    const timer = setInterval(() => {
      now.value = Date.now();
    }, 1000);
    return () => clearInterval(timer);
  }, [isMoving, now]);
  const { bars, sum, peak, isPartial } = rateOf(requests.value, now.value);
  const heightOf = (count: number): number => (peak === 0 ? 0 : (count / peak) * 30);
  return (
    <figure class="rate">
      <figcaption>
        {isPartial && "at least "}
        <b>{sum}</b> requests in the last minute
        {peak > 0 && (
          <span class="soft">
            {isPartial ? ", at least " : ", at most "}
            {peak} per second{isPartial && " at the peak"}
          </span>
        )}
      </figcaption>
      <svg viewBox="0 0 240 32" preserveAspectRatio="none" aria-hidden="true">
        <path class="axis" d="M0 31.5h240" />
        {bars.map(({ all, failed }, i) =>
          all === 0 ? null : (
            <g key={i}>
              <rect class="bar" x={i * 4} width={3} y={31 - heightOf(all)} height={heightOf(all)} />
              {failed > 0 && (
                <rect class="bar failed" x={i * 4} width={3} y={31 - heightOf(failed)} height={heightOf(failed)} />
              )}
            </g>
          ),
        )}
      </svg>
    </figure>
  );
}
