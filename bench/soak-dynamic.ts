import { dynamicHead } from "../testing/head";
import { liveUntil } from "./lives";

/** Calls the provider for dynamic resources in this process until SIGTERM, with the same values as Pulumi. */
async function main(): Promise<void> {
  const [url = "", perSecond] = process.argv.slice(2);
  const stop = new AbortController();
  process.once("SIGTERM", () => stop.abort());
  console.log("ready");
  const lives = { prefix: "dynamic", head: dynamicHead, hasLimits: true, perSecond: Number(perSecond) };
  await liveUntil(stop.signal, url, lives, (error) => console.error(error.message));
}

void main();
