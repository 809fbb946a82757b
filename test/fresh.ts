import type { TestContext } from "vitest";

/**
 * A fixture of Vitest: creates a value for each test, such as an account, and disposes of it after the test. For example,
 * `test.extend("world", fresh(account))` gives each test an account of its own.
 */
export const fresh =
  <T extends AsyncDisposable>(create: () => Promise<T>) =>
  async ({ onTestFinished }: TestContext): Promise<T> => {
    const created = await create();
    onTestFinished(() => created[Symbol.asyncDispose]());
    return created;
  };
