const NAMESPACE = "http://s3.amazonaws.com/doc/2006-03-01/";

const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** An element with text, which is escaped, or with elements. */
export const element = (name: string, content: string | number | boolean | readonly string[]): string => {
  const inner =
    typeof content === "object"
      ? content.join("")
      : String(content).replace(/[&<>"]/g, (found) => escapes[found] ?? "");
  return `<${name}>${inner}</${name}>`;
};

/** A document of the standard object storage protocol. */
export const xml = (root: string, content: readonly string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="${NAMESPACE}">${content.join("")}</${root}>`;

/** A refusal; the protocol gives these no namespace. */
export const errorXml = (code: string, message: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${element("Error", [element("Code", code), element("Message", message)])}`;

/** A refusal as the standard object storage protocol words it: a code for programs, a message for people. */
export class ObjectError extends Error {
  override readonly name = "ObjectError";
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export const denied = (message: string): ObjectError => new ObjectError(403, "AccessDenied", message);
export const noBucket = (): ObjectError => new ObjectError(404, "NoSuchBucket", "There is no such bucket");
export const noObject = (): ObjectError => new ObjectError(404, "NoSuchKey", "There is no such object");
