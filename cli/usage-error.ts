/** A command that failed for a known reason: what it says is all that there is to say. */
export class Failure extends Error {
  override readonly name: string = "Failure";

  constructor(
    message: string,
    readonly exitCode: number,
  ) {
    super(message);
  }
}

/** The command was called wrongly: exit code 2. */
export class Misuse extends Failure {
  override readonly name = "Misuse";

  constructor(message: string) {
    super(message, 2);
  }
}
