import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Fault, FaultSpec } from "../../../emulator/core/faults";
import type { Logged } from "../../../emulator/http/messages";
import { connect } from "../../../provider/client";
import { start } from "../../cli/command";

export type Row = { id: number | string } & Record<string, unknown>;

/** An emulator in a separate process. It stores the account in a file, so that the account survives `kill -9`. */
export class Account implements AsyncDisposable {
  readonly token = "emulator";
  url = "";
  #child: ChildProcess | undefined;
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async open(): Promise<Account> {
    const account = new Account(await mkdtemp(join(tmpdir(), "chaos-")));
    await account.#start("0");
    return account;
  }

  /** Kills the emulator, and starts it again on the same port. */
  async kill(): Promise<void> {
    await this.#stop();
    await this.#start(new URL(this.url).port);
  }

  async requests(): Promise<Logged[]> {
    const { requests } = await this.#control<{ requests: Logged[] }>("GET", "requests");
    return requests;
  }

  async clearRequests(): Promise<void> {
    await this.#control("DELETE", "requests");
  }

  async addFaults(faults: readonly FaultSpec[]): Promise<void> {
    for (const fault of faults) await this.#control("POST", "faults", fault);
  }

  /** Removes all faults, and returns them. */
  async takeFaults(): Promise<Fault[]> {
    const { faults } = await this.#control<{ faults: Fault[] }>("GET", "faults");
    await this.#control("DELETE", "faults");
    return faults;
  }

  async tables(): Promise<Map<string, Row[]>> {
    const { tables } = await this.#control<{ tables: Record<string, { rows: Row[] }> }>("GET", "state");
    return new Map(Object.entries(tables).map(([name, { rows }]) => [name, rows]));
  }

  async deleteKey(id: string): Promise<void> {
    const client = connect({ url: this.url, token: this.token });
    await client.api.objectStorageKeys.delete({ path: { keyId: Number(id) } }).finally(client.close);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stop();
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 3 });
  }

  async #start(port: string): Promise<void> {
    const data = join(this.#folder, "account.db");
    const options = ["--port", port, "--data", data, "--pace", "instant", "--latency", "20", "--shuffle"];
    const child = start(["emulator", ...options, "--token", this.token]);
    this.#child = child;
    let errors = "";
    child.stderr.on("data", (part) => (errors += part));
    const line = await Promise.race([
      once(child.stdout, "data").then(([part]) => String(part)),
      once(child, "exit").then(() => ""),
    ]);
    const [, url] = /^ready (\S+) /.exec(line) ?? [];
    if (!url) throw new Error(`the emulator did not start: ${errors}`);
    this.url = url;
  }

  async #stop(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, "exit");
    child.kill("SIGKILL");
    await exit;
  }

  async #control<T>(method: string, path: string, body?: object): Promise<T> {
    const response = await fetch(new URL(`/_emulator/${path}`, this.url), {
      method,
      ...(body && { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json().catch(() => undefined)) as T;
  }
}
