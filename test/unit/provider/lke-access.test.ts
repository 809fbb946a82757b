import { inspect } from "node:util";
import { expect, test, vi } from "vitest";
import { parseKubeconfig } from "../../../provider/resources/lke-access";

const takenFrom = (text: string) => parseKubeconfig(Buffer.from(text).toString("base64"));

test.each([
  ["is not YAML", "users:\n  - user: {token: planted-token\nclusters: ]"],
  ["quotes a name that does not exist", "users:\n  - user: {token: *planted-token}"],
  ["has no cluster", "users:\n  - user: {token: planted-token}\nclusters: []"],
  ["has a cluster without a server", "users: [{user: {token: planted-token}}]\nclusters: [{name: planted}]"],
  ["has a token of another type", "clusters: [{cluster: {}}]\nusers: [{user: {token: [planted-token]}}]"],
])("an error does not quote a kubeconfig that %s", async (_, text) => {
  const error = await takenFrom(text).then(
    () => expect.unreachable(),
    (failure) => failure,
  );
  expect(error.message).toContain("the kubeconfig is not valid YAML with a cluster and a user token");
  expect(inspect(error, { depth: 9 })).not.toContain("planted");
});

test("a warning does not quote a kubeconfig either", async () => {
  const warned = vi.spyOn(process, "emitWarning").mockImplementation(() => undefined);
  await takenFrom(
    'users: [{user: {token: !odd "planted-token"}}]\nclusters: [{cluster: {server: "a", certificate-authority-data: ""}}]',
  );
  expect(warned.mock.calls).toEqual([]);
  warned.mockRestore();
});
