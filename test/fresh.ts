import type { TestContext } from "vitest";

/**
 * A fixture of Vitest: a value that each test gets for itself, such as an account, and that is disposed after the test. For
 * example, `test.extend("world", fresh(account))` gives each test an account of its own.
 */
export const fresh =
  <T extends AsyncDisposable>(create: () => Promise<T>) =>
  async ({ onTestFinished }: TestContext): Promise<T> => {
    const created = await create();
    onTestFinished(() => created[Symbol.asyncDispose]());
    return created;
  };
