/** An error in the emulator itself, never in a request. The response is a 500, so that tests fail. */
export class EmulatorBug extends Error {
  override readonly name = "EmulatorBug";
}
