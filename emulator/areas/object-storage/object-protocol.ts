const NAMESPACE = "http://s3.amazonaws.com/doc/2006-03-01/";

const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Formats an XML element. Text content is escaped. An array contains elements that are formatted already. */
export const element = (name: string, content: string | number | boolean | readonly string[]): string => {
  const inner =
    typeof content === "object"
      ? content.join("")
      : String(content).replace(/[&<>"]/g, (found) => escapes[found] ?? "");
  return `<${name}>${inner}</${name}>`;
};

/** A complete XML document in the namespace of the S3 protocol. */
export const xml = (root: string, content: readonly string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="${NAMESPACE}">${content.join("")}</${root}>`;

/** The XML document of an error, which has no namespace in S3. */
export const errorXml = (code: string, message: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${element("Error", [element("Code", code), element("Message", message)])}`;

/** An error response of the S3 protocol: a code for programs and a message for people. */
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
