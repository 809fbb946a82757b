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
