/** A bug of the emulator's own: never the caller's fault, and loud, so that tests see it. */
export class EmulatorBug extends Error {
  override readonly name = "EmulatorBug";
}
