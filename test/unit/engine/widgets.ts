import { z } from "zod";
import { ApiError, LostResponseError } from "../../../provider/client/errors";
import { type Kind, type ResourceDefinition, resource } from "../../../provider/engine/definition";
import type { Host } from "../../../provider/engine/host";
import type { Bag } from "../../../provider/engine/values";

const inputs = z.strictObject({
  label: z.string().min(3).max(32).meta({ filterable: true }),
  size: z.int().min(10).default(20).describe("Size in GiB."),
  region: z.string().optional(),
  tags: z
    .array(z.string())
    .optional()
    .meta({ canonical: (tags) => [...(tags as string[])].sort() }),
  password: z.string().optional().meta({ secret: true }),
});

const outputs = z.object({
  id: z.int(),
  label: z.string(),
  size: z.int(),
  region: z.string(),
  tags: z.array(z.string()),
  status: z.enum(["new", "active", "broken"]),
  visits: z.int().meta({ volatile: true }),
});

type Inputs = z.output<typeof inputs>;
type Definition = ResourceDefinition<"volumes", typeof inputs, typeof outputs, "edit" | "grow" | "secure">;

/**
 * A simple resource class for tests, which override single properties of it. It uses the API operations for volumes,
 * because the API has no widgets.
 */
export const widgetDefinition: Definition = {
  name: "Widget",
  summary: "A widget.",
  inputs,
  outputs,
  identity: { area: "volumes", autoname: "label", lostCreate: { match: ["label"] } },
  inventory: { file: "compute", list: "operation", title: "label" },
  fields: { label: "edit", tags: "edit", size: "grow", region: "replace", password: "secure" },
  steps: {
    edit: { run: ({ api, path, changed }) => api.volumes.update({ path, body: changed }) },
    grow: { run: ({ api, path, want }) => api.volumes.resize({ path, body: { size: want.size } }), awaitInputs: true },
    secure: { run: async ({ want, setState }) => setState({ password: want.password }) },
  },
  readiness: { byStatus: { new: "wait", active: "ready", broken: "failed" } },
  async create({ api, want: { label, size } }) {
    const { id } = await api.volumes.create({ body: { label, size } as Inputs });
    return { volumeId: id };
  },
};

export const widget = (overrides: Partial<Definition> = {}): Kind => resource({ ...widgetDefinition, ...overrides });

export interface Row {
  id: number;
  label: string;
  size: number;
  region: string;
  tags: string[];
  status: "new" | "active" | "broken";
  visits: number;
  created: string;
}

type Call = "create" | "update" | "resize" | "delete" | "list" | "view";

/** A simulated service that stores widgets in memory. Its clock advances only while the engine waits. */
export class Service {
  readonly rows = new Map<number, Row>();
  /** The write requests that took effect, each with its body. */
  readonly calls: string[] = [];
  readonly messages: string[] = [];
  now = Date.parse("2026-01-01T00:00:00Z");
  /** Called before each poll with the number of the poll. */
  onPoll: (poll: number) => void = () => {};
  #polls = 0;
  #next = 1;
  readonly #failures: { call: Call; error: Error; isDone: boolean }[] = [];

  /** Makes the next call of an operation fail, by default before the service changes anything. */
  fail(call: Call, error: Error, isDone = false): void {
    this.#failures.push({ call, error, isDone });
  }

  /** Loses the response to the next call of an operation, after the service has made the change. */
  lose(call: Call): void {
    this.fail(call, new LostResponseError(`volumes.${call}`, "socket closed", undefined), true);
  }

  add(row: Partial<Row> = {}): Row {
    const id = this.#next++;
    const created = new Date(this.now).toISOString().slice(0, 19);
    const defaults = { label: `widget-${id}`, size: 20, region: "us-east", tags: [], visits: 0, created };
    const whole: Row = { id, ...defaults, status: "active", ...row };
    this.rows.set(id, whole);
    return whole;
  }

  host(overrides: Partial<Host> = {}): Host {
    const service = this;
    const change = (call: Call, work: (input: Input) => unknown) => async (input: Input) =>
      this.#run(call, () => {
        const { volumeId } = input.path ?? {};
        this.calls.push([call, volumeId, input.body && JSON.stringify(input.body)].filter(Boolean).join(" "));
        return work(input);
      });
    const list = {
      async *all(_: Input, { filter = {} }: { filter?: Bag } = {}) {
        await service.#run("list", () => undefined);
        for (const row of service.rows.values())
          if (Object.entries(filter).every(([key, value]) => (row as unknown as Bag)[key] === value)) yield row;
      },
    };
    const volumes = {
      create: change("create", ({ body }) => this.add(body)),
      update: change("update", ({ path, body }) => Object.assign(this.#row(path), body)),
      resize: change("resize", ({ path, body }) => Object.assign(this.#row(path), body)),
      delete: change("delete", ({ path }) => this.rows.delete(this.#row(path).id)),
      list: Object.assign(async () => undefined, list),
    };
    const host = {
      api: { volumes } as unknown as Host["api"],
      reads: {
        view: async (_: string, path: Path) =>
          this.#run("view", () => structuredClone(this.rows.get(path.volumeId ?? 0))),
      } as unknown as Host["reads"],
      data: (() => Promise.reject(new Error("no data"))) as unknown as Host["data"],
      catalogues: { problem: async () => undefined, within: () => host.catalogues },
      adoptCommand: (kind) => `npx cloudinfra adopt ${kind}`,
      connection: this,
      tokenHas: () => false,
      settings: {},
      deadline: Number.POSITIVE_INFINITY,
      grace: () => host,
      withDeadline: (work) => work,
      now: () => this.now,
      timer: () => () => {},
      sleep: async () => {},
      serverTime: () => ({ estimated: this.now, lastSeen: this.now }),
      pollSchedule: () => async (deadline) => {
        this.now = Math.min(this.now + 5000, deadline ?? Number.POSITIVE_INFINITY);
        this.onPoll(++this.#polls);
      },
      warn: (message) => void this.messages.push(message),
      progress: (message) => void this.messages.push(message),
      ...overrides,
    } as Host;
    return host;
  }

  #row({ volumeId = 0 }: Path = {}): Row {
    const row = this.rows.get(volumeId);
    if (!row) throw new ApiError("volumes", 404, [{ reason: "Not found" }]);
    return row;
  }

  async #run<T>(call: Call, work: () => T): Promise<T> {
    const at = this.#failures.findIndex((failure) => failure.call === call);
    const [failure] = at < 0 ? [] : this.#failures.splice(at, 1);
    if (failure && !failure.isDone) throw failure.error;
    const result = work();
    if (failure) throw failure.error;
    return result;
  }
}

interface Path {
  volumeId?: number;
}

interface Input {
  path?: Path;
  body?: Bag;
}
