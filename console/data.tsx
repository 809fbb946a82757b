import { useSignal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { send } from "./control";
import { Field, Form, Problem, useAttempt } from "./form";
import { emulatedNow, objects, state, structure } from "./store";

const paces: Readonly<Record<string, string>> = {
  instant: "Jobs end before the next request.",
  fast: "Jobs are 30 times faster than on the real service.",
  real: "Jobs take as long as on the real service.",
  stepped: "Jobs end when the clock is advanced.",
};

/** Time and contents of the account. */
export const Data = () => (
  <div class="body">
    <Time />
    <Snapshots />
    <Accounts />
  </div>
);

/** The emulated time, which is drawn again each second. */
export function Clock() {
  const now = useSignal(0);
  // A clock that stands still is drawn again when the state changes.
  state.value;
  useEffect(() => {
    const timer = setInterval(() => {
      now.value = emulatedNow();
    }, 1000);
    return () => clearInterval(timer);
  }, [now]);
  const at = new Date(
    now.value > emulatedNow() - 2000 ? Math.max(now.value, emulatedNow()) : emulatedNow(),
  ).toISOString();
  return (
    <time dateTime={at}>
      <span class="date">{at.slice(0, 10)} </span>
      {at.slice(11, 19)}
    </time>
  );
}

function Time() {
  const advance = async ({ seconds, unit }: Readonly<Record<string, string>>): Promise<string> => {
    await send("POST", "clock", { seconds: Number(seconds) * Number(unit) });
    return "Clock advanced";
  };
  return (
    <>
      <Form title="Time" action="Advance" submit={advance}>
        <p class="clock">
          <Clock /> <span class="soft">UTC</span>
        </p>
        <div class="fields">
          <Field label="Advance the clock by">
            <input name="seconds" type="number" min={0} step="any" defaultValue="1" required />
          </Field>
          <Field label="Unit">
            <select name="unit">
              <option value="1">seconds</option>
              <option value="60">minutes</option>
              <option value="3600" selected>
                hours
              </option>
              <option value="86400">days</option>
            </select>
          </Field>
        </div>
      </Form>
      <Pace />
      <Jobs />
    </>
  );
}

function Jobs() {
  const [problem, attempt] = useAttempt();
  const { jobs = 0 } = state.value ?? {};
  if (jobs === 0) return null;
  return (
    <>
      <p class="actions">
        <button type="button" onClick={() => void attempt(() => send("POST", "clock", { settle: true }))}>
          End all jobs
        </button>
        <span class="mark t-busy">
          <span class="sign" aria-hidden="true">
            ◐
          </span>
          {jobs} {jobs === 1 ? "job" : "jobs"} in progress
        </span>
      </p>
      <Problem text={problem} />
    </>
  );
}

/** The pace, which a choice changes at once. A pace that only `startEmulator` can set is shown, but cannot be changed to. */
function Pace() {
  const [problem, attempt] = useAttempt();
  const { clock, jobs = 0 } = state.value ?? {};
  const meaning = paces[clock?.pace ?? ""] ?? "";
  const inProgress = " Jobs in progress keep the time at which they end, except at the pace instant.";
  return (
    <>
      <Field label="Pace" hint={`${meaning}${jobs === 0 ? "" : inProgress}`}>
        <select
          value={clock?.pace}
          onChange={({ currentTarget }) => void attempt(() => send("POST", "clock", { pace: currentTarget.value }))}
        >
          {Object.keys(paces)
            .filter((pace) => pace !== "stepped" || clock?.pace === pace)
            .map((pace) => (
              <option key={pace} value={pace}>
                {pace}
              </option>
            ))}
        </select>
      </Field>
      <Problem text={problem} />
    </>
  );
}

function Snapshots() {
  const load = async (values: Readonly<Record<string, unknown>>): Promise<string> => {
    await send("PUT", "state", values.file as Blob);
    return "Snapshot loaded";
  };
  return (
    <Form title="Snapshot" action="Load the snapshot" submit={load}>
      <p>
        <a class="button" href="state" download="snapshot.json">
          Save a snapshot
        </a>
      </p>
      <Field label="Replace the account with a snapshot">
        <input name="file" type="file" accept="application/json,.json" required />
      </Field>
    </Form>
  );
}

const seeds = [
  ["empty", "Empty account"],
  ["small", "A few objects of every kind"],
  ["large", "10,000 objects"],
] as const;

/** Replaces the account. If it has objects, a second click confirms that they are deleted. */
function Accounts() {
  const [chosen, setChosen] = useState<string>();
  const [problem, attempt] = useAttempt();
  structure.value;
  const reset = async (account: string): Promise<void> => {
    await attempt(() => send("POST", "reset", { account }));
    setChosen(undefined);
  };
  return (
    <section>
      <h2>Start again</h2>
      <p class="soft">Replaces all objects, and removes faults and the list of requests.</p>
      <ul class="seeds">
        {seeds.map(([account, title]) => (
          <li key={account}>
            {chosen === account ? (
              <button type="button" class="danger" onClick={() => void reset(account)}>
                Delete {objects.size.toLocaleString("en")} objects
              </button>
            ) : (
              <button type="button" onClick={() => (objects.size === 0 ? void reset(account) : setChosen(account))}>
                {title}
              </button>
            )}
          </li>
        ))}
      </ul>
      <Problem text={problem} />
    </section>
  );
}
