import { z } from "zod";
import { ownProperty } from "../../../api";
import { ErrorResponse, notFound } from "../../core/error-response";
import { FaultSpec } from "../../core/faults";
import { Snapshot, snapshot } from "../../core/snapshot";
import { failure, type Incoming, type Outgoing } from "../messages";
import { bodyOf } from "../parse";
import { type Actions, accountNames, action, actionWithoutBody, type Controlled } from "./action";
import { timeActions } from "./time";
import { userActions } from "./users";

const Reset = z.strictObject({
  account: z
    .enum(accountNames)
    .default("empty")
    .describe(
      "Contents of the new account: `empty`, `small` (a few objects of every kind) or `large` (10,000 objects).",
    ),
});

/** The endpoints below `/_emulator/` for the clock, users, the state, the request log and faults. */
export const serviceActions: Actions = {
  ...timeActions,
  ...userActions,
  state: {
    GET: actionWithoutBody(({ world }) => snapshot(world)),
    // The body is not validated here: `restore` checks the snapshot's version first, and then validates the contents.
    PUT: {
      body: Snapshot,
      run({ restore }, sent) {
        restore(sent);
        return {};
      },
    },
  },
  reset: {
    POST: action(Reset, async ({ reset }, { account }) => {
      await reset(account);
      return {};
    }),
  },
  requests: {
    GET: actionWithoutBody(({ requests }) => ({ counts: requests.counts(), requests: requests.list() })),
    DELETE: actionWithoutBody(({ requests }) => {
      requests.clear();
      return {};
    }),
  },
  faults: {
    GET: actionWithoutBody(({ faults }) => ({ faults: faults.list() })),
    POST: action(FaultSpec, ({ faults }, spec) => faults.add(spec)),
    DELETE: actionWithoutBody(({ faults }) => {
      faults.clear();
      return {};
    }),
  },
};

/** The endpoints below `/_emulator/` by method and path, such as `POST clock`, each with the schema of its body. */
export const controlPaths = (actions: Actions): { path: string; body: z.core.$ZodType }[] =>
  Object.entries(actions).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { body }]) => ({ path: `${method} ${path}`, body })),
  );

/** Handles a request to `/_emulator/…`. Unlike API requests, it is not affected by injected faults or rate limits. */
export async function control(
  emulator: Controlled,
  actions: Actions,
  { method, url, body, headers }: Omit<Incoming, "address">,
): Promise<Outgoing> {
  const out = { status: 200, headers: {} as Record<string, string> };
  try {
    const methods = ownProperty(actions, url.replace(/\?.*$/, "").slice("/_emulator/".length));
    if (!methods) throw notFound();
    const requestedAction = ownProperty(methods, method);
    if (!requestedAction) {
      out.headers.allow = Object.keys(methods).join(", ");
      throw new ErrorResponse(405, `Method not allowed: this path accepts ${out.headers.allow}`);
    }
    const sent = bodyOf(body, String(headers["content-type"])) ?? {};
    return { ...out, body: JSON.stringify(await requestedAction.run(emulator, sent)) };
  } catch (error) {
    return { ...out, ...failure(error) };
  }
}
