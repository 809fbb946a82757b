import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { credentials } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { ConfigureRequest, ProviderHandshakeRequest } from "@pulumi/pulumi/proto/provider_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { startEmulator } from "../emulator";
import { responseTo } from "../testing/native-plugin";
import { type Figure, median } from "./figures";

const root = join(__dirname, "../..");
const RUNS = 9;

/** The ways to start the native plugin. The executable exists after `make plugin`. */
const plugins = [
  { name: "npm", file: join(root, "pulumi-resource-cloudinfra"), most: 150 },
  { name: "executable", file: join(root, "dist/plugin/pulumi-resource-cloudinfra"), most: 150 },
];

/**
 * Measures the native plugin: the time from its start to the response to Configure, which checks the token, and its
 * memory after that.
 */
export async function pluginFigures(bareNode: () => Promise<number>): Promise<Figure[]> {
  await using emulator = await startEmulator({ pace: "instant" });
  const figures: Figure[] = [];
  for (const { name, file, most } of plugins.filter(({ file }) => existsSync(file))) {
    // The first start compiles the plugin, and stores the compiled code after a second.
    await start(file, { url: emulator.url, token: emulator.token }, 2_000);
    const started = [];
    const others = [];
    for (let i = 0; i < RUNS; i++) {
      started.push(await start(file, { url: emulator.url, token: emulator.token }));
      others.push(await bareNode());
    }
    const baseline = { baseline: "node that does nothing", other: median(others), runs: RUNS };
    const value = median(started.map(({ ms }) => ms));
    figures.push({ name: `plugin (${name}) configured`, value, unit: "ms", most, ...baseline });
    const memory = median(started.map(({ mb }) => mb));
    figures.push({
      name: `plugin (${name}) memory`,
      value: memory,
      unit: "MB",
      most: 120,
      baseline: "",
      other: 0,
      runs: RUNS,
    });
  }
  return figures;
}

async function start(
  file: string,
  config: { url: string; token: string },
  endAfterMs = 0,
): Promise<{ ms: number; mb: number }> {
  const began = performance.now();
  const child = spawn(file, { stdio: ["ignore", "pipe", "inherit"] });
  const [port] = (await once(child.stdout, "data")) as [Buffer];
  const client = new ResourceProviderClient(`127.0.0.1:${Number(port)}`, credentials.createInsecure());
  await responseTo((answer) => client.handshake(new ProviderHandshakeRequest(), answer));
  const configuration = new ConfigureRequest().setArgs(Struct.fromJavaScript(config));
  await responseTo((answer) => client.configure(configuration, answer));
  const ms = performance.now() - began;
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, "utf8")) ?? [];
  client.close();
  await new Promise((resolve) => setTimeout(resolve, endAfterMs));
  child.kill("SIGINT");
  await once(child, "exit");
  return { ms, mb: Number(kilobytes) / 1024 };
}
