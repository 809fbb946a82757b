import { type Body, send } from "./requests";

/** The kinds of objects that are written, each with the field that updates change. */
const kinds = [
  { path: "/volumes", field: "label", more: { region: "us-east" } },
  { path: "/compute/instances", field: "label", more: { region: "us-east", type: "g6-nanode-1" } },
  { path: "/nodebalancers", field: "label", more: { region: "us-east" } },
  {
    path: "/networking/firewalls",
    field: "label",
    more: { rules: { inbound_policy: "DROP", outbound_policy: "ACCEPT" } },
  },
  { path: "/domains", field: "domain", suffix: ".example", more: { type: "master", soa_email: "a@example.org" } },
] as const;
type Kind = (typeof kinds)[number];

/** An object after its last acknowledged write. */
interface Written {
  kind: Kind;
  path: string;
  name: string;
  /** The last write if its response was lost: the new name, or null for a deletion. */
  requestedName?: string | null;
}

/** Maximum number of objects of a writer, so that the account does not grow. */
const MAX_OBJECTS = 10;

/** A client of the API that reads and changes objects of its own, and records which writes were acknowledged. */
export class Writer {
  readonly #prefix: string;
  #objects: Written[] = [];
  /** Names and kinds of objects whose create requests have no response yet. */
  readonly #creating = new Map<string, Kind>();
  #names = 0;
  acknowledged = 0;

  constructor(prefix: string) {
    this.#prefix = `${prefix}-`;
  }

  /**
   * Sends one request. Half of the requests change something. Throws if the response differs from what this client has
   * written.
   */
  async act(url: string): Promise<void> {
    const one = anyOf(this.#objects);
    const chance = Math.random();
    if (!one || (chance < 0.2 && this.#objects.length < MAX_OBJECTS)) await this.#create(url, anyOf(kinds) as Kind);
    else if (chance < 0.35) await this.#rename(url, one);
    else if (chance < 0.5) await this.#delete(url, one);
    else if (chance < 0.75) await this.#view(url, one);
    else await this.#list(url, one);
  }

  async #create(url: string, kind: Kind): Promise<void> {
    const name = this.#name(kind);
    this.#creating.set(name, kind);
    const { id } = await send(url, "POST", kind.path, { ...kind.more, [kind.field]: name });
    this.#creating.delete(name);
    this.#objects.push({ kind, path: `${kind.path}/${id}`, name });
    this.acknowledged++;
  }

  async #rename(url: string, one: Written): Promise<void> {
    const name = this.#name(one.kind);
    one.requestedName = name;
    await send(url, "PUT", one.path, { [one.kind.field]: name });
    one.name = name;
    delete one.requestedName;
    this.acknowledged++;
  }

  async #delete(url: string, one: Written): Promise<void> {
    one.requestedName = null;
    await send(url, "DELETE", one.path);
    this.#objects.splice(this.#objects.indexOf(one), 1);
    this.acknowledged++;
  }

  async #view(url: string, { kind, path, name }: Written): Promise<void> {
    const seen = await send(url, "GET", path);
    if (seen[kind.field] !== name) throw new Error(`GET ${path} returned ${seen[kind.field]} instead of ${name}`);
  }

  async #list(url: string, { kind, name }: Written): Promise<void> {
    const all = this.#objects.filter((own) => own.kind === kind).map((own) => own.name);
    const [filter, expected] = anyOf([
      [{ [kind.field]: name }, [name]],
      [{ [kind.field]: { "+contains": this.#prefix } }, all],
    ]) as [object, string[]];
    const found = (await listed(url, kind, filter)).map((object) => String(object[kind.field]));
    if (found.sort().join() !== expected.sort().join())
      throw new Error(`${kind.path} with ${JSON.stringify(filter)} has ${found}, and should have ${expected}`);
  }

  #name = (kind: Kind): string => `${this.#prefix}${this.#names++}${"suffix" in kind ? kind.suffix : ""}`;

  /** Compares the objects in the account, by path, with the acknowledged writes. Returns the writes that were lost. */
  compare(account: Map<string, string>): string[] {
    const lost: string[] = [];
    for (const { path, name, requestedName } of this.#objects) {
      const found = account.get(path) ?? null;
      // A write whose response was lost may or may not have been applied.
      if (found !== name && (requestedName === undefined || found !== requestedName))
        lost.push(`${path} is ${found}, was ${name}`);
    }
    const known = new Map(this.#objects.map((own) => [own.path, own]));
    this.#objects = [];
    for (const [path, name] of account) {
      if (!name.startsWith(this.#prefix)) continue;
      const kind = known.get(path)?.kind ?? this.#creating.get(name);
      if (kind) this.#objects.push({ kind, path, name });
      else lost.push(`${path} is ${name}, was deleted`);
    }
    this.#creating.clear();
    return lost;
  }
}

/** The acknowledged writes that the emulator has lost. */
export async function lostWrites(url: string, writers: readonly Writer[]): Promise<string[]> {
  const account = new Map<string, string>();
  for (const kind of kinds)
    for (const object of await listed(url, kind)) account.set(`${kind.path}/${object.id}`, String(object[kind.field]));
  return writers.flatMap((writer) => writer.compare(account));
}

async function listed(url: string, { path }: Kind, filter = {}): Promise<Body[]> {
  const found: Body[] = [];
  for (let page = 1, pages = 1; page <= pages; page++) {
    const body = await send(url, "GET", `${path}?page_size=100&page=${page}`, undefined, {
      "x-filter": JSON.stringify(filter),
    });
    found.push(...(body.data as Body[]));
    pages = body.pages as number;
  }
  return found;
}

const anyOf = <T>(list: readonly T[]): T | undefined => list[Math.floor(Math.random() * list.length)];
