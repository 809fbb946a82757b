import { dynamicProvider } from "../testing/resource-provider";
import { liveUntil } from "./lives";

/**
 * Runs the provider for dynamic resources in this process until SIGTERM. Its methods are called with the values that
 * Pulumi would pass.
 */
async function main(): Promise<void> {
  const [url = "", perSecond] = process.argv.slice(2);
  const stop = new AbortController();
  process.once("SIGTERM", () => stop.abort());
  console.log("ready");
  const lives = { prefix: "dynamic", provider: dynamicProvider, hasLimits: true, perSecond: Number(perSecond) };
  await liveUntil(stop.signal, url, lives, (error) => console.error(error.message));
}

void main();
