import { isObject } from "../../api";
import { aliasProblem } from "../../provider/pulumi/yaml";
import { UsageError } from "../../stack/errors";
import { FileProblem, readBytes } from "../../stack/text-file";

/** Maximum size of a file in bytes, which is more than any request body has. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Reads a file, or the standard input if the name is `-`. `limit` is the maximum size in the words of the error
 * message.
 */
export async function bytesOf(file: string, maxBytes = MAX_BYTES, limit = `${maxBytes} bytes long`): Promise<Buffer> {
  try {
    return await readBytes(file, maxBytes, limit);
  } catch (error) {
    throw error instanceof FileProblem ? new UsageError(`--file ${file}: ${error.message}`) : error;
  }
}

/** Parses a file as JSON or YAML. Error messages do not quote the file, because it may contain secrets. */
export async function bodyOf(file: string): Promise<Record<string, unknown>> {
  const body = await parsed(file, (await bytesOf(file)).toString());
  if (!isObject(body)) throw new UsageError(`--file ${file}: must contain an object with the fields of the body`);
  return body;
}

async function parsed(file: string, text: string): Promise<unknown> {
  const { parseDocument } = await import("yaml");
  try {
    const document = parseDocument(text, { prettyErrors: true, logLevel: "silent" });
    const [error] = document.errors;
    if (!error) return document.toJS();
    if (error.code === "RESOURCE_EXHAUSTION") throw new UsageError(`--file ${file}: is nested too deeply`);
    const [at] = error.linePos ?? [];
    throw new UsageError(
      `--file ${file}: is neither JSON nor YAML${at ? `, at line ${at.line}, column ${at.col}` : ""}`,
    );
  } catch (error) {
    const problem = aliasProblem(error);
    throw problem === undefined ? error : new UsageError(`--file ${file}: ${problem}`);
  }
}
