import { z } from "zod";
import { accountNames } from "./accounts";
import { checked } from "./checked";
import { accountActions } from "./control/account";
import type { Actions, Controlled } from "./control/action";
import { instanceActions } from "./control/instances";
import { managed } from "./control/managed";
import { support } from "./control/support";
import { issued } from "./control/tokens";
import { transfers } from "./control/transfers";
import { zoneActions } from "./control/zones";
import { FaultSpec } from "./faults";
import { failure, type Incoming, type Outgoing } from "./http";
import { own } from "./own";
import { bodyOf } from "./parse";
import { notFound, Refusal } from "./refusal";
import { load, snapshot } from "./state";
import { addUser, grantedKinds } from "./users";

const Advance = z
  .strictObject({
    ms: z.number().min(0).optional(),
    seconds: z.number().min(0).optional(),
    settle: z.boolean().default(false),
  })
  .describe("Moves time; `settle` moves it until no job is left.");
const Reset = z.strictObject({ account: z.enum(accountNames).default("empty") });
const Level = z.enum(["read_only", "read_write"]);
const Global = z
  .strictObject({
    account_access: Level.nullable(),
    add_computes: z.boolean(),
    add_volumes: z.boolean(),
    add_domains: z.boolean(),
    add_images: z.boolean(),
    add_nodebalancers: z.boolean(),
    add_firewalls: z.boolean(),
    add_clusters: z.boolean(),
  })
  .partial();
const User = z.strictObject({
  username: z.string().min(1),
  restricted: z.boolean().default(false),
  global: Global.default({}),
  entities: z.partialRecord(z.enum(grantedKinds), z.record(z.string(), Level)).default({}),
});

/** Every path under `/_emulator`, by method. */
const actions: Actions = {
  ...accountActions,
  ...instanceActions,
  ...managed,
  ...transfers,
  ...zoneActions,
  state: {
    GET: ({ world }) => snapshot(world),
    PUT({ world, fresh }, body) {
      load(world, body, fresh);
      return {};
    },
  },
  reset: {
    async POST({ reset }, body) {
      await reset(checked(Reset, body).account);
      return {};
    },
  },
  clock: {
    GET: ({ world }) => clockOf(world.clock),
    POST({ world, advance, settle: settleAll }, body) {
      const { ms = 0, seconds = 0, settle } = checked(Advance, body);
      advance(ms + seconds * 1000);
      if (settle) settleAll();
      return clockOf(world.clock);
    },
  },
  requests: {
    GET: ({ requests }) => ({ counts: requests.counts(), requests: requests.list() }),
    DELETE({ requests }) {
      requests.clear();
      return {};
    },
  },
  faults: {
    GET: ({ faults }) => ({ faults: faults.list() }),
    POST: ({ faults }, body) => faults.add(checked(FaultSpec, body)),
    DELETE({ faults }) {
      faults.clear();
      return {};
    },
  },
  support,
  tokens: { POST: ({ world }, body) => issued(world, body) },
  users: {
    POST({ world }, body) {
      const { username, restricted, global, entities } = checked(User, body);
      addUser(world, username, { restricted, grants: { global, entities } as never });
      return { username, restricted, grants: { global, entities } };
    },
  },
};

/** `POST clock` and so on, for the documents. */
export const controlPaths = (): string[] =>
  Object.entries(actions).flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method} ${path}`));

/** Answers a request to `/_emulator/…`; it is no part of the service and takes neither its time nor its faults. */
export async function control(
  emulator: Controlled,
  { method, url, body, headers }: Omit<Incoming, "address">,
): Promise<Outgoing> {
  const out = { status: 200, headers: {} as Record<string, string> };
  try {
    const known = own(actions, url.replace(/\?.*$/, "").slice("/_emulator/".length));
    if (!known) throw notFound();
    const action = own(known, method);
    if (!action) {
      out.headers.allow = Object.keys(known).join(", ");
      throw new Refusal(405, `This path answers ${out.headers.allow} only`);
    }
    const sent = bodyOf(body, String(headers["content-type"])) ?? {};
    return { ...out, body: JSON.stringify(await action(emulator, sent)) };
  } catch (error) {
    return { ...out, ...failure(error) };
  }
}

const clockOf = (clock: Controlled["world"]["clock"]) => ({ now: clock.now(), time: clock.time(), pace: clock.pace });
