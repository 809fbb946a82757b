import { type ImportResult, importAccount } from "../../../import";
import { kindIn } from "../../../provider/pulumi/handle";
import { urnParts } from "../../../provider/pulumi/urn";
import type { KindName } from "../../../provider/resources";
import type { Deployment } from "../../../stack/deployment";
import { withAdopted } from "../../../stack/edit";
import { migrated, type ProviderType, resourcesOf } from "../../../stack/migration";
import type { Cloud } from "../../../testing/cloud";
import { nativeProvider } from "../../../testing/native-provider";
import { Managed } from "../../../testing/provider";
import { dynamicProvider } from "../../../testing/resource-provider";
import { withoutSecrets } from "../exported";
import { type DeclaredResource, declaredBy } from "./program";

/**
 * A Pulumi project into which the same account is imported several times, as by repeated runs of `cloudinfra import`.
 */
export class Project {
  files = new Map<string, string>();
  state: Deployment = { version: 3, deployment: {} };

  constructor(
    private readonly it: Cloud,
    private readonly provider: ProviderType = "dynamic",
  ) {}

  async import(options: Partial<Parameters<typeof importAccount>[0]> = {}): Promise<ImportResult> {
    const result = await importAccount({
      project: "shop",
      provider: this.provider,
      files: this.files,
      state: { name: "dev", state: this.state },
      account: { host: this.it.reconnect() },
      ...options,
    });
    for (const [name, text] of result.files) this.files.set(name, text);
    const adopted = withAdopted(this.state, { stack: "dev", project: "shop" }, {}, result.resources);
    this.state = this.provider === "native" ? migrated(adopted, "native") : adopted;
    return result;
  }

  declared(): DeclaredResource[] {
    return declaredBy(this.files, this.managed());
  }

  /**
   * Previews the program with the state that the imports have written. Returns the resources with differences, which
   * should be none.
   */
  async changes(): Promise<string[]> {
    const managed = this.managed();
    const found: string[] = [];
    for (const { kind, name, inputs } of declaredBy(this.files, managed)) {
      const { op, diffs } = (await managed.get(`${kind} ${name}`)?.preview(inputs as never)) ?? {};
      if (op !== "same") found.push(`${kind} ${name}: ${op} ${diffs}`);
    }
    return found;
  }

  /** Deletes all resources in the state, each before the resources that it refers to. */
  async destroy(): Promise<void> {
    for (const resource of [...this.managed().values()].reverse()) await resource.destroy();
  }

  /** The resources in the state by class and name, connected to a new provider with empty caches. */
  private managed(): Map<string, Managed<never>> {
    const providers = { dynamic: dynamicProvider, native: nativeProvider };
    const host = this.it.reconnect();
    return new Map(
      resourcesOf(this.provider, this.state).map(({ urn, type, id, inputs, outputs }) => {
        const [kind, { name }] = [kindIn(type) as KindName, urnParts(urn)];
        const managed = new Managed(kind, host, name, providers[this.provider]) as Managed<never>;
        managed.state = {
          id: String(id),
          inputs: withoutSecrets(inputs),
          outs: withoutSecrets(outputs),
          initErrors: [],
        };
        return [`${kind} ${name}`, managed];
      }),
    );
  }
}
