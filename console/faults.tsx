import { useState } from "preact/hooks";
import type { Fault, FaultSpec } from "../emulator/core/faults";
import { send } from "./control";
import { Field, Form, Problem, useAttempt } from "./form";
import { names, state } from "./store";

/** What each kind of fault does, in the order of the choices. */
const effects: Readonly<Record<Fault["kind"], string>> = {
  status: "fails with a status",
  html: "returns an HTML error page",
  busy: "fails with “Compute busy.”",
  delay: "takes effect, answers late",
  "cut-before": "cut before it takes effect",
  "cut-after": "cut after it took effect",
  "cut-mid": "cut in the middle of the response",
  "cut-late": "cut, takes effect later",
  "stall-before": "stalls before it takes effect",
  "stall-after": "stalls after it took effect",
  "job-fail": "its job fails",
  "job-stall": "its job does not end",
};

/** Makes requests fail, and shows when they have. */
export function Faults() {
  const faults = state.value?.faults ?? [];
  const [problem, attempt] = useAttempt();
  return (
    <div class="body">
      <FaultForm />
      <h2>Active faults</h2>
      {faults.length === 0 && <p class="nothing">No faults. All requests get their real response.</p>}
      <ul class="list">
        {faults.map((fault) => (
          <FaultItem key={fault.id} fault={fault} />
        ))}
      </ul>
      {faults.length > 0 && (
        <p class="actions">
          <button type="button" onClick={() => void attempt(() => send("DELETE", "faults"))}>
            Remove all faults
          </button>
        </p>
      )}
      <Problem text={problem} />
    </div>
  );
}

function FaultItem({ fault: { method, path, kind, nth, times, hits, status, delay } }: { fault: Fault }) {
  const isOver = hits >= times;
  const detail = kind === "status" || kind === "html" ? ` ${status}` : kind === "delay" ? ` ${delay} ms` : "";
  return (
    <li>
      <span class="row-text">
        <span class="row-name">{[method, path ?? "every request"].filter(Boolean).join(" ")}</span>
        <span class="row-note">
          {kind}
          {detail}, {nth === 1 ? "next request" : `${ordinal(nth)} request`}
          {times === 1 ? "" : `, ${times} times`}
        </span>
      </span>
      <span key={hits} class={`mark ${hits === 0 ? "t-plain" : isOver ? "t-off" : "t-warn"} ${hits > 0 ? "hit" : ""}`}>
        {hits === 0 ? "waiting" : `hit ${hits} of ${times}`}
      </span>
    </li>
  );
}

const ordinal = (n: number): string => {
  const ending = n % 100 > 10 && n % 100 < 14 ? "th" : (["th", "st", "nd", "rd"][n % 10] ?? "th");
  return `${n}${ending}`;
};

function FaultForm() {
  const [kind, setKind] = useState<Fault["kind"]>("status");
  const add = async (values: Readonly<Record<string, string>>): Promise<string> => {
    const { path, method, nth, times, status, retryAfter, delay } = values;
    const fault: FaultSpec = {
      kind,
      nth: Number(nth),
      times: Number(times),
      ...(path && { path }),
      ...(method && { method: method as NonNullable<FaultSpec["method"]> }),
      ...(status && { status: Number(status) }),
      ...(retryAfter && { retryAfter: Number(retryAfter) }),
      ...(delay && { delay: Number(delay) }),
    };
    await send("POST", "faults", fault);
    return "Fault added";
  };
  return (
    <Form title="Make requests fail" action="Add the fault" submit={add}>
      <Field label="Requests" hint="An operation or a path such as /v4/volumes/*. Empty: every request.">
        <input name="path" list="operations" placeholder="volumes.create" autocomplete="off" spellcheck={false} />
      </Field>
      <datalist id="operations">
        {names.value.operations.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <div class="fields">
        <Field label="What happens">
          <select value={kind} onChange={({ currentTarget }) => setKind(currentTarget.value as Fault["kind"])}>
            {names.value.faults.map((name) => (
              <option key={name} value={name}>
                {effects[name as Fault["kind"]] ?? name}
              </option>
            ))}
          </select>
        </Field>
        <Field label="Method">
          <select name="method">
            <option value="">any</option>
            {["GET", "POST", "PUT", "DELETE"].map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </Field>
      </div>
      <div class="fields">
        {(kind === "status" || kind === "html") && (
          <Field label="Status">
            <input name="status" type="number" min={400} max={599} defaultValue="500" required />
          </Field>
        )}
        {kind === "status" && (
          <Field label="Retry-After">
            <input name="retryAfter" type="number" min={0} placeholder="none" />
          </Field>
        )}
        {kind === "delay" && (
          <Field label="Delay (ms)">
            <input name="delay" type="number" min={0} max={600_000} defaultValue="1000" required />
          </Field>
        )}
        <Field label="From no.">
          <input name="nth" type="number" min={1} defaultValue="1" required />
        </Field>
        <Field label="Times">
          <input name="times" type="number" min={1} defaultValue="1" required />
        </Field>
      </div>
    </Form>
  );
}
