/** A bug in the emulator, never the caller's fault. It fails loudly, so that tests detect it. */
export class EmulatorBug extends Error {
  override readonly name = "EmulatorBug";
}
