import { z } from "zod";
import { startEmulator } from "../emulator";
import { Misuse } from "./misuse";

const whole = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d+$/, `must be a whole number from ${least} to ${most}`)
    .transform(Number)
    .refine((value) => value >= least && value <= most, `must be a whole number from ${least} to ${most}`);

const Options = z.strictObject({
  port: whole(0, 65_535),
  pace: z.enum(["instant", "fast", "real"], "must be instant, fast or real"),
  seed: whole(0, 4_294_967_295),
  latency: whole(0, 600_000),
  shuffle: z.boolean(),
  token: z.string().regex(/^\S+$/, "must be one word"),
});

/** `cloudinfra emulator`: runs until it is told to stop; prints one line when it is ready. */
export async function emulator(given: Readonly<Record<string, unknown>>): Promise<void> {
  const options = parsed(given);
  const stop = () => process.exit(0);
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
  try {
    const { url, token } = await startEmulator({ ...options, rateLimits: true });
    process.stdout.write(`ready ${url} token ${token}\n`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    throw new Error(`port ${options.port} is in use; stop what listens there, or pick a free port with --port 0`);
  }
}

function parsed(given: Readonly<Record<string, unknown>>): z.output<typeof Options> {
  const result = z.safeParse(Options, given);
  if (result.success) return result.data;
  const problems = result.error.issues.map(
    ({ path, message }) => `--${path.join(".")} ${given[String(path[0])]}: ${message}`,
  );
  throw new Misuse([...new Set(problems)].join("\n"));
}
