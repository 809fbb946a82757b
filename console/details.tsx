import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { iconOf, lookOf, markOf } from "../drawing";
import type { ObjectDetails, RequestDetails } from "../emulator/console/details";
import { messageOf, send } from "./control";
import { Code } from "./empty";
import { Icon, nodeOf } from "./nodes";
import { duration, statusOf, toneOf } from "./requests";
import { objects, paint, requests, type Shown } from "./store";
import { close, open, type Selection } from "./view";

/** The details of the selected object or request, in place of the panel. */
export function Details({ selected }: { selected: NonNullable<Selection> }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const subject = "object" in selected ? selected.object : selected.request;
  useEffect(() => heading.current?.focus(), [subject]);
  return (
    <section class="details" aria-label="Details">
      <header>
        <h2 ref={heading} tabIndex={-1}>
          {"object" in selected ? <ObjectTitle name={selected.object} /> : <RequestTitle n={selected.request} />}
        </h2>
        <button type="button" class="tool" aria-label="Close the details" title="Close (Esc)" onClick={close}>
          <Icon name="close" />
        </button>
      </header>
      {"object" in selected ? (
        <ObjectView key={selected.object} name={selected.object} />
      ) : (
        <RequestView key={selected.request} n={selected.request} />
      )}
    </section>
  );
}

/** Loads details when their subject changes. An error is shown instead. */
function useDetails<T>(path: string, version: unknown): { details: T | undefined; problem: string } {
  const [details, setDetails] = useState<T>();
  const [problem, setProblem] = useState("");
  useEffect(() => {
    let isCurrent = true;
    send<T>("GET", path).then(
      (loaded) => isCurrent && setDetails(loaded),
      (error) => isCurrent && setProblem(messageOf(error)),
    );
    return () => {
      isCurrent = false;
    };
  }, [path, version]);
  return { details, problem };
}

function ObjectTitle({ name }: { name: string }) {
  paint.value;
  const object = objects.get(name);
  if (!object) return <>Deleted object</>;
  return (
    <>
      {nodeOf(iconOf(object.kind))} <span>{object.name}</span> {markOf(object.status).map(nodeOf)}
    </>
  );
}

function ObjectView({ name }: { name: string }) {
  paint.value;
  const object = objects.get(name);
  const { details, problem } = useDetails<ObjectDetails>(
    `console/object?key=${encodeURIComponent(name)}`,
    object?.stamp,
  );
  if (!object) return <p class="nothing">The object {name} was deleted.</p>;
  return (
    <div class="body">
      <p class="soft">
        {lookOf(object.kind).one} {object.id}
      </p>
      <Related title="Attached to" found={(object.on ?? []).flatMap((key) => objects.get(key) ?? [])} />
      <Related title="Attached objects" found={[...objects.values()].filter(({ on }) => on?.includes(name))} />
      {problem && <p role="alert">{problem}</p>}
      {details && <Facts values={details.fields} />}
      {details?.commands && <Commands {...details.commands} />}
    </div>
  );
}

/** Maximum number of related objects that are listed. */
const MAX_RELATED = 50;

function Related({ title, found }: { title: string; found: readonly Shown[] }) {
  if (found.length === 0) return null;
  return (
    <section class="related">
      <h3>{title}</h3>
      <ul>
        {found.slice(0, MAX_RELATED).map(({ key, kind, name, note, status }) => (
          <li key={key}>
            <button type="button" class="link" onClick={() => open({ object: key })}>
              {nodeOf(iconOf(kind))} {name}
            </button>{" "}
            <span class="soft">{note}</span> {markOf(status).map(nodeOf)}
          </li>
        ))}
      </ul>
      {found.length > MAX_RELATED && <p class="soft">and {found.length - MAX_RELATED} more</p>}
    </section>
  );
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value, null, 2));

const isPlain = (value: unknown): boolean => typeof value !== "object" || value === null;

/** A value in few words: plain lists in a line, and the fields of plain objects in a line each. */
function factOf(value: unknown): string {
  if (Array.isArray(value) && value.length > 0 && value.every(isPlain)) return value.join(", ");
  if (typeof value !== "object" || value === null || Array.isArray(value)) return textOf(value);
  const fields = Object.entries(value);
  return fields.every(([, inner]) => isPlain(inner)) ? fields.map((pair) => pair.join(": ")).join("\n") : textOf(value);
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === "" || (Array.isArray(value) && value.length === 0);

function Facts({ values }: { values: Readonly<Record<string, unknown>> }) {
  return (
    <dl class="facts">
      {Object.entries(values).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{isEmpty(value) ? <span class="soft">none</span> : factOf(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

function RequestTitle({ n }: { n: number }) {
  const request = requests.value.find((one) => one.n === n);
  if (!request) return <>Request {n}</>;
  return (
    <>
      <span class={`code-mark t-${toneOf(request)}`}>{statusOf(request)}</span>{" "}
      <span>{request.operation ?? `${request.method} ${request.path}`}</span>
    </>
  );
}

function RequestView({ n }: { n: number }) {
  const summary = requests.value.find((one) => one.n === n);
  const { details, problem } = useDetails<RequestDetails>(`console/request?n=${n}`, summary?.ms);
  if (problem) return <p class="nothing">The emulator does not have this request in its log any more.</p>;
  if (!details) return null;
  const { method, path, query, headers, body, username, token, fault, errors } = details.request;
  const facts = {
    request: `${method} ${path}`,
    ...(summary?.ms != null && { duration: duration(summary.ms) }),
    ...(summary?.at && { time: new Date(summary.at).toLocaleTimeString() }),
    user: username,
    token,
    ...(fault && { fault }),
    ...query,
  };
  return (
    <div class="body">
      {errors && (
        <ul class="problem">
          {errors.map(({ field, reason }) => (
            <li key={`${field} ${reason}`}>{field ? `${field}: ${reason}` : reason}</li>
          ))}
        </ul>
      )}
      <Facts values={facts} />
      {body !== null && (
        <Part title="Body">
          <Code text={textOf(body)} label="Copy the body" />
        </Part>
      )}
      {details.commands && <Commands {...details.commands} />}
      {details.problem && <p class="soft">{details.problem}</p>}
      <details class="headers">
        <summary>Headers</summary>
        <Facts values={headers} />
      </details>
    </div>
  );
}

const Part = ({ title, children }: { title: string; children: ComponentChildren }) => (
  <section>
    <h3>{title}</h3>
    {children}
  </section>
);

const Commands = ({ cli, curl }: { cli: string | null; curl: string }) => (
  <>
    {cli && (
      <Part title="cloudinfra api">
        <Code text={cli} label="Copy the cloudinfra command" />
        <p class="soft hint">The address and the token are in CLOUDINFRA_URL and CLOUDINFRA_TOKEN.</p>
      </Part>
    )}
    <Part title="curl">
      <Code text={curl} label="Copy the curl command" />
    </Part>
  </>
);
