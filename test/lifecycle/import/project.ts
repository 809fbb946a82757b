import { type ImportResult, importAccount } from "../../../import";
import { type Deployment, withAdopted } from "../../../provider/heads/adoption";
import { type Head, migrated } from "../../../provider/heads/migration";
import type { Cloud } from "../../../testing/cloud";
import { dynamicHead } from "../../../testing/head";
import { nativeHead } from "../../../testing/native-head";
import { Managed } from "../../../testing/provider";
import { type DeclaredResource, declaredBy } from "./program";

/** A project that is imported again and again, as the command does it. */
export class Project {
  files = new Map<string, string>();
  state: Deployment = { version: 3, deployment: {} };
  readonly #resources: ImportResult["resources"] = [];
  readonly #managed = new Map<string, Managed<never>>();

  constructor(
    private readonly it: Cloud,
    private readonly head: Head = "dynamic",
  ) {}

  async import(options: Partial<Parameters<typeof importAccount>[0]> = {}): Promise<ImportResult> {
    const result = await importAccount({
      project: "shop",
      head: this.head,
      files: this.files,
      state: { name: "dev", state: this.state },
      account: { host: this.it.reconnect() },
      ...options,
    });
    for (const [name, text] of result.files) this.files.set(name, text);
    const adopted = withAdopted(this.state, { stack: "dev", project: "shop" }, {}, result.resources);
    this.state = this.head === "native" ? migrated(adopted, "native") : adopted;
    this.#resources.push(...result.resources);
    return result;
  }

  /** The resources that the files declare. */
  declared(): DeclaredResource[] {
    return declaredBy(this.files, { resources: this.#resources });
  }

  /** The resources that the preview shows as changed, with the state that the imports have written. */
  async changes(): Promise<string[]> {
    this.load();
    const found: string[] = [];
    for (const { kind, name, inputs } of this.declared()) {
      const resource = this.#managed.get(`${kind} ${name}`);
      if (!resource) throw new Error(`${kind} ${name} is not in the state`);
      const { op, diffs } = await resource.preview(inputs as never);
      if (op !== "same") found.push(`${kind} ${name}: ${op} ${diffs}`);
    }
    return found;
  }

  /** Deletes all resources of the last preview, each before those that it refers to. */
  async destroy(): Promise<void> {
    for (const resource of [...this.#managed.values()].reverse()) await resource.destroy();
  }

  private load(): void {
    const heads = { dynamic: dynamicHead, native: nativeHead };
    const rows = this.state.deployment.resources ?? [];
    const host = this.it.reconnect();
    for (const { kind, name } of this.#resources) {
      const row = rows.find(({ urn }) => urn.endsWith(`:${kind}::${name}`));
      const managed = new Managed(kind, host, name, heads[this.head]);
      managed.state = { id: String(row?.id), inputs: plain(row?.inputs), outs: plain(row?.outputs), initErrors: [] };
      this.#managed.set(`${kind} ${name}`, managed as Managed<never>);
    }
  }
}

/** Removes Pulumi's marks of secrets from inputs, as its engine does. */
const plain = (bag: unknown): Record<string, unknown> =>
  JSON.parse(JSON.stringify(bag), (_, value) => ("plaintext" in Object(value) ? JSON.parse(value.plaintext) : value));
