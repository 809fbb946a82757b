import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { iconOf, lookOf, markOf } from "../drawing";
import type { ObjectDetails, RequestDetails } from "../emulator/console/details";
import { messageOf, Rejected, send } from "./control";
import { Code } from "./empty";
import { Problem } from "./form";
import { Icon, nodeOf } from "./nodes";
import { duration, statusOf, toneOf } from "./requests";
import { connections, objects, paint, requests, type Shown, state } from "./store";
import { close, follow, type Selection, selectedRequest } from "./view";

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
      ) : selectedRequest.value === undefined ? (
        <p class="nothing">
          The request was removed:{" "}
          {selected.log?.run === state.value?.run
            ? "the list of requests was cleared."
            : "the emulator was started again."}
        </p>
      ) : (
        <RequestView key={selected.request} n={selected.request} />
      )}
    </section>
  );
}

/** Loads details when their subject changes, and after the connection was lost. An error is shown until they are loaded. */
function useDetails<T>(path: string, version: unknown): { details: T | undefined; error: unknown } {
  const [loaded, setLoaded] = useState<{ details: T | undefined; error?: unknown }>({ details: undefined });
  const connection = connections.value;
  useEffect(() => {
    let isCurrent = true;
    send<T>("GET", path).then(
      (details) => isCurrent && setLoaded({ details }),
      (error) => isCurrent && setLoaded(({ details }) => ({ details, error })),
    );
    return () => {
      isCurrent = false;
    };
  }, [path, version, connection]);
  return { details: loaded.details, error: loaded.error };
}

const isMissing = (error: unknown): boolean => error instanceof Rejected && error.status === 404;

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
  const { details, error } = useDetails<ObjectDetails>(`console/object?key=${encodeURIComponent(name)}`, object?.stamp);
  if (!object || isMissing(error)) return <p class="nothing">The object {name} was deleted.</p>;
  return (
    <div class="body">
      <p class="soft">
        {lookOf(object.kind).one} {object.id}
      </p>
      <Related title="Attached to" found={(object.on ?? []).flatMap((key) => objects.get(key) ?? [])} />
      <Related title="Attached objects" found={[...objects.values()].filter(({ on }) => on?.includes(name))} />
      {error !== undefined && <Problem text={messageOf(error)} />}
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
            <button type="button" class="link" onClick={() => follow({ object: key })}>
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
  const request = requests.value.find((one) => one.n === selectedRequest.value);
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
  const { details, error } = useDetails<RequestDetails>(`console/request?n=${n}`, summary?.ms);
  if (isMissing(error))
    return (
      <p class="nothing">
        The emulator's log does not contain this request any more, because many newer requests arrived.
      </p>
    );
  if (!details) return error === undefined ? null : <Problem text={messageOf(error)} />;
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
      {error !== undefined && <Problem text={messageOf(error)} />}
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
