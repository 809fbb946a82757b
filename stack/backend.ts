import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { addressOf } from "../provider/client/address";
import { type Bag, isSecretValue } from "../provider/engine/values";
import type { TimeLimit } from "../provider/pulumi/time-limit";
import { checkpointOf, type StacksFolder, stacksFolder, stacksIn } from "./checkpoint";
import { bagIn } from "./deployment";
import { StateError } from "./errors";
import { Pulumi, projectFileFrom } from "./pulumi";
import { type ExportedState, isStackNamed, type ProviderRow } from "./state";

/** A stack of a backend. */
export interface BackendStack {
  /** The full name for the Pulumi CLI, such as `organization/shop/prod`. */
  reference: string;
  /** The name in messages and reports: `shop/prod`, or `acme/shop/prod` if several organizations have this stack. */
  name: string;
  /** Only set if it is in the name. */
  organization?: string;
  /** The project's name. Empty if the backend is so old that its stacks have no projects. */
  project: string;
}

/** A token, and what it was read from, for error messages. */
export interface StackToken {
  token: string;
  source: string;
}

/** The outcome of reading states: those that were read, and the stacks whose state could not be read. */
export interface BackendStates {
  states: ExportedState[];
  unreadable: { name: string; error: Error }[];
}

interface Found {
  references: readonly string[];
  /** The folder with the states, if they are files of this machine. */
  files: StacksFolder | undefined;
  /** The project in the folder, whose stacks have their configuration next to `Pulumi.yaml`. */
  project: { name: string; folder: string } | undefined;
}

/** The stacks of the backend that the Pulumi CLI uses in a folder. */
export class Backend {
  readonly stacks: readonly BackendStack[];
  readonly #found: Found;
  readonly #folder: string;
  readonly #limit: TimeLimit;

  private constructor(folder: string, limit: TimeLimit, found: Found) {
    this.stacks = stacksOf(found.references);
    this.#found = found;
    this.#folder = folder;
    this.#limit = limit;
  }

  static async at(folder: string, limit: TimeLimit): Promise<Backend> {
    const pulumi = new Pulumi(folder, undefined, limit);
    const files = await stacksFolder((await pulumi.backend()).url, pulumi.folder);
    // `pulumi stack ls` fails if the state of one stack is damaged, so files are listed here.
    const references = files ? (await stacksIn(files)).map((name) => referenceOf(files, name)) : pulumi.stackNames();
    const projectFile = projectFileFrom(pulumi.folder);
    const project = projectFile ? { name: await pulumi.project(), folder: dirname(projectFile) } : undefined;
    return new Backend(folder, limit, { references: [...(await references)].sort(), files, project });
  }

  /** Reads the states of stacks, several at the same time. */
  async states(stacks: readonly BackendStack[]): Promise<BackendStates> {
    const outcomes = new Map<BackendStack, { state: string | object } | { error: Error }>();
    const waiting = [...stacks];
    const worker = async (): Promise<void> => {
      for (let stack = waiting.shift(); stack; stack = waiting.shift())
        outcomes.set(
          stack,
          await this.#state(stack).then(
            (state) => ({ state }),
            (error: Error) => ({ error }),
          ),
        );
    };
    // More than one process for each core, because a CLI also waits for its backend.
    await Promise.all(Array.from({ length: 2 * availableParallelism() }, worker));
    const read: BackendStates = { states: [], unreadable: [] };
    for (const stack of stacks) {
      const outcome = outcomes.get(stack);
      const { name, organization } = stack;
      if (outcome && "state" in outcome) read.states.push({ name, state: outcome.state, organization });
      else if (outcome) read.unreadable.push({ name, error: outcome.error });
    }
    return read;
  }

  /**
   * The state of a stack. A file of this machine is read directly, because a run of the CLI takes a fifth of a second of
   * computing. The CLI knows all other backends, and how to log in to them.
   */
  async #state(stack: BackendStack): Promise<string | object> {
    const { files } = this.#found;
    const text = await (files && checkpointOf(files, stack.name))?.catch((error: Error) => {
      throw new StateError(`the state of ${stack.name} ${error.message}`);
    });
    return text ?? (await this.#pulumi(stack).export());
  }

  /**
   * The token of a provider in a stack's state: the one in the stack's configuration, if its project is in the folder,
   * or else that of the last update. Stacks of several organizations share the file of their configuration, which does not
   * show whose it is, so the token of the last update is first for them. Undefined if the stack does not set one. Decrypts
   * it if necessary.
   */
  async token(name: string, provider: ProviderRow, address: string): Promise<StackToken | undefined> {
    const stack = this.stacks.find((one) => isStackNamed(one.name, name));
    if (!stack) return undefined;
    if (!provider.isDefault) return this.#lastUsed(stack, provider);
    if (stack.organization) return (await this.#lastUsed(stack, provider)) ?? this.#configured(stack, address);
    return (await this.#configured(stack, address)) ?? this.#lastUsed(stack, provider);
  }

  async #configured(stack: BackendStack, address: string): Promise<StackToken | undefined> {
    const { project } = this.#found;
    const file = join(project?.folder ?? "", `Pulumi.${stack.name.split("/").at(-1)}.yaml`);
    // Without this file, `pulumi config` would create one.
    if (project?.name !== stack.project || !existsSync(file)) return undefined;
    const { "cloudinfra:token": token, "cloudinfra:url": url } = await this.#pulumi(stack).config();
    // A token is only sent to the service that it is for.
    const isForAddress = !url || addressOf(url.value) === address;
    return token && isForAddress ? { token: token.value, source: "cloudinfra:token in its configuration" } : undefined;
  }

  async #lastUsed(stack: BackendStack, { ref, inputs }: ProviderRow): Promise<StackToken | undefined> {
    const source = "the token of its last update";
    const stored = tokenIn(inputs);
    if (!isSecretValue(stored)) return typeof stored === "string" ? { token: stored, source } : undefined;
    const { deployment } = await this.#pulumi(stack).exportDecrypted();
    const row = deployment.resources?.find(({ urn, id }) => `${urn}::${id}` === ref);
    const { plaintext } = bagIn(tokenIn(bagIn(row?.inputs)));
    return { token: String(JSON.parse(String(plaintext))), source };
  }

  #pulumi({ reference }: BackendStack): Pulumi {
    return new Pulumi(this.#folder, reference, this.#limit);
  }
}

function stacksOf(references: readonly string[]): BackendStack[] {
  const all = references.map((reference) => {
    const [stack = "", project = "", organization] = reference.split("/").reverse();
    return { reference, name: project ? `${project}/${stack}` : stack, project, organization };
  });
  const byName = Map.groupBy(all, ({ name }) => name);
  return all.map(({ organization, ...stack }) =>
    organization && (byName.get(stack.name)?.length ?? 0) > 1
      ? { ...stack, name: `${organization}/${stack.name}`, organization }
      : stack,
  );
}

const referenceOf = ({ hasProjects }: StacksFolder, name: string): string =>
  hasProjects ? `organization/${name}` : name;

const tokenIn = (inputs: Bag): unknown => inputs["cloudinfra:token"] ?? inputs.token;
